"""``opstudio explain``: the page of an id, or what the words of a tool mean."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from opstudio.base.codec import to_json
from opstudio.base.finding import Json
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import Terminal

if TYPE_CHECKING:
    from opstudio.workflows.explain import Page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "ids",
        metavar="ID",
        nargs="*",
        help="ids of findings or fixes, for example REG004 add-import; or what ONNX Runtime said, in quotes "
        "(-: from the input)",
    )
    parser.add_argument("--list", action="store_true", help="list all ids with their titles")


def run(invocation: Invocation) -> ExitCode:
    """Print a page, or all titles."""
    from opstudio.workflows.explain import find_page

    out = invocation.terminal.out
    ids = invocation.arguments.ids
    if invocation.arguments.list or not ids:
        _list(invocation.terminal, with_titles=invocation.arguments.list)
        return ExitCode.GOOD
    if (message := _message(ids)) is not None:
        return _explain(invocation.terminal, message)
    # All are looked up before one is printed: a name that is wrong gives an error and nothing else.
    chosen = [find_page(name) for name in dict.fromkeys(ids)]
    for number, page in enumerate(chosen):
        out.print(f"{chr(10) * bool(number)}[bold]{page.id}  {page.title}[/]")
        if page.summary.rstrip(".") != page.title:
            out.print(f"\n{page.summary}", markup=False)
        for heading, text in page.sections:
            out.print(f"\n[bold]{heading}[/]")
            out.print(text, markup=False)
    content = {"page": to_json(chosen[0])} if len(chosen) == 1 else {"pages": [to_json(page) for page in chosen]}
    invocation.terminal.document("explain", {**content, "findings": []})
    return ExitCode.GOOD


def _list(terminal: Terminal, *, with_titles: bool) -> None:
    """Print all ids, family by family; those of fixes stand last."""
    from opstudio.workflows.explain import FAMILIES, all_pages, by_family, fix_pages

    pages, fixes = all_pages(), fix_pages()
    families = {FAMILIES.get(family, family): chosen for family, chosen in by_family(pages.values()).items()}
    for number, (name, chosen) in enumerate({**families, "fixes of models": list(fixes.values())}.items()):
        terminal.out.print(f"{chr(10) * bool(number)}[bold]{name}[/]")
        if with_titles:
            for page in chosen:
                terminal.out.print(f"[bold]{page.id}[/]  {page.title}")
        else:
            terminal.out.print("  ".join(page.id for page in chosen), markup=False)
    if not with_titles:
        terminal.out.print("\nopstudio explain ID tells what one means; --list shows the titles")
    terminal.document("explain", {"pages": _titles(pages.values()), "fixes": _titles(fixes.values())})


def _titles(pages: Iterable[Page]) -> list[Json]:
    return [{"id": page.id, "title": page.title} for page in pages]


def _message(words: Sequence[str]) -> str | None:
    """Return what a tool said, where that was given instead of ids."""
    if list(words) == ["-"]:
        return sys.stdin.read()
    return " ".join(words) if any(" " in word.strip() for word in words) else None


def _explain(terminal: Terminal, message: str) -> ExitCode:
    from opstudio.workflows.explain import explain_message

    findings = explain_message(message)
    terminal.show_findings(findings)
    if not findings:
        terminal.out.print("No rule knows these words; opstudio graph MODEL tells what is wrong with a file itself")
    terminal.document("explain", {"findings": [to_json(finding) for finding in findings]})
    return ExitCode.GOOD if findings else ExitCode.BAD


COMMAND = Command(
    name="explain", help="what an id means and how to fix it", order=90, add_arguments=add_arguments, run=run
)
