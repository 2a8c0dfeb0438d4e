"""The lines of a loop on a terminal."""

from __future__ import annotations

import io
from datetime import datetime

import pytest

from opstudio.cli.progress import LoopPrinter
from opstudio.cli.terminal import Terminal
from opstudio.jobs.events import JobEvent, JobStarted, StageFinished, StageState, Verdict, VerdictReached

MORNING = datetime(2024, 5, 6, 7, 8, 9).astimezone().timestamp()


@pytest.fixture
def lines() -> list[str]:
    """What two runs print: one that ends well, one whose build fails; a run between them was superseded at once."""
    output = io.StringIO()
    printer = LoopPrinter(Terminal(as_json=False, output=output))
    for event in (*run(MORNING, StageState.GOOD), started(MORNING + 1), *run(MORNING + 2, StageState.BAD)):
        printer.show(event)
    printer.close()
    return [line.strip() for line in output.getvalue().splitlines()]


def started(at: float) -> JobStarted:
    return JobStarted(at=at, job=1, key="relu", title="check relu")


def run(at: float, build: StageState) -> tuple[JobEvent, ...]:
    later = StageState.GOOD if build is StageState.GOOD else StageState.NOT_RUN
    summary = "12 cases" if build is StageState.GOOD else "build is not good"
    verdict = Verdict.GOOD if build is StageState.GOOD else Verdict.BAD
    return (
        started(at),
        StageFinished(operator="relu", stage="build", state=build, seconds=1.0, summary="built"),
        StageFinished(operator="relu", stage="value", state=later, seconds=0.0, summary=summary),
        StageFinished(operator="relu", stage="layout", state=later, seconds=0.0, summary=summary),
        VerdictReached(operator="relu", verdict=verdict, seconds=1.0, final=True),
    )


def test_that_every_run_has_a_line_with_its_time_and_the_name_of_the_operator(lines: list[str]) -> None:
    heads = [index for index, line in enumerate(lines) if line.startswith("───")]

    assert [lines[index].strip("─ ") for index in heads] == ["07:08:09", "07:08:11"]
    assert [lines[index + 1] for index in heads] == ["relu", "relu"]


def test_that_stages_that_could_not_run_share_one_line(lines: list[str]) -> None:
    assert lines[-2:] == ["○ not run: value, layout (build is not good)", "bad relu after 1.00 s"]
    assert sum("12 cases" in line for line in lines) == 2
