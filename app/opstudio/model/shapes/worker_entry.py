"""The entry point of a worker that asks the runtime about every node of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opstudio.contract.toml_file import read_contract
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.shapes.model_walk import walk_model
from opstudio.model.shapes.node_asking import NodeAsker
from opstudio.model.shapes.transfer import END, PART, parts_of
from opstudio.worker.context import WorkerContext


def shapes(context: WorkerContext, payload: dict[str, Any]) -> None:
    """Send what is found of the model at ``path``, with ``libraries`` registered and by ``contracts``.

    Raises:
        InputError: the file has changed since it was read, or a contract is wrong.
    """
    context.progress("read the model")
    model = read_model(Path(payload["path"]))
    context.progress("start the runtime")
    asker = NodeAsker(payload["libraries"], model.ir_version)
    contracts = [read_contract(Path(path)) for path in payload["contracts"]]
    with SourceFile(model.path, expected=model.identity) as file:
        found = walk_model(model, file, asker, contracts, context.progress)
    for name, items in parts_of(found):
        context.emit(PART, name=name, items=items)
    context.emit(END, sessions=found.sessions, left_out=found.left_out, identity=model.identity)
