"""``opstudio history``: the builds of an operator, the pinned baseline, and what changed between them."""

from __future__ import annotations

import argparse
from datetime import datetime
from typing import TYPE_CHECKING

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError
from opstudio.base.finding import Json
from opstudio.base.units import render_bytes, render_seconds
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.tables import print_table
from opstudio.cli.terminal import Terminal, plain

if TYPE_CHECKING:
    from opstudio.workflows.build_history import OperatorHistory
    from opstudio.workflows.source_difference import FileDifference
    from opstudio.workspace.build_history import History, HistoryRecord

_COLUMNS = (
    ("build", True),
    ("when", False),
    ("verdict", False),
    ("told after", True),
    ("error", True),
    ("kernel", True),
    ("size", True),
    ("against the baseline", False),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("operator", metavar="OP", help="the name of an operator")
    actions = parser.add_mutually_exclusive_group()
    actions.add_argument("--pin", type=int, metavar="N", help="make build N the baseline that others are compared with")
    actions.add_argument("--unpin", action="store_true", help="compare with nothing")
    actions.add_argument(
        "--diff", type=int, nargs="+", metavar="N", help="how the sources of build N differ from M, or from the files"
    )
    actions.add_argument("--file", nargs=2, metavar=("N", "FILE"), help="print a source as it was in build N")
    actions.add_argument(
        "--about",
        type=int,
        nargs="?",
        const=0,
        metavar="N",
        help="versions, flags and hashes of build N, or the newest",
    )


def run(invocation: Invocation) -> ExitCode:
    """Do one of these, or print a line for each build."""
    from opstudio.workflows.build_history import OperatorHistory
    from opstudio.workspace.folder import open_workspace

    arguments, terminal = invocation.arguments, invocation.terminal
    workspace = open_workspace(arguments.workspace)
    folder = workspace.operator(arguments.operator)
    history = OperatorHistory(workspace, folder)
    if arguments.pin is not None:
        record = history.pin(arguments.pin)
        terminal.out.print(f"build {record.number} is the baseline of {plain(folder.name)}")
        terminal.document("history", {"operator": folder.name, "baseline": record.number})
    elif arguments.unpin:
        history.unpin()
        terminal.out.print(f"{plain(folder.name)} has no baseline")
        terminal.document("history", {"operator": folder.name, "baseline": None})
    elif arguments.diff is not None:
        _diff(terminal, folder.name, history, arguments.diff)
    elif arguments.file is not None:
        _file(terminal, folder.name, history, arguments.file)
    elif arguments.about is not None:
        from opstudio.workflows.result_record import about_result

        record = _newest(history, folder.name) if arguments.about == 0 else history.record(arguments.about)
        about = about_result(workspace, record)
        terminal.out.print(about.as_text(), markup=False, soft_wrap=True, end="")
        terminal.document("history", {"operator": folder.name, "about": about.as_document()})
    else:
        _list(terminal, folder.name, history)
    return ExitCode.GOOD


def _list(terminal: Terminal, name: str, history: OperatorHistory) -> None:
    known = history.read()
    if not known.records:
        terminal.out.print(f"no builds yet; check it: opstudio check {plain(name)}")
    else:
        print_table(
            terminal,
            _COLUMNS,
            [_row(record, known, history) for record in known.records],
            styles=["" if record.verdict.value == "good" else "red" for record in known.records],
        )
    for text in known.unreadable:
        terminal.err.print(f"[yellow]warning[/] {plain(text)}")
    entries: list[Json] = [_entry(record, history) for record in known.records]
    terminal.document(
        "history",
        {"operator": name, "baseline": known.baseline, "records": entries, "unreadable": list(known.unreadable)},
    )


def _row(record: HistoryRecord, known: History, history: OperatorHistory) -> tuple[str, ...]:
    from opstudio.workflows.build_deltas import render_delta

    if record.number == known.baseline:
        against = "is the baseline"
    else:
        delta = history.delta(record)
        against = "" if delta is None else render_delta(delta)
    worst, time, size = record.worst_error, record.kernel_time, record.size_bytes
    verdict = " ".join((record.verdict.value, *record.findings[:3])) + (" …" if len(record.findings) > 3 else "")  # noqa: PLR2004 - what fits
    return (
        str(record.number),
        datetime.fromtimestamp(record.at).astimezone().strftime("%Y-%m-%d %H:%M"),
        verdict,
        render_seconds(record.verdict_seconds),
        "" if worst is None else f"{worst.largest_ratio:.2g} of tolerance",
        "" if time is None else render_seconds(time.median),
        "" if size is None else render_bytes(size),
        against,
    )


def _entry(record: HistoryRecord, history: OperatorHistory) -> dict[str, Json]:
    data = to_json(record)
    assert isinstance(data, dict)
    return {
        **data,
        "size_bytes": record.size_bytes,
        "build_seconds": record.build_seconds,
        "worst_error": to_json(record.worst_error),
        "findings": list(record.findings),
        "delta": to_json(history.delta(record)),
    }


def _diff(terminal: Terminal, name: str, history: OperatorHistory, numbers: list[int]) -> None:
    if len(numbers) > 2:  # noqa: PLR2004 - a build and another one
        raise InputError.of(
            "Two builds can be compared at a time",
            cause=f"{len(numbers)} numbers follow --diff",
            fix=f"opstudio history {name} --diff N, or --diff N M",
            stage="history",
        )
    records = [history.record(number) for number in numbers]
    after = records[1] if len(records) > 1 else None
    differences = history.difference(records[0], after)
    if not differences:
        terminal.out.print("the sources are the same")
    for item in differences:
        _print_difference(terminal, item)
    terminal.document(
        "history",
        {
            "operator": name,
            "before": records[0].number,
            "after": None if after is None else after.number,
            "files": [to_json(item) for item in differences],
        },
    )


def _print_difference(terminal: Terminal, item: FileDifference) -> None:
    styles = {"+": "green", "-": "red", "@": "cyan"}
    if not item.hunks and item.change.value == "changed":
        terminal.out.print(f"{plain(item.name)} changed; its text was not kept")
        return
    for line in item.as_text().splitlines():
        style = "bold" if line.startswith(("---", "+++")) else styles.get(line[:1], "")
        terminal.out.print(f"[{style}]{plain(line)}[/]" if style else plain(line), soft_wrap=True)


def _file(terminal: Terminal, name: str, history: OperatorHistory, given: list[str]) -> None:
    number, file = given
    if not number.isdecimal():
        raise InputError.of(
            f"{number} is no number of a build",
            cause="--file takes the number of a build and the name of a file",
            fix=f"For example: opstudio history {name} --file 1 contract.toml",
            stage="history",
        )
    text = history.text(history.record(int(number)), file)
    terminal.out.print(text, markup=False, soft_wrap=True, end="")
    terminal.document("history", {"operator": name, "number": int(number), "file": file, "text": text})


def _newest(history: OperatorHistory, name: str) -> HistoryRecord:
    record = history.latest()
    if record is None:
        raise InputError.of(
            f"{name} has no builds yet",
            cause="nothing was checked here",
            fix=f"Check it first: opstudio check {name}",
            stage="history",
        )
    return record


COMMAND = Command(
    name="history",
    help="the builds of an operator: verdicts, errors, times, sizes; a baseline; what changed",
    order=47,
    add_arguments=add_arguments,
    run=run,
)
