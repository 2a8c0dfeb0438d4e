"""``opstudio help``: the pages that the window shows, in the terminal."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from opstudio.base.codec import to_json
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import Terminal, plain

if TYPE_CHECKING:
    from opstudio.workflows.help_pages import HelpLanguage, HelpPage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("page", metavar="PAGE", nargs="?", help="a page or the id of a finding (default: the list)")
    what.add_argument("--search", metavar="WORDS", help="the pages that hold all these words, ids included")
    parser.add_argument("--language", choices=("en", "zh_CN"), default="en", help="default: en")


def run(invocation: Invocation) -> ExitCode:
    """Print a page, what a search finds, or the list."""
    from opstudio.workflows.help_pages import HelpLanguage, find_help_page

    arguments, terminal = invocation.arguments, invocation.terminal
    language = HelpLanguage(arguments.language)
    if arguments.search is not None:
        _search(terminal, arguments.search, language)
    elif arguments.page is not None:
        page = find_help_page(arguments.page, language)
        _print(terminal, page)
        terminal.document("help", {"page": to_json(page)})
    else:
        _list(terminal, language)
    return ExitCode.GOOD


def _print(terminal: Terminal, page: HelpPage) -> None:
    if not terminal.out.is_terminal:
        terminal.out.print(page.markdown, markup=False, soft_wrap=True, end="")
        return
    from rich.markdown import Markdown

    terminal.out.print(Markdown(page.markdown), soft_wrap=False)


def _list(terminal: Terminal, language: HelpLanguage) -> None:
    from opstudio.workflows.help_pages import help_pages

    pages = help_pages(language)
    width = max(len(page.name) for page in pages)
    for page in pages:
        terminal.out.print(f"[bold]{page.name:<{width}}[/]  {plain(page.title)}", soft_wrap=True)
    terminal.out.print("\n[dim]opstudio help PAGE prints one; opstudio explain --list names the ids of findings[/]")
    terminal.document("help", {"pages": [{"name": page.name, "title": page.title} for page in pages]})


def _search(terminal: Terminal, words: str, language: HelpLanguage) -> None:
    from opstudio.workflows.help_pages import help_pages, rule_pages, search_pages

    hits = search_pages((*help_pages(language), *rule_pages()), words)
    if not hits:
        terminal.out.print(f"no page holds all of: {plain(words)}")
    for hit in hits:
        title = hit.page.title if hit.page.is_rule else f"{hit.page.name}  {hit.page.title}"
        terminal.out.print(f"[bold]{plain(title)}[/]\n    {plain(hit.context)}", soft_wrap=True)
    terminal.document(
        "help",
        {
            "search": words,
            "hits": [{"name": hit.page.name, "title": hit.page.title, "context": hit.context} for hit in hits],
        },
    )


COMMAND = Command(
    name="help",
    help="how the studio is used: pages to read and to search",
    order=95,
    add_arguments=add_arguments,
    run=run,
)
