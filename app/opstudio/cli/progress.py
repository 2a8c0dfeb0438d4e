"""The loop's events on a terminal: a line for each stage, findings in place, the verdict last."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from opstudio.base.units import render_seconds
from opstudio.cli.terminal import Terminal, plain
from opstudio.jobs.events import (
    JobEvent,
    JobFinished,
    JobStarted,
    OutputWritten,
    Progressed,
    StageFinished,
    StageStarted,
    StageState,
    Verdict,
    VerdictReached,
)

_MARKS = {
    StageState.GOOD: ("✔", "green"),
    StageState.BAD: ("✖", "red"),
    StageState.SKIPPED: ("–", "dim"),
    StageState.NOT_RUN: ("○", "dim"),
    StageState.CANCELLED: ("○", "dim"),
}

_LINE = "─" * 24


class LoopPrinter:
    """Prints events as they come; what runs now is shown on a line of its own where the terminal can do that."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._operator = ""
        self._started: JobStarted | None = None
        self._not_run: list[StageFinished] = []
        self._status = terminal.out.status("") if terminal.out.is_terminal and not terminal.as_json else None

    def show(self, event: JobEvent) -> None:
        """Print one event."""
        if not isinstance(event, StageFinished | OutputWritten):
            self._show_not_run()
        match event:
            case StageStarted():
                self._heading(event.operator)
                self._now(f"{event.stage} …")
            case StageFinished():
                self._heading(event.operator)
                self._stage(event)
            case VerdictReached():
                self._now("")
                self._verdict(event)
            case Progressed():
                self._now(event.label)
                self._terminal.out.print(f"  [dim]{plain(event.label)}[/]", soft_wrap=True)
            case JobFinished():
                self._terminal.show_findings(event.findings)
            case JobStarted():
                self._started = event
            case OutputWritten():
                pass
            case _:
                assert_never(event)

    def close(self) -> None:
        """Remove what is only shown while work goes on."""
        self._show_not_run()
        self._now("")

    def _heading(self, operator: str) -> None:
        if self._started is not None:
            # One run of many: only what comes to anything is told apart.
            began = datetime.fromtimestamp(self._started.at).astimezone().strftime("%H:%M:%S")
            self._started = None
            self._terminal.out.print(f"[dim]{_LINE} {began} {_LINE}[/]")
        elif operator == self._operator:
            return
        self._operator = operator
        self._terminal.out.print(f"[bold]{operator}[/]")

    def _now(self, text: str) -> None:
        if self._status is None:
            return
        if text:
            self._status.update(text)
            self._status.start()
        else:
            self._status.stop()

    def _stage(self, event: StageFinished) -> None:
        if event.state is StageState.NOT_RUN:
            self._not_run.append(event)
            return
        self._show_not_run()
        mark, colour = _MARKS[event.state]
        time = "cached" if event.cached else render_seconds(event.seconds) if event.seconds else ""
        self._terminal.out.print(
            f"  [{colour}]{mark}[/] {event.stage:<12} [dim]{time:>8}[/]  {plain(event.summary)}", soft_wrap=True
        )
        self._terminal.show_findings(event.findings)

    def _show_not_run(self) -> None:
        """Print what could not run, as one line: it must not bury the reason."""
        if not self._not_run:
            return
        names, reason = ", ".join(event.stage for event in self._not_run), self._not_run[0].summary
        self._not_run = []
        self._terminal.out.print(f"  [dim]○ not run: {names} ({plain(reason)})[/]", soft_wrap=True)

    def _verdict(self, event: VerdictReached) -> None:
        colour = "green" if event.verdict is Verdict.GOOD else "red"
        when = "" if event.final else " [dim](slow stages follow)[/]"
        self._terminal.out.print(
            f"  [{colour} bold]{event.verdict.value}[/] {event.operator} after {render_seconds(event.seconds)}{when}"
        )
