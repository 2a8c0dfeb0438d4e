"""``opstudio build``: artifacts of operators, or a release of their domains."""

from __future__ import annotations

import argparse

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError
from opstudio.base.finding import Finding, Json
from opstudio.base.units import render_seconds
from opstudio.build.records import BuildRecord
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.operators import choose_operators
from opstudio.cli.progress import LoopPrinter
from opstudio.cli.reports import report_to_json
from opstudio.cli.studio import open_studio
from opstudio.cli.terminal import plain
from opstudio.workspace.folder import Workspace, open_workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("operators", nargs="*", metavar="OP", help="names of operators")
    parser.add_argument("--all", action="store_true", help="all operators of the workspace")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--backend", metavar="ID", help="build with this backend instead of the operator's own")
    how.add_argument(
        "--release",
        action="store_true",
        help="one PyTorch extension, one ONNX Runtime library and one wheel for each domain, checked, in dist/",
    )


def run(invocation: Invocation) -> ExitCode:
    """Build what was asked for."""
    arguments = invocation.arguments
    workspace = open_workspace(arguments.workspace)
    if arguments.release:
        return _release(invocation, workspace)
    return _build(invocation, workspace)


def _build(invocation: Invocation, workspace: Workspace) -> ExitCode:
    from opstudio.diagnosis.engine import diagnose
    from opstudio.workflows.operator_build import build_operator, build_with
    from opstudio.workflows.operators import load_operator
    from opstudio.workflows.support_builds import SupportBuilds

    arguments, out = invocation.arguments, invocation.terminal.out
    folders = choose_operators(workspace, arguments.operators, everything=arguments.all, stage="build")
    entries: list[Json] = []
    support = SupportBuilds(lambda text: out.print(plain(text)))
    good = True
    with open_studio(invocation, workspace) as studio:
        for folder in folders:
            operator = load_operator(workspace, folder)
            if arguments.backend:
                built = build_with(studio, operator, arguments.backend, cancel=invocation.cancel)
            else:
                built = build_operator(
                    studio, operator, cancel=invocation.cancel, on_output=lambda _text: None, support=support
                )
            findings = tuple(
                finding for record in built.records for finding in diagnose(record, operator.rule_context("build"))
            )
            good = good and built.succeeded
            out.print(f"[bold]{folder.name}[/]")
            for record in built.records:
                _show(invocation, record)
            invocation.terminal.show_findings(findings)
            for path in built.libraries.values():
                out.print(f"    {plain(workspace.relative(path))}", soft_wrap=True)
            entries.append(_entry(folder.name, built.records, findings, [str(p) for p in built.libraries.values()]))
    invocation.terminal.document("build", {"operators": entries})
    return ExitCode.GOOD if good else ExitCode.BAD


def _show(invocation: Invocation, record: BuildRecord) -> None:
    mark = "[green]✔[/]" if record.succeeded else "[red]✖[/]"
    time = "cached" if record.cached else render_seconds(record.seconds)
    invocation.terminal.out.print(f"  {mark} {record.backend:<20} [dim]{time:>8}[/]")


def _entry(name: str, records: tuple[BuildRecord, ...], findings: tuple[Finding, ...], files: list[str]) -> Json:
    return {
        "name": name,
        "builds": [
            {
                "backend": record.backend,
                "succeeded": record.succeeded,
                "cached": record.cached,
                "seconds": record.seconds,
                "commands": list(record.commands),
            }
            for record in records
        ],
        "files": [*files],
        "findings": [to_json(finding) for finding in findings],
    }


def _release(invocation: Invocation, workspace: Workspace) -> ExitCode:
    from opstudio.jobs.lanes import Job
    from opstudio.workflows.release import release

    arguments, out = invocation.arguments, invocation.terminal.out
    folders = choose_operators(workspace, arguments.operators, everything=arguments.all, stage="release")
    if not folders:
        raise InputError.of(
            "There is nothing to release",
            cause=f"{workspace.root} has no operators",
            fix="Make one: opstudio new",
            stage="release",
        )
    printer = LoopPrinter(invocation.terminal)
    job = Job("release", "release", lambda _context: None, printer.show, cancel=invocation.cancel)
    with open_studio(invocation, workspace) as studio:
        try:
            releases = release(studio, folders, job)
        finally:
            printer.close()
    for item in releases:
        if item.folder is None:
            out.print(f"[red bold]not released[/] {item.domain}: what is bad above is mended first")
            continue
        out.print(f"[green bold]released[/] {item.domain} version {item.version}")
        for path in item.files:
            out.print(f"    {plain(workspace.relative(path))}", soft_wrap=True)
    invocation.terminal.document(
        "build",
        {
            "releases": [
                {
                    "domain": item.domain,
                    "version": item.version,
                    "released": item.good,
                    "folder": None if item.folder is None else str(item.folder),
                    "files": [str(path) for path in item.files],
                    "operators": [report_to_json(report) for report in item.operators],
                    "findings": [to_json(finding) for finding in item.findings],
                }
                for item in releases
            ]
        },
    )
    return ExitCode.GOOD if all(item.good for item in releases) else ExitCode.BAD


COMMAND = Command(
    name="build",
    help="build operators; --release: libraries and a wheel free of the studio",
    order=35,
    add_arguments=add_arguments,
    run=run,
    runs_workspace=True,
)
