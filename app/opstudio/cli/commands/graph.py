"""``opstudio graph``: what the nodes of a model are, who implements them, and whether a session takes the file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from opstudio.base.codec import to_json
from opstudio.base.errors import InputError
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.tables import print_table
from opstudio.cli.terminal import Terminal, plain

if TYPE_CHECKING:
    from opstudio.workflows.graph import GraphReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", metavar="MODEL", type=Path, help="a file in ONNX's format, or in ONNX Runtime's own")
    parser.add_argument(
        "--library",
        metavar="LIBRARY",
        type=Path,
        action="append",
        default=[],
        help="an operator library that is registered first; its code runs, in a process of its own",
    )
    parser.add_argument(
        "--provider",
        metavar="NAME",
        action="append",
        default=[],
        help="an execution provider, the preferred one first (default: CPU)",
    )


def run(invocation: Invocation) -> ExitCode:
    """Print counts, findings and the verdict."""
    from opstudio.workflows.graph import examine_graph
    from opstudio.workflows.runtime_knowledge import RuntimeKnowledge

    arguments, terminal = invocation.arguments, invocation.terminal
    with RuntimeKnowledge(_python(arguments.workspace)) as knowledge, terminal.busy("reading the model"):
        report = examine_graph(
            arguments.model,
            knowledge,
            invocation.cancel,
            libraries=arguments.library,
            providers=arguments.provider,
        )
    _print(terminal, report)
    terminal.document("graph", {**report.as_document(), "findings": [to_json(finding) for finding in report.findings]})
    return ExitCode.GOOD if report.is_accepted else ExitCode.BAD


def _python(workspace: Path) -> str:
    """Return the interpreter whose runtime is asked: the workspace's, where there is one that is trusted."""
    import sys

    from opstudio.workspace.folder import open_workspace
    from opstudio.workspace.trust import Trust

    try:
        opened = open_workspace(workspace)
    except InputError:
        return sys.executable
    return opened.settings.python or sys.executable if Trust.of_user().is_trusted(opened.root) else sys.executable


def _print(terminal: Terminal, report: GraphReport) -> None:
    from opstudio.workflows.graph import domain_counts, origin_counts

    out, model = terminal.out, report.model
    imports = ", ".join(f"{domain or 'ai.onnx'} {version}" for domain, version in model.opsets.items())
    out.print(f"[bold]{plain(model.path.name)}[/]  IR version {model.ir_version}, {plain(imports) or 'no opset'}")
    domains, origins = domain_counts(report.evidence), origin_counts(report.evidence)
    rows = [(name, f"{count:,}") for name, count in domains.most_common()]
    print_table(terminal, [("domain", False), ("nodes", True)], rows, indent="  ")
    rows = [(name, f"{count:,}") for name, count in origins.most_common()]
    styles = ["red" if name == "nobody" else "" for name, _ in rows]
    print_table(terminal, [("implemented by", False), ("nodes", True)], rows, styles=styles, indent="  ")
    terminal.show_findings(report.findings)
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
