"""``opstudio check``: the loop once, and the verdict."""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError
from opstudio.base.finding import Json
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.progress import LoopPrinter
from opstudio.jobs.events import JobEvent, Verdict
from opstudio.jobs.journal import Journal
from opstudio.jobs.lanes import Job
from opstudio.workflows.check import CheckOptions, OperatorReport, check_operator
from opstudio.workflows.studio import Studio
from opstudio.workspace.folder import OperatorFolder, Workspace, open_workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("operators", nargs="*", metavar="OP", help="names of operators")
    parser.add_argument("--all", action="store_true", help="all operators of the workspace")
    parser.add_argument("--only", metavar="STAGE,…", default="", help="only these stages, and the build")
    parser.add_argument("--skip", metavar="STAGE,…", default="", help="leave these stages out")
    parser.add_argument("--fresh", action="store_true", help="run all stages, whatever is known of them")


def run(invocation: Invocation) -> ExitCode:
    """Check operators one after another."""
    arguments = invocation.arguments
    workspace = open_workspace(arguments.workspace)
    folders = choose_operators(workspace, arguments.operators, everything=arguments.all)
    options = CheckOptions(only=_names(arguments.only), skip=_names(arguments.skip), fresh=arguments.fresh)
    stamp = datetime.now(tz=UTC).strftime("%Y%m%dT%H%M%S")
    with Studio(workspace) as studio:
        journal = Journal(workspace.state / "runs" / f"{stamp}-{time.time_ns() % 10**6:06d}-check.ndjson")
        printer = LoopPrinter(invocation.terminal)

        def listen(event: JobEvent) -> None:
            journal.write(event)
            printer.show(event)

        reports: list[OperatorReport] = []
        job = Job("check", "check", lambda _context: None, listen, cancel=invocation.cancel)
        try:
            reports += [check_operator(studio, folder, options, job) for folder in folders]
        finally:
            printer.close()
            journal.close()
    invocation.terminal.document("check", {"operators": [report_to_json(report) for report in reports]})
    if not all(report.readable for report in reports):
        return ExitCode.IMPOSSIBLE
    return ExitCode.GOOD if all(report.verdict is Verdict.GOOD for report in reports) else ExitCode.BAD


def choose_operators(workspace: Workspace, names: list[str], *, everything: bool) -> tuple[OperatorFolder, ...]:
    """Return the operators that a command line names.

    Raises:
        InputError: a name is unknown, or none was given.
    """
    if everything or (not names and len(workspace.operators()) == 1):
        return workspace.operators()
    if not names:
        known = ", ".join(operator.name for operator in workspace.operators()) or "none yet; make one with opstudio new"
        raise InputError.of(
            "Which operator?", cause=f"the workspace has {known}", fix="Name operators, or give --all", stage="check"
        )
    return tuple(workspace.operator(name) for name in names)


def report_to_json(report: OperatorReport) -> dict[str, Json]:
    """Return a report in the form that scripts rely on."""
    return {
        "name": report.name,
        "domain": report.domain,
        "verdict": report.verdict.value,
        "seconds": report.seconds,
        "stages": [
            {
                "id": stage.stage,
                "state": stage.state.value,
                "seconds": stage.seconds,
                "cached": stage.cached,
                "summary": stage.summary,
            }
            for stage in report.stages
        ],
        "findings": [to_json(finding) for finding in report.findings],
    }


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


COMMAND = Command(
    name="check",
    help="check operators: build, values, gradient, runtimes; one verdict",
    order=40,
    add_arguments=add_arguments,
    run=run,
)
