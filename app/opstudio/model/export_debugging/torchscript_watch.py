"""What the TorchScript exporter does while it exports: which operator it translates, into which nodes.

Source: ``torch.onnx._internal.torchscript_exporter.utils`` of PyTorch 2.13, whose function that runs a symbolic is
called from C++ once for each node of the traced graph. Where a release lacks it, nothing is known, and nothing fails.
"""

from __future__ import annotations

import contextlib
import importlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from opstudio.model.export_debugging.lines import UserLines, source_line
from opstudio.model.export_debugging.records import Specialization

_MODULE = "torch.onnx._internal.torchscript_exporter.utils"
_TRANSLATE = "_run_symbolic_function"
_LOGGING = "setup_onnx_logging"
_WARNED = re.compile(
    r"TracerWarning: Converting a tensor to a Python (?P<kind>\w+).*\((?P<file>[^()]+):(?P<line>\d+)\)\s*$", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedNode:
    """A node of the traced graph. ``written`` are the types of the nodes that it became, ``stack`` its source range."""

    operator: str
    scope: str
    stack: str
    written: tuple[str, ...]
    failed: bool = False


class TorchScriptWatch:
    """Hears of each node that is translated."""

    def __init__(self) -> None:
        self.nodes: list[TracedNode] = []

    @property
    def failed_at(self) -> TracedNode | None:
        """The node whose translation raised."""
        return next((item for item in self.nodes if item.failed), None)

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Listen to the exporter."""
        try:
            utils: Any = importlib.import_module(_MODULE)
        except ImportError:
            yield
            return
        original = getattr(utils, _TRANSLATE, None)
        if original is None:
            yield
            return

        def translate(graph: Any, block: Any, node: Any, *rest: Any, **named: Any) -> Any:
            new_nodes = rest[3] if len(rest) > 3 else named.get("new_nodes", [])  # noqa: PLR2004 - its position
            before = len(new_nodes)
            failed = True
            try:
                result = original(graph, block, node, *rest, **named)
                failed = False
            finally:
                self._note(node, [item.kind() for item in new_nodes[before:]], failed=failed)
            return result

        with _replaced(utils, _TRANSLATE, translate), _replaced(utils, _LOGGING, _silent):
            yield

    def _note(self, node: Any, written: list[str], *, failed: bool) -> None:
        self.nodes.append(
            TracedNode(
                operator=node.kind(),
                scope=node.scopeName(),
                stack=str(node.sourceRange()),
                written=tuple(map(_type_name, written)),
                failed=failed,
            )
        )


@contextlib.contextmanager
def _replaced(module: Any, name: str, value: Any) -> Iterator[None]:
    original = getattr(module, name, None)
    if original is None:
        yield
        return
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, original)


def _silent(_verbose: bool) -> contextlib.AbstractContextManager[None]:  # noqa: FBT001 - the signature is PyTorch's
    """Take the place of what prints the graph to standard output whenever source lines are to be kept."""
    return contextlib.nullcontext()


def _type_name(kind: str) -> str:
    """Return a node's type as summaries write it: ``Gemm``, ``lab:Swish``."""
    return kind.removeprefix("onnx::").replace("::", ":", 1)


def warned_specializations(warnings: Iterable[str], lines: UserLines) -> list[Specialization]:
    """Return the lines at which the tracer warned that a tensor became a Python number."""
    found = [match for text in warnings if (match := _WARNED.search(text)) is not None]
    return [
        Specialization(
            dimension="",
            value="",
            at=source_line(match["file"], int(match["line"])),
            said=f"a tensor became a Python {match['kind']}, which is that of the example for all inputs",
        )
        for match in found
        if lines.owns(match["file"])
    ]
