"""What the dynamo exporter says while it exports: sizes that become numbers, and the graph node that it fails at.

Source: the messages of ``torch.fx.experimental.symbolic_shapes`` of PyTorch 2.13. They are written while the person's
code runs, so that the line is the one on the stack. Where a release words them otherwise, nothing is known.
"""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Iterator
from typing import Any

from opstudio.model.export_debugging.eager_records import SourceLine
from opstudio.model.export_debugging.lines import UserLines
from opstudio.model.export_debugging.records import Specialization

_LOGGER = "torch.fx.experimental.symbolic_shapes"
_SYMBOL = re.compile(r"create_symbol (?P<symbol>\w+) = \d+ for L\['(?P<input>\w+)'\]\.size\(\)\[(?P<axis>\d+)\]")
_GUARD = re.compile(r"(?:eval|runtime_assert) (?P<said>.+?) \[guard added\]")
_FIXED = re.compile(r"_update_var_to_range (?P<symbol>\w+) = VR\[(?P<least>\d+), (?P<most>\d+)\]")


class DynamoWatch(logging.Handler):
    """Hears what is said of symbolic sizes."""

    def __init__(self, lines: UserLines) -> None:
        super().__init__(logging.DEBUG)
        self._lines = lines
        self._symbols: dict[str, str] = {}
        self._guard: tuple[str, SourceLine | None] = ("", None)
        self.specializations: list[Specialization] = []

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Listen to the exporter; what it says is not printed meanwhile."""
        logger = logging.getLogger(_LOGGER)
        before = (logger.level, logger.propagate, list(logger.handlers))
        logger.handlers, logger.propagate = [self], False
        logger.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            logger.level, logger.propagate, logger.handlers = before
            logger.setLevel(before[0])

    def emit(self, record: logging.LogRecord) -> None:
        """Take a message."""
        text = record.getMessage()
        if (found := _SYMBOL.search(text)) is not None:
            self._symbols[found["symbol"]] = f"axis {found['axis']} of {found['input']}"
        elif (found := _GUARD.search(text)) is not None:
            self._guard = (found["said"], self._lines.now())
        elif (found := _FIXED.search(text)) is not None and found["least"] == found["most"]:
            self._fix(found["symbol"], found["least"])

    def _fix(self, symbol: str, value: str) -> None:
        # The exporter tries again in another way, in which inputs have no names: what is known is known by then.
        if (dimension := self._symbols.get(symbol)) is None:
            return
        said, at = self._guard
        for name, meaning in self._symbols.items():
            said = re.sub(rf"\b{name}\b", meaning, said)
        self.specializations.append(Specialization(dimension=dimension, value=value, at=at, said=said))


def failing_graph_node(error: BaseException) -> Any | None:
    """Return the FX node that the exporter translated when it failed, from the frames of the errors' chain."""
    import torch

    nodes = [value for variables in _frames(error) if isinstance(value := variables.get("node"), torch.fx.Node)]
    return next((node for node in reversed(nodes) if node.op == "call_function"), None)


def program_of(error: BaseException) -> Any | None:
    """Return the exported program that the exporter had when it failed, from the frames of the errors' chain."""
    import torch

    for variables in _frames(error):
        for name in ("decomposed_program", "program"):
            if isinstance(value := variables.get(name), torch.export.ExportedProgram):
                return value
    return None


def _frames(error: BaseException) -> Iterator[dict[str, Any]]:
    """Yield the variables of each frame of a chain of errors."""
    current: BaseException | None = error
    seen: set[int] = set()
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        trace = current.__traceback__
        while trace is not None:
            yield trace.tb_frame.f_locals
            trace = trace.tb_next
        current = current.__cause__ or current.__context__


def target_name(node: Any) -> str:
    """Return the operator of an FX node: ``lab::swish``; of one that was wrapped to be without effects, its own."""
    target = node.target
    if getattr(target, "__name__", "").startswith("auto_functionalized") and node.args:
        target = node.args[0]
    schema = getattr(target, "_schema", None)
    return str(schema.name) if schema is not None else str(getattr(target, "__name__", target))


def captured_operators(program: Any) -> list[tuple[str, str]]:
    """Return the operators of an exported program in order, each with the stack trace of its node."""
    import torch

    kind = torch._ops.OperatorBase  # noqa: SLF001 - no public form
    return [
        (target_name(node), node.meta.get("stack_trace") or "")
        for node in program.graph_module.graph.nodes
        if node.op == "call_function" and isinstance(node.target, kind)
    ]
