"""``opstudio export``: an operator's model, or a model of your own, to ONNX; the file is held against the request."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.terminal import plain
from opstudio.model.export_request import Exporter, Route
from opstudio.workspace.folder import open_workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "model",
        metavar="OP|FILE.py:FACTORY",
        help="an operator of the workspace, or a function without arguments that returns a torch.nn.Module; "
        "example_inputs() of the same file returns its inputs",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="M.onnx", help="the file to write")
    parser.add_argument(
        "--exporter", type=Exporter, choices=list(Exporter), default=Exporter.DYNAMO, help="default: dynamo"
    )
    parser.add_argument(
        "--route",
        type=Route,
        choices=list(Route),
        default=Route.CUSTOM,
        help="what becomes of custom operators: standard nodes, or one node each of their own domain (default: custom)",
    )
    parser.add_argument("--opset", type=int, metavar="N", help="the ONNX opset (default: the contract's, else 18)")
    parser.add_argument(
        "--dynamic",
        type=_dynamic,
        action="append",
        metavar="INPUT:AXIS=NAME",
        help="a dimension that varies, for example x:0=batch; may be repeated (default: the contract's)",
    )


def run(invocation: Invocation) -> ExitCode:
    """Export, compare, write."""
    from opstudio.jobs.lanes import Job
    from opstudio.workflows.export import ExportOrder, export_factory, export_operator
    from opstudio.workflows.operators import load_operator
    from opstudio.workflows.studio import Studio

    arguments, terminal = invocation.arguments, invocation.terminal
    workspace = open_workspace(arguments.workspace)
    order = ExportOrder(
        exporter=arguments.exporter,
        route=arguments.route,
        opset=arguments.opset,
        dynamic=_merged(arguments.dynamic),
        output=_checked_output(arguments.output),
    )
    file, colon, factory = arguments.model.rpartition(":")
    job = Job("export", "export", lambda _context: None, lambda _event: None, cancel=invocation.cancel)
    with Studio(workspace) as studio, terminal.busy(f"exporting {arguments.model}"):
        if colon:
            report = export_factory(studio, Path(file), factory, order, job)
        else:
            operator = load_operator(workspace, workspace.operator(arguments.model))
            report = export_operator(studio, operator, order, job)
    record = report.record
    if report.file is not None:
        summary = record.summary
        nodes = 0 if summary is None else len(summary.custom_nodes) + sum(summary.standard_types.values())
        state = "[green]✔[/]" if report.good else "[red]✖[/]"
        terminal.out.print(f"{state} {plain(str(report.file))}: {nodes} nodes, opset {record.request.opset}")
    terminal.show_findings(report.findings)
    terminal.document(
        "export",
        {
            "file": None if report.file is None else str(report.file),
            "good": report.good,
            "record": to_json(record),
            "differences": [to_json(item) for item in report.differences],
            "findings": [to_json(item) for item in report.findings],
        },
    )
    return ExitCode.GOOD if report.good else ExitCode.BAD


def _checked_output(path: Path) -> Path:
    if path.suffix != ".onnx" or path.is_dir() or not path.parent.is_dir():
        raise InputError.of(
            f"{path} cannot be written",
            cause="its folder does not exist" if not path.parent.is_dir() else "it is not the name of an .onnx file",
            fix="Name a file ending in .onnx in a folder that exists",
            stage="export",
        )
    return path


def _dynamic(text: str) -> tuple[str, int, str]:
    match = re.fullmatch(r"(\w+):(\d+)=([A-Za-z_]\w*)", text)
    if match is None:
        message = f"{text!r} is not INPUT:AXIS=NAME, for example x:0=batch"
        raise argparse.ArgumentTypeError(message)
    return match[1], int(match[2]), match[3]


def _merged(items: list[tuple[str, int, str]] | None) -> dict[str, dict[int, str]] | None:
    if items is None:
        return None
    merged: dict[str, dict[int, str]] = {}
    for name, axis, dimension in items:
        merged.setdefault(name, {})[axis] = dimension
    return merged


COMMAND = Command(
    name="export",
    help="export to ONNX and compare the file with the request",
    order=50,
    add_arguments=add_arguments,
    run=run,
)
