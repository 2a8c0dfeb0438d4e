"""``opstudio fix``: what can be mended in a model by machine, and a new file with some of it done."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.cli.command import Command, ExitCode, Invocation
from opstudio.cli.runtimes import add_runtime_arguments, runtime_python


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", metavar="MODEL", type=Path, help="a file in ONNX's format; it is never changed")
    parser.add_argument(
        "--apply",
        metavar="ID",
        nargs="+",
        action="extend",
        default=[],
        help="fixes to make, in this order, by the ids that are listed without it; others fit as well",
    )
    parser.add_argument("-o", "--output", metavar="OUT.onnx", type=Path, help="the new file; needed with --apply")
    parser.add_argument("--force", action="store_true", help="replace the output where it exists")
    parser.add_argument(
        "--copy-weights",
        action="store_true",
        help="copy weights that lie beside the model, where the output is in another folder",
    )
    add_runtime_arguments(parser)


def run(invocation: Invocation) -> ExitCode:
    """List what can be done, or do it."""
    from opstudio.cli.fixes import show_fixed, show_offers
    from opstudio.model.graph.records import ModelRecord
    from opstudio.workflows.fix import apply_fixes, offer_fixes
    from opstudio.workflows.fix_target import OutputOrder
    from opstudio.workflows.fix_trial import Trial, try_changed_model
    from opstudio.workflows.graph import GraphReport, examine_model_file
    from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
    from opstudio.workflows.workspace_contracts import contracts_at

    arguments, terminal, cancel = invocation.arguments, invocation.terminal, invocation.cancel
    _check_arguments(arguments)
    python = runtime_python(arguments.workspace)
    contracts = contracts_at(arguments.workspace)
    with RuntimeKnowledge(python) as knowledge:

        def examine(model: ModelRecord) -> GraphReport:
            return examine_model_file(
                model,
                knowledge,
                cancel,
                libraries=arguments.library,
                providers=arguments.provider,
                contracts=contracts,
            )

        if not arguments.apply:
            with terminal.busy("reading the model"):
                offered = offer_fixes(arguments.model, examine, cancel)
            return show_offers(terminal, offered, cancel)

        def try_model(original: Path, changed: Path, providers: Sequence[str]) -> Trial:
            return try_changed_model(
                python, original, changed, cancel, libraries=arguments.library, providers=providers
            )

        order = OutputOrder(path=arguments.output, force=arguments.force, copy_weights=arguments.copy_weights)
        with terminal.busy("fixing and trying the model"):
            fixed = apply_fixes(arguments.model, arguments.apply, order, examine, try_model, cancel)
    return show_fixed(terminal, arguments.model, fixed)


def _check_arguments(arguments: argparse.Namespace) -> None:
    """Make sure that fixes have an output and an output has fixes.

    Raises:
        InputError: one is given without the other.
    """
    if bool(arguments.apply) != (arguments.output is not None):
        raise InputError.of(
            "The arguments are wrong",
            cause="--apply and -o OUT.onnx belong together: fixes are written into a new file",
            fix="Leave both away to list what can be done, or give both",
            stage="arguments",
        )


COMMAND = Command(
    name="fix",
    help="mend a model by machine: imports, names, versions, shapes; into a new file",
    order=56,
    add_arguments=add_arguments,
    run=run,
)
