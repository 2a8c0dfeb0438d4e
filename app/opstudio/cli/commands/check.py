"""``opstudio check``: the loop once, and the verdict."""

from __future__ import annotations

import argparse
import pkgutil
import time
from datetime import UTC, datetime

from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.operators import choose_operators
from opstudio.cli.progress import LoopPrinter
from opstudio.cli.reports import report_to_json
from opstudio.cli.studio import open_studio
from opstudio.cli.terminal import Terminal, plain
from opstudio.jobs.events import JobEvent, Verdict
from opstudio.jobs.journal import Journal
from opstudio.jobs.lanes import Job
from opstudio.workflows.check import CheckOptions, OperatorReport, check_operator
from opstudio.workspace.folder import OperatorFolder, Workspace, open_workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("operators", nargs="*", metavar="OP", help="names of operators")
    parser.add_argument("--all", action="store_true", help="all operators of the workspace")
    parser.add_argument("--only", metavar="STAGE,…", default="", help="only these stages, and the build")
    parser.add_argument("--skip", metavar="STAGE,…", default="", help="leave these stages out")
    parser.epilog = f"Stages: {', '.join(_stage_names())}."
    parser.add_argument("--fresh", action="store_true", help="run all stages, whatever is known of them")


def run(invocation: Invocation) -> ExitCode:
    """Check operators one after another."""
    arguments = invocation.arguments
    workspace = open_workspace(arguments.workspace)
    folders = choose_operators(workspace, arguments.operators, everything=arguments.all, stage="check")
    options = CheckOptions.of(only=arguments.only, skip=arguments.skip, fresh=arguments.fresh)
    stamp = datetime.now(tz=UTC).strftime("%Y%m%dT%H%M%S")
    with open_studio(invocation, workspace) as studio:
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
    if len(reports) > 1:
        _show_sum(invocation.terminal, reports)
    for folder in folders:
        _show_baseline(invocation.terminal, workspace, folder)
    invocation.terminal.document("check", {"operators": [report_to_json(report) for report in reports]})
    if not all(report.readable for report in reports):
        return ExitCode.IMPOSSIBLE
    return ExitCode.GOOD if all(report.verdict is Verdict.GOOD for report in reports) else ExitCode.BAD


def _stage_names() -> list[str]:
    """Return the names of all stages: those of their files, since to import them takes longer than the whole help."""
    from opstudio.checks import stages

    return sorted(module.name for module in pkgutil.iter_modules(stages.__path__))


def _show_sum(terminal: Terminal, reports: list[OperatorReport]) -> None:
    """Print how many operators are good, and which are not."""
    bad = [report.name for report in reports if report.verdict is not Verdict.GOOD]
    good = f"[green]{len(reports) - len(bad)} good[/]"
    terminal.out.print(f"{good}, [red]{len(bad)} bad[/]: {plain(', '.join(bad))}" if bad else good, soft_wrap=True)


def _show_baseline(terminal: Terminal, workspace: Workspace, folder: OperatorFolder) -> None:
    """Print how an operator compares with its baseline, where one is pinned."""
    from opstudio.workflows.build_deltas import render_delta
    from opstudio.workflows.build_history import OperatorHistory

    history = OperatorHistory(workspace, folder)
    record = history.latest()
    if record is not None and (delta := history.delta(record)) is not None:
        against = f"against build {delta.baseline}, the baseline"
        terminal.out.print(f"{plain(folder.name)} {against}: {render_delta(delta)}", soft_wrap=True)


COMMAND = Command(
    name="check",
    help="check operators: build, values, gradient, runtimes; one verdict",
    order=40,
    add_arguments=add_arguments,
    run=run,
    runs_workspace=True,
)
