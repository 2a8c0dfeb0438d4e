"""What a command prints: for people, or one JSON document on standard output."""

from __future__ import annotations

import json
import select
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, cast

from opstudio.base.finding import Finding, Json, Severity
from opstudio.cli.output import Output
from opstudio.cli.visible import on_one_line, visible, visible_in_json
from opstudio.jobs.cancel import CancelToken

if TYPE_CHECKING:
    from rich.console import Console

_LOOK_SECONDS = 0.1
_MOST_FINDINGS = 100
"""Findings of one answer that are printed for people."""
_BELOW = f"\n{' ' * 8}"


class Terminal:
    """Standard output and standard error. With ``as_json`` the former carries JSON only."""

    def __init__(self, *, as_json: bool, output: TextIO | None = None, errors: TextIO | None = None) -> None:
        self.as_json = as_json
        self._output = Output(output or sys.stdout)
        self._errors = Output(errors or sys.stderr)
        self._consoles: dict[str, Console] = {}

    @property
    def out(self) -> Console:
        """For answers; silent with ``--json``."""
        return self._console("out", self._output, quiet=self.as_json)

    @property
    def err(self) -> Console:
        """For errors and progress."""
        return self._console("err", self._errors, quiet=False)

    def document(self, verb: str, content: Mapping[str, Json]) -> None:
        """Print the one JSON document of a verb, if JSON was asked for."""
        if self.as_json:
            self.line({"schema": f"opstudio/{verb}/1", **content})

    def line(self, content: Mapping[str, Json]) -> None:
        """Print one JSON object on a line."""
        text = visible_in_json(json.dumps(content, ensure_ascii=not self._output.is_unicode))
        # Names of files that are not UTF-8 hold lone surrogates; their escapes are those of JSON.
        self._output.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")
        self._output.flush()

    @contextmanager
    def busy(self, text: str) -> Iterator[None]:
        """Show that work goes on, where somebody can see it."""
        if self.as_json or not self.out.is_terminal:
            yield
            return
        with self.out.status(plain(text)):
            yield

    @property
    def can_ask(self) -> bool:
        """Whether somebody sits there who can answer."""
        return not self.as_json and sys.stdin is not None and sys.stdin.isatty() and self._errors.isatty()

    def ask(self, question: str, cancel: CancelToken) -> bool:
        """Ask for yes or no; no answer is no.

        Raises:
            CancelledError: ``cancel`` was set before there was an answer.
        """
        self.err.print(plain(f"{question} [y/N] "), end="")
        # A signal does not end a read that waits.
        while not select.select([sys.stdin], [], [], _LOOK_SECONDS)[0]:
            if cancel.is_cancelled:
                self.err.print()
                cancel.check()
        return sys.stdin.readline().strip().casefold() in ("y", "yes")

    def show_findings(
        self, findings: Iterable[Finding], *, on_errors: bool = False, cancel: CancelToken | None = None
    ) -> None:
        """Print findings for people: id and title, cause, fix, places.

        A command that has nothing to lose gives ``cancel``, so that Ctrl-C ends its answer as well.

        Raises:
            CancelledError: ``cancel`` was set before the last one was printed.
        """
        console = self.err if on_errors else self.out
        shown = tuple(findings)
        for finding in shown[:_MOST_FINDINGS]:
            if cancel is not None:
                cancel.check()
            colour = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "blue"}[finding.severity]
            console.print(f"[{colour}]{finding.severity.value}[/] [bold]{finding.id}[/]", plain_line(finding.title))
            for place in finding.places:
                console.print("  at   ", plain_line(str(place)))
            # Texts of several lines stand below their beginning, so that none of them passes for a line of ours.
            console.print("  why  ", plain(finding.cause).replace("\n", _BELOW))
            console.print("  fix  ", plain(finding.fix).replace("\n", _BELOW))
        if len(shown) > _MOST_FINDINGS:
            console.print(f"[dim]… and {len(shown) - _MOST_FINDINGS:,} more; --json has all of them[/]")

    def _console(self, name: str, file: Output, *, quiet: bool) -> Console:
        if name not in self._consoles:
            from rich.console import Console

            self._consoles[name] = Console(file=cast("TextIO", file), quiet=quiet, highlight=False, soft_wrap=True)
        return self._consoles[name]


def plain(text: str) -> str:
    """Keep brackets from being taken for styles, and control characters from steering the terminal."""
    from rich.markup import escape

    return escape(visible(text))


def plain_line(text: str) -> str:
    """Do the same for a text that stands in one line, such as a name."""
    from rich.markup import escape

    return escape(on_one_line(text))
