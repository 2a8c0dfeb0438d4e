"""``opstudio graph``: what the nodes of a model are, who implements them, and whether a session takes the file."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError
from opstudio.base.finding import Finding, Json
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.runtimes import add_runtime_arguments, runtime_python
from opstudio.cli.tables import print_table
from opstudio.cli.terminal import Terminal, plain_line
from opstudio.jobs.cancel import CancelToken

if TYPE_CHECKING:
    from opstudio.workflows.graph import GraphReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", metavar="MODEL", type=Path, help="a file in ONNX's format, or in ONNX Runtime's own")
    add_runtime_arguments(parser)
    parser.add_argument(
        "--against", metavar="OTHER", type=Path, help="tell what differs from this model, and nothing else"
    )
    parser.add_argument("--weights", action="store_true", help="with --against: compare large weights by value, too")
    parser.add_argument("--svg", metavar="FILE", type=Path, help="draw the graph into this file")
    parser.add_argument("--whole", action="store_true", help="with --svg: draw every node, no groups as one box")


def run(invocation: Invocation) -> ExitCode:
    """Print counts, findings and the verdict."""
    from opstudio.workflows.graph import examine_graph
    from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
    from opstudio.workflows.workspace_contracts import contracts_at

    arguments, terminal = invocation.arguments, invocation.terminal
    _check_arguments(arguments)
    if arguments.against is not None:
        from opstudio.cli.model_differences import show_difference

        return show_difference(invocation, arguments.model, arguments.against, all_values=arguments.weights)
    with RuntimeKnowledge(runtime_python(arguments.workspace)) as knowledge, terminal.busy("reading the model"):
        report = examine_graph(
            arguments.model,
            knowledge,
            invocation.cancel,
            libraries=arguments.library,
            providers=arguments.provider,
            contracts=contracts_at(arguments.workspace),
        )
        if arguments.svg is not None:
            from opstudio.workflows.graph_picture import write_picture

            write_picture(report, arguments.svg, invocation.cancel, is_whole=arguments.whole)
    _print(terminal, report, invocation.cancel)
    if arguments.svg is not None:
        terminal.out.print(f"[green]drawn[/]     {plain_line(str(arguments.svg))}")
    if terminal.as_json:
        # Of thousands of findings, a document takes seconds: it is made where somebody wants it.
        content = {**report.as_document(), "findings": _documents(report.findings, invocation.cancel)}
        invocation.cancel.check()
        terminal.document("graph", content)
    return ExitCode.GOOD if report.is_accepted else ExitCode.BAD


def _documents(findings: Iterable[Finding], cancel: CancelToken) -> list[Json]:
    found: list[Json] = []
    for finding in findings:
        cancel.check()
        found.append(to_json(finding))
    return found


def _check_arguments(arguments: argparse.Namespace) -> None:
    """Make sure that every option has an effect.

    Raises:
        InputError: one would be passed over.
    """
    is_compared = arguments.against is not None
    for is_idle, cause in (
        (arguments.weights and not is_compared, "--weights belongs to --against OTHER"),
        (arguments.whole and arguments.svg is None, "--whole belongs to --svg FILE"),
        (is_compared and arguments.svg is not None, "--against draws no picture"),
        (is_compared and (arguments.library or arguments.provider), "--against asks no runtime and no library"),
    ):
        if is_idle:
            title, fix = "The arguments are wrong", "See opstudio graph --help"
            raise InputError.of(title, cause=cause, fix=fix, stage="arguments")


def _print(terminal: Terminal, report: GraphReport, cancel: CancelToken) -> None:
    from opstudio.workflows.graph import domain_counts, origin_counts

    out, model = terminal.out, report.model
    imports = ", ".join(f"{domain or 'ai.onnx'} {version}" for domain, version in model.opsets.items())
    out.print(
        f"[bold]{plain_line(model.path.name)}[/]  IR version {model.ir_version}, {plain_line(imports) or 'no opset'}"
    )
    domains, origins = domain_counts(report.evidence), origin_counts(report.evidence)
    rows = [(name, f"{count:,}") for name, count in domains.most_common()]
    print_table(terminal, [("domain", False), ("nodes", True)], rows, indent="  ", cancel=cancel)
    rows = [(name, f"{count:,}") for name, count in origins.most_common()]
    styles = ["red" if name == "nobody" else "" for name, _ in rows]
    print_table(terminal, [("implemented by", False), ("nodes", True)], rows, styles=styles, indent="  ", cancel=cancel)
    terminal.show_findings(report.findings, cancel=cancel)
    if report.note:
        out.print(f"[dim]{report.note}[/]")
    runtime = f"ONNX Runtime {report.evidence.catalogue.tables.release}"
    if report.is_accepted:
        out.print(f"[green]accepted[/]  {runtime} takes the model")
    else:
        out.print(f"[red]refused[/]  {runtime} does not take the model")


COMMAND = Command(
    name="graph",
    help="the nodes of a model: which nobody implements, and why",
    order=55,
    add_arguments=add_arguments,
    run=run,
)
