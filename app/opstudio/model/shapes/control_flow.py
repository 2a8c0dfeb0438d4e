"""What control flow hands to its nested graphs, and what it makes of their outputs."""

from __future__ import annotations

from collections.abc import Sequence

from opstudio.model.graph.records import GraphRecord, NodeRecord
from opstudio.model.runtime.element_types import element_type_text
from opstudio.model.runtime.type_texts import element_of
from opstudio.model.shapes.known_values import NOT_KNOWN
from opstudio.model.shapes.node_asking import KnownType

_INT64, _BOOL = element_type_text(7), element_type_text(9)


def as_computed(known: KnownType) -> KnownType:
    """Return the same as something that follows from what the runtime computes when it optimises."""
    return KnownType(known.type, known.shape, computed=True)


def branch_taken(condition: bytes, node: NodeRecord) -> int:
    """Return which of the nested graphs of an If is taken; −1 where the condition, a tensor, is not known."""
    import onnx

    if not condition:
        return -1
    values = onnx.numpy_helper.to_array(onnx.TensorProto.FromString(condition))
    if values.size != 1:
        return -1
    wanted = "then_branch" if values.item() else "else_branch"
    return next((number for number, (name, _) in enumerate(node.subgraphs) if name == wanted), -1)


def either(branches: Sequence[KnownType]) -> KnownType:
    """Return what is known of a value that one of several branches makes."""
    first = branches[0]
    if any(known.type != first.type for known in branches):
        return NOT_KNOWN
    shapes = {known.shape for known in branches}
    computed = any(known.computed for known in branches)
    if len(shapes) == 1:
        return KnownType(first.type, first.shape, computed)
    if None in shapes or len({len(shape or ()) for shape in shapes}) > 1:
        return KnownType(first.type, None, computed)
    sizes = zip(*(shape or () for shape in shapes), strict=True)
    merged = tuple(options[0] if len(set(options)) == 1 else None for options in sizes)
    return KnownType(first.type, merged, computed)


def stacked(known: KnownType) -> KnownType:
    """Return what a loop makes of the values of all turns."""
    return KnownType(known.type, None if known.shape is None else (None, *(None for _ in known.shape)))


def handed(node: NodeRecord, inputs: Sequence[KnownType], graph: GraphRecord) -> Sequence[KnownType]:
    """Return what control flow hands to a nested graph. Shapes may change with every turn of a loop.

    Source: ONNX's definitions of Loop (iteration number, condition, carried values) and Scan (states, then slices).
    """
    types = [KnownType(known.type) for known in inputs]
    if node.type == "Loop":
        return (KnownType(_INT64, ()), KnownType(_BOOL, ()), *types[2:])
    if node.type == "Scan":
        return types[-len(graph.inputs) :] if graph.inputs else ()
    if node.type == "SequenceMap":
        return [KnownType(element_of(known.type) or known.type) for known in inputs]
    return ()
