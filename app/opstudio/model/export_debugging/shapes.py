"""Shapes that a file states, against those of the run in PyTorch: behind a custom node exporters lose them.

Nobody can infer the shape of a node that only its library knows. TorchScript makes up names for dimensions then
(``Swish3_dim_0``); the dynamo exporter writes what the Meta kernel says, be it right or wrong.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from opstudio.model.export_debugging.eager_records import CustomCall
from opstudio.model.export_debugging.origins import FileNode
from opstudio.model.export_debugging.records import ShapeFault
from opstudio.model.export_request import ExportRecord
from opstudio.model.summary_records import Dimension

_INVENTED = re.compile(r"\w+_dim_\d+")

Shapes = Mapping[str, tuple[Dimension, ...] | None]


def shape_faults(
    record: ExportRecord, model: Any, nodes: Sequence[FileNode], calls: Sequence[CustomCall]
) -> tuple[ShapeFault, ...]:
    """Return what is wrong with the shapes of a file, from its first node on."""
    stated = _stated(model)
    outputs = {item.name for item in model.graph.output}
    return (*_behind_nodes(record, stated, nodes, calls, outputs), *_of_outputs(record, stated, nodes))


def _behind_nodes(
    record: ExportRecord, stated: Shapes, nodes: Sequence[FileNode], calls: Sequence[CustomCall], outputs: set[str]
) -> Iterator[ShapeFault]:
    """Look at what custom nodes give; outputs of the file are looked at apart, where other sizes are known as well."""
    seen: Counter[str] = Counter()
    for node in nodes:
        operator = node.origin.operator
        own = [call for call in calls if call.operator == operator] if node.is_custom else []
        if not own:
            continue
        call = own[min(seen[operator], len(own) - 1)]
        seen[operator] += 1
        for name, note in zip(node.outputs, call.outputs, strict=False):
            if name in outputs:
                continue
            shape = stated.get(name)
            wrong_rank = shape is None or len(shape) != len(note.sizes)
            fixed = not record.request.dynamic and _differs(shape, note.sizes, note.sizes, set())
            if wrong_rank or fixed:
                yield _fault(name, node, shape, note.sizes, is_rank=wrong_rank)


def _of_outputs(record: ExportRecord, stated: Shapes, nodes: Sequence[FileNode]) -> Iterator[ShapeFault]:
    names = [item.name for item in record.summary.outputs] if record.summary else []
    asked = {item.name for item in record.request.dynamic}
    resized = record.resized.outputs if record.resized and not record.resized.error else record.eager.outputs
    for name, expected, other in zip(names, record.eager.outputs, resized, strict=False):
        shape = stated.get(name)
        wrong_rank = shape is None or len(shape) != len(expected)
        if wrong_rank or _differs(shape, expected, other, asked):
            yield _fault(name, _nearest_custom(name, nodes), shape, expected, is_rank=wrong_rank)


def _nearest_custom(value: str, nodes: Sequence[FileNode]) -> FileNode | None:
    """Return the custom node behind which a value lies, the nearest one; else the node that gives it."""
    producers = {name: node for node in nodes for name in node.outputs}
    waiting, seen = deque([value]), set[str]()
    while waiting:
        name = waiting.popleft()
        node = producers.get(name)
        if node is None or name in seen:
            continue
        if node.is_custom:
            return node
        seen.add(name)
        waiting.extend(node.inputs)
    return producers.get(value)


def _fault(
    value: str,
    node: FileNode | None,
    shape: tuple[Dimension, ...] | None,
    expected: tuple[int, ...],
    *,
    is_rank: bool,
) -> ShapeFault:
    return ShapeFault(
        value=value,
        node=node.origin.node if node else "",
        operator=node.origin.operator if node else "",
        found="" if shape is None else _text(shape),
        expected=_text(expected),
        is_rank=is_rank,
    )


def _differs(
    shape: tuple[Dimension, ...] | None, expected: Sequence[int], other: Sequence[int], asked: set[str]
) -> bool:
    """Whether a dimension cannot be that of the run; those that vary, by ``other``, are another matter (EXP018)."""
    return any(
        size == changed and (found != size if isinstance(found, int) else _is_invented(found, asked))
        for found, size, changed in zip(shape or (), expected, other, strict=False)
    )


def _is_invented(name: str, asked: set[str]) -> bool:
    return name not in asked and _INVENTED.fullmatch(name) is not None


def _stated(model: Any) -> dict[str, tuple[Dimension, ...] | None]:
    values = [*model.graph.value_info, *model.graph.output, *model.graph.input]
    return {item.name: _shape(item) for item in values}


def _shape(value: Any) -> tuple[Dimension, ...] | None:
    tensor = value.type.tensor_type
    if not tensor.HasField("shape"):
        return None
    return tuple(
        dimension.dim_value if dimension.HasField("dim_value") else dimension.dim_param
        for dimension in tensor.shape.dim
    )


def _text(shape: Sequence[Dimension]) -> str:
    return f"[{', '.join(map(str, shape))}]"
