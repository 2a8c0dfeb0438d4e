"""Reads files, everything in them, under limits of memory and time, and prints how each one ended.

Run as ``python -m tests.unit.model.graph.reading_process FOLDER SECONDS BYTES``; one line of JSON for each file.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from opstudio.base.errors import StudioError
from opstudio.model.graph.attribute_values import read_attribute_value
from opstudio.model.graph.node_notes import read_notes
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import BulkValue, GraphRecord, ModelRecord
from opstudio.model.graph.tensor_records import (
    TensorRecord,
)
from opstudio.model.graph.tensor_statistics import tensor_statistics
from opstudio.model.graph.tensor_values import read_values
from opstudio.model.graph.value_index import index_model

ASKED_TENSORS = 20


class TooLongError(BaseException):
    """The time for one file is over; nobody catches it on its way."""


def read_everything(path: Path) -> str:
    """Read a model and whatever can be asked of it; return ``read``, or how it was refused."""
    try:
        model = read_model(path)
    except StudioError as error:
        return str(error.findings[0].evidence.get("kind", "refused"))
    for scope in index_model(model).scopes():
        for kind in scope.types.values():
            str(kind)
    graphs = list(all_graphs(model.graph))
    tensors = itertools.chain.from_iterable(graph.initializers for graph in graphs)
    for tensor in itertools.islice(tensors, ASKED_TENSORS):
        ask_tensor(model, tensor)
    for graph in graphs:
        # Notes are looked at when they are asked for, and may be what is damaged.
        with contextlib.suppress(StudioError):
            ask_nodes(model, graph)
    return "read"


def ask_tensor(model: ModelRecord, tensor: TensorRecord) -> None:
    """Ask for values and statistics; a refusal is an answer."""
    for ask in (
        lambda: read_values(model, tensor),
        lambda: read_values(model, tensor, start=tensor.element_count - 3),
        lambda: tensor_statistics(model, tensor),
    ):
        with contextlib.suppress(StudioError):
            ask()


def ask_nodes(model: ModelRecord, graph: GraphRecord) -> None:
    """Ask for the notes of the first nodes and for the values that were left in the file."""
    list(read_notes(model, graph.nodes[:ASKED_TENSORS]))
    for node in graph.nodes:
        for attribute in node.attributes:
            if isinstance(attribute.value, BulkValue):
                with contextlib.suppress(StudioError):
                    read_attribute_value(model, attribute)


def all_graphs(graph: GraphRecord) -> Iterator[GraphRecord]:
    pending = [graph]
    while pending:
        yield (found := pending.pop())
        pending.extend(nested for node in found.nodes for _, nested in node.subgraphs)


def outcome(path: Path, seconds: int) -> str:
    # Of the processor's time, since a busy machine takes longer; and of the clock's, in case it waits for something.
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(6 * seconds)
    try:
        return read_everything(path)
    except TooLongError:
        return "too long"
    except BaseException as error:  # noqa: BLE001 - what it may be is the question
        return f"crashed: {type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


def _out_of_time(_number: int, _frame: object) -> None:
    raise TooLongError


def main() -> None:
    folder, seconds, space = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    signal.signal(signal.SIGALRM, _out_of_time)
    signal.signal(signal.SIGPROF, _out_of_time)
    np.seterr(all="ignore")
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + space, used + space))
    for path in sorted(folder.iterdir()):
        start = time.process_time()
        result = outcome(path, seconds)
        row = {"name": path.name, "outcome": result, "seconds": round(time.process_time() - start, 3)}
        print(json.dumps(row), flush=True)  # noqa: T201 - what the test reads


if __name__ == "__main__":
    main()
