"""``opstudio evidence``: what the stages of the last check, or of an earlier one, rest on."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, assert_never

from opstudio.base.finding import Json
from opstudio.base.units import render_seconds
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.tables import print_table
from opstudio.cli.terminal import Terminal, plain
from opstudio.cli.visible import visible

if TYPE_CHECKING:
    from opstudio.workflows.evidence_sections import Section
    from opstudio.workflows.stage_evidence import StageEvidence


_SHORT_TEXT = 12
"""Lines of a text that are printed among the evidence of all stages."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("operator", metavar="OP", help="the name of an operator")
    parser.add_argument("stage", metavar="STAGE", nargs="?", help="a stage (default: all that ended)")
    parser.add_argument("--build", type=int, metavar="N", help="that of build N (default: the newest)")


def run(invocation: Invocation) -> ExitCode:
    """Print the evidence of one stage, or of all."""
    from opstudio.checks.check import all_checks
    from opstudio.workflows.build_history import OperatorHistory
    from opstudio.workflows.stage_evidence import stage_evidence
    from opstudio.workspace.folder import open_workspace

    arguments, terminal = invocation.arguments, invocation.terminal
    workspace = open_workspace(arguments.workspace)
    folder = workspace.operator(arguments.operator)
    record = None if arguments.build is None else OperatorHistory(workspace, folder).record(arguments.build)
    stages = [arguments.stage] if arguments.stage else [check.id for check in all_checks()]
    found = [stage_evidence(workspace, folder, stage, record) for stage in stages]
    shown = [item for item in found if arguments.stage or item.state is not None]
    if not shown:
        terminal.out.print(f"no stage ended yet; check it: opstudio check {plain(folder.name)}")
    for item in shown:
        _print(terminal, item, with_sources=arguments.stage is not None)
    entries: list[Json] = [item.as_document() for item in shown]
    terminal.document("evidence", {"operator": folder.name, "stages": entries})
    return ExitCode.GOOD


def _print(terminal: Terminal, item: StageEvidence, *, with_sources: bool) -> None:
    out = terminal.out
    state = "not run yet" if item.state is None else item.state.value.replace("_", " ")
    colour = {"good": "green", "bad": "red"}.get(state, "dim") if item.is_current else "dim"
    build = f", build {item.number}" if item.number is not None and item.is_current else ""
    seconds = f" [dim]{render_seconds(item.seconds)}{build}[/]" if item.seconds else ""
    out.print(f"[bold]{item.stage}[/] [{colour}]{state}[/]{seconds}  {plain(item.summary)}", soft_wrap=True)
    if item.note:
        out.print(f"  [yellow]{plain(item.note)}[/]", soft_wrap=True)
    terminal.show_findings(item.findings)
    for section in item.sections:
        _print_section(terminal, section, with_sources=with_sources)


def _print_section(terminal: Terminal, section: Section, *, with_sources: bool) -> None:
    from opstudio.workflows.evidence_sections import CommandLines, KeyValues, SourceText, Table

    out, content = terminal.out, section.content
    out.print(f"  [bold]{plain(section.title)}[/]", soft_wrap=True)
    match content:
        case Table():
            columns = [(column.title, column.is_number) for column in content.columns]
            styles = ["red" if index in content.bad else "" for index in range(len(content.rows))]
            print_table(terminal, columns, content.rows, styles=styles, indent="    ")
            if content.left_out:
                out.print(f"    [dim]and {content.left_out} more[/]")
        case KeyValues():
            width = max((len(name) for name, _ in content.entries), default=0)
            for name, value in content.entries:
                out.print(f"    [dim]{plain(name):<{width}}[/]  {plain(value)}", soft_wrap=True)
        case SourceText() if not with_sources and content.text.count("\n") > _SHORT_TEXT:
            count = len(content.text.splitlines())
            out.print(f"    [dim]{count} lines; name the stage to see them[/]")
        case SourceText():
            for line in content.text.splitlines():
                out.print(f"    {visible(line)}", markup=False, soft_wrap=True)
        case CommandLines():
            for command in content.commands:
                out.print(command, markup=False, soft_wrap=True)
        case _:
            assert_never(content)


COMMAND = Command(
    name="evidence",
    help="what the stages rest on: shapes, errors, worst elements, nodes, commands to copy",
    order=48,
    add_arguments=add_arguments,
    run=run,
)
