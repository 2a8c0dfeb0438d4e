"""``opstudio explain``: the page of an id."""

from __future__ import annotations

import argparse

from opstudio.base.codec import to_json
from opstudio.cli.command import Command, ExitCode, Invocation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("id", metavar="ID", nargs="?", help="the id of a finding, for example REG004")
    parser.add_argument("--list", action="store_true", help="list all ids")


def run(invocation: Invocation) -> ExitCode:
    """Print a page, or all titles."""
    from opstudio.workflows.explain import all_pages, find_page

    out = invocation.terminal.out
    if invocation.arguments.list or invocation.arguments.id is None:
        pages = all_pages()
        for page in pages.values():
            out.print(f"[bold]{page.id}[/]  {page.title}")
        invocation.terminal.document(
            "explain", {"pages": [{"id": page.id, "title": page.title} for page in pages.values()]}
        )
        return ExitCode.GOOD
    page = find_page(invocation.arguments.id)
    out.print(f"[bold]{page.id}  {page.title}[/]\n")
    if page.summary.rstrip(".") != page.title:
        out.print(page.summary, markup=False)
    for heading, text in page.sections:
        out.print(f"\n[bold]{heading}[/]")
        out.print(text, markup=False)
    invocation.terminal.document("explain", {"page": to_json(page), "findings": []})
    return ExitCode.GOOD


COMMAND = Command(
    name="explain", help="what an id means and how to fix it", order=90, add_arguments=add_arguments, run=run
)
