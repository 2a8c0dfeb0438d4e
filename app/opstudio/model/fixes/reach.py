"""What depends on a value: the nodes behind it and what they make, and constants among them that hold a size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from opstudio.base.errors import InputError
from opstudio.model.graph.records import ModelRecord, NodeRecord
from opstudio.model.graph.tensor_records import TensorRecord
from opstudio.model.graph.tensor_values import read_values
from opstudio.model.graph.value_index import Scope, index_model

_SHAPES = {"Reshape": 1, "Expand": 1, "Tile": 1, "ConstantOfShape": 0, "Resize": 3, "Slice": 2}
"""Standard operators and the input that says sizes. Source: their definitions in ONNX."""
_INT64 = 7
_MOST_SIZES = 64


def nodes_behind(model: ModelRecord, name: str) -> list[NodeRecord]:
    """Return the nodes of the main graph that a value of it reaches, directly or through others."""
    main = index_model(model).main
    reached: dict[int, NodeRecord] = {}
    pending = [name]
    seen = {name}
    while pending:
        for use in main.all_uses(pending.pop()):
            node = _in_main(main, use.scope, use.node)
            if node.offset in reached:
                continue
            reached[node.offset] = node
            fresh = [output for output in node.outputs if output and output not in seen]
            seen.update(fresh)
            pending.extend(fresh)
    return sorted(reached.values(), key=lambda node: node.offset)


def _in_main(main: Scope, scope: Scope, node: NodeRecord) -> NodeRecord:
    """Return the node of the main graph that a node stands in."""
    while scope is not main and scope.owner is not None and scope.parent is not None:
        node, scope = scope.owner, scope.parent
    return node


def constants_with(model: ModelRecord, nodes: Iterable[NodeRecord], size: int) -> Iterator[tuple[NodeRecord, str]]:
    """Yield the nodes whose constant shape holds a size, each with the shape in words."""
    constants = _constants(model)
    for node in nodes:
        slot = _SHAPES.get(node.type) if not node.domain else None
        if slot is None or slot >= len(node.inputs):
            continue
        tensor = constants.get(node.inputs[slot])
        if tensor is None or tensor.element_type != _INT64 or not 0 < tensor.element_count <= _MOST_SIZES:
            continue
        try:
            values = [int(value) for value in read_values(model, tensor, count=_MOST_SIZES)]
        except InputError:
            continue  # weights that cannot be read are told by a finding of their own
        if size in values:
            yield node, str(values)


def _constants(model: ModelRecord) -> Mapping[str, TensorRecord]:
    found = {tensor.name: tensor for tensor in model.graph.initializers}
    for node in model.graph.nodes:
        if (node.domain, node.type) == ("", "Constant") and node.outputs:
            value = next((item.value for item in node.attributes if item.name == "value"), None)
            if isinstance(value, TensorRecord):
                found[node.outputs[0]] = value
    return found
