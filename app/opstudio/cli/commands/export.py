"""``opstudio export``: an operator's model, or a model of your own, to ONNX; the file is held against the request.

With ``--explain`` both exporters run, and what became of each operator is told.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.studio import open_studio
from opstudio.cli.terminal import plain
from opstudio.model.export_request import DynamicAxis, Exporter, Route
from opstudio.model.summary_records import NodeSummary
from opstudio.workspace.folder import open_workspace

if TYPE_CHECKING:
    from opstudio.workflows.export import ExportReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "model",
        metavar="OP|FILE.py:FACTORY",
        help="an operator of the workspace, or a function without arguments that returns a torch.nn.Module, which is "
        "exported for inference (eval()); example_inputs() of the same file returns its inputs, a tuple or a dict",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="M.onnx",
        help="the file to write; with --explain a folder for the files of both exporters, which may be left out",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="export with both exporters; tell where each node comes from, what is missing and why, and what to paste",
    )
    parser.add_argument(
        "--runtime",
        metavar="RELEASE",
        help="with --explain: the ONNX Runtime that is to load the files, for example 1.18 (default: the one here)",
    )
    parser.add_argument(
        "--exporter",
        choices=[item.value for item in Exporter],
        default=Exporter.DYNAMO.value,
        help="default: dynamo",
    )
    parser.add_argument(
        "--route",
        choices=[item.value for item in Route],
        default=Route.CUSTOM.value,
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

    arguments, terminal = invocation.arguments, invocation.terminal
    if arguments.explain:
        return _explain(invocation)
    if arguments.runtime is not None:
        raise InputError.of(
            "The arguments are wrong",
            cause="--runtime belongs to --explain",
            fix="See opstudio export --help",
            stage="arguments",
        )
    workspace = open_workspace(arguments.workspace)
    order = ExportOrder(
        exporter=Exporter(arguments.exporter),
        route=Route(arguments.route),
        opset=arguments.opset,
        dynamic=None if arguments.dynamic is None else tuple(arguments.dynamic),
        output=_checked_output(arguments.output),
    )
    file, colon, factory = _checked_model(arguments.model).rpartition(":")
    job = Job("export", "export", lambda _context: None, lambda _event: None, cancel=invocation.cancel)
    source = Path(file) if colon else None
    with open_studio(invocation, workspace, runs=source) as studio, terminal.busy(f"exporting {arguments.model}"):
        if source is not None:
            report = export_factory(studio, source, factory, order, job)
        else:
            operator = load_operator(workspace, workspace.operator(arguments.model))
            report = export_operator(studio, operator, order, job)
    record = report.record
    if report.files:
        _show(invocation, arguments.output, report)
    terminal.show_findings(report.findings)
    terminal.document(
        "export",
        {
            "file": str(arguments.output) if report.files else None,
            "files": [str(path) for path in report.files],
            "good": report.good,
            "sample": report.sample or None,
            "record": to_json(record),
            "differences": [to_json(item) for item in report.differences],
            "findings": [to_json(item) for item in report.findings],
        },
    )
    return ExitCode.GOOD if report.good else ExitCode.BAD


def _explain(invocation: Invocation) -> ExitCode:
    """Export with both exporters and tell what came of it."""
    from opstudio.cli.export_explanation import show_explanation
    from opstudio.jobs.lanes import Job
    from opstudio.workflows.export_explanation import ExplainOrder, explain_factory, explain_operator, target_runtime
    from opstudio.workflows.operators import load_operator

    arguments, terminal = invocation.arguments, invocation.terminal
    workspace = open_workspace(arguments.workspace)
    file, colon, factory = _checked_model(arguments.model).rpartition(":")
    source = Path(file) if colon else None
    job = Job("export", "export", lambda _context: None, lambda _event: None, cancel=invocation.cancel)
    with open_studio(invocation, workspace, runs=source) as studio, terminal.busy(f"explaining {arguments.model}"):
        order = ExplainOrder(
            route=Route(arguments.route),
            opset=arguments.opset,
            dynamic=None if arguments.dynamic is None else tuple(arguments.dynamic),
            folder=None if arguments.output is None else arguments.output.absolute(),
            runtime=target_runtime(studio, arguments.runtime),
        )
        if source is not None:
            explanation = explain_factory(studio, source, factory, order, job)
        else:
            operator = load_operator(workspace, workspace.operator(arguments.model))
            explanation = explain_operator(studio, operator, order, job)
    show_explanation(terminal, explanation)
    terminal.document("export", {"good": explanation.good, "explanation": explanation.as_document()})
    return ExitCode.GOOD if explanation.good else ExitCode.BAD


def _show(invocation: Invocation, output: Path, report: ExportReport) -> None:
    out, summary = invocation.terminal.out, report.record.summary
    assert summary is not None, "a file that was written was read as well"
    custom = [f"{count} × {name}" for name, count in _counted(summary.custom_nodes).items()]
    standard = sum(summary.standard_types.values())
    nodes = ", ".join([*custom, f"{standard} standard node{'s' if standard != 1 else ''}"])
    state = "[green]✔[/]" if report.good else "[red]✖[/]"
    out.print(f"{state} {plain(str(output))}: {plain(nodes)}, opset {summary.imports.get('', 0)}")
    shapes = ", ".join(f"{item.name} [{', '.join(map(str, item.shape or ()))}]" for item in summary.inputs)
    origin = f", the shapes of sample {report.sample}" if report.sample else ""
    out.print(plain(f"  inputs {shapes}{origin}; {_varying(report)}"), soft_wrap=True)
    for path in report.files[1:]:
        out.print(f"  weights in {plain(path.name)}; keep the two files together")


def _varying(report: ExportReport) -> str:
    axes = report.record.request.dynamic
    if not axes:
        return "all sizes are fixed (--dynamic x:0=batch lets one vary)"
    return f"{', '.join(dict.fromkeys(axis.name for axis in axes))} may vary"


def _counted(nodes: Sequence[NodeSummary]) -> dict[str, int]:
    return dict(Counter(f"{node.domain}:{node.type}" for node in nodes))


def _checked_model(text: str) -> str:
    file, _, factory = text.rpartition(":")
    if (text.endswith(".py") or file.endswith(".py")) and not (file and factory.isidentifier()):
        raise InputError.of(
            f"{text} names no factory",
            cause="a file may make several models",
            fix=f"Add the function that returns the module: {(file or text).rstrip(':')}:make",
            stage="export",
        )
    return text


def _checked_output(path: Path | None) -> Path:
    if path is None:
        raise InputError.of(
            "There is no file to write",
            cause="-o is missing; only --explain does without",
            fix="Name it: -o model.onnx",
            stage="export",
        )
    if path.suffix != ".onnx" or path.is_dir() or not path.parent.is_dir():
        raise InputError.of(
            f"{path} cannot be written",
            cause=f"there is no folder {path.parent}"
            if not path.parent.is_dir()
            else "it is a folder"
            if path.is_dir()
            else "it is not the name of an .onnx file",
            fix="Name a file ending in .onnx in a folder that exists",
            stage="export",
        )
    return path


def _dynamic(text: str) -> DynamicAxis:
    match = re.fullmatch(r"(\w+):(\d+)=([A-Za-z_]\w*)", text)
    if match is None:
        message = f"{text!r} is not INPUT:AXIS=NAME, for example x:0=batch"
        raise argparse.ArgumentTypeError(message)
    return DynamicAxis(input=match[1], axis=int(match[2]), name=match[3])


COMMAND = Command(
    name="export",
    help="export to ONNX and compare the file with the request",
    order=50,
    add_arguments=add_arguments,
    run=run,
    runs_workspace=True,
)
