"""The most telling attribute or shape of a node, in a few words.

Most operators are told by the names of their attributes, so that those of every domain are. Some of the standard
ones, which stand in every model, are told by what people ask of them first: windows, shapes of weights, new shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from opstudio.model.diagram.type_details import sizes_detail
from opstudio.model.graph.element_types import element_type_name
from opstudio.model.graph.records import AttributeValue, GraphRecord, NodeRecord
from opstudio.model.graph.tensor_records import TensorRecord
from opstudio.model.graph.value_index import Scope
from opstudio.model.graph.value_types import TensorType

_LONGEST = 48
"""Letters of a detail; longer ones are cut."""
_MOST_ITEMS = 6
_MOST_ATTRIBUTES = 2
_SECONDARY = frozenset(
    {
        "allowzero",
        "auto_pad",
        "ceil_mode",
        "coordinate_transformation_mode",
        "count_include_pad",
        "cubic_coeff_a",
        "epsilon",
        "extrapolation_value",
        "keepdims",
        "nearest_mode",
        "noop_with_empty_axes",
        "storage_order",
        "training_mode",
    }
)
"""Attributes that seldom tell nodes apart."""
_FEWEST_WEIGHT_SIZES = 3
"""Sizes of the weights of a convolution: two numbers of channels, and those of the window."""

_Attributes = Mapping[str, AttributeValue]


class NodeDetails:
    """Tells the nodes of one graph apart."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._shapes: dict[int, Mapping[str, tuple[int, ...]]] = {}

    def of(self, node: NodeRecord) -> str:
        """Return what tells a node from others of its type; empty where nothing does."""
        attributes = {item.name: item.value for item in node.attributes if not item.reference}
        tell = None if node.domain else _TELLERS.get(node.type)
        words = _first_attributes(attributes) if tell is None else tell(self, node, attributes)
        text = ", ".join(word for word in words if word)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

    def weight_shape(self, node: NodeRecord, slot: int) -> tuple[int, ...]:
        """Return the shape of an input that is an initializer; empty for others."""
        name = node.inputs[slot] if slot < len(node.inputs) else ""
        source = self._scope.source(name) if name else None
        if source is not None and source.node is not None and source.node.type == "Identity":
            # Weights that several modules have in common are handed on by such nodes.
            name = source.node.inputs[0] if source.node.inputs else ""
        scope = self._scope.defining(name)
        if scope is None:
            return ()
        if id(scope) not in self._shapes:
            tensors = scope.content.initializers if isinstance(scope.content, GraphRecord) else ()
            self._shapes[id(scope)] = {tensor.name: tensor.shape for tensor in tensors}
        return self._shapes[id(scope)].get(name, ())

    def output_shape(self, node: NodeRecord) -> str:
        """Return the shape of the first output, as far as the file states it."""
        kind = self._scope.type_of(node.outputs[0]) if node.outputs and node.outputs[0] else None
        return f"→ {sizes_detail(kind.shape)}" if isinstance(kind, TensorType) and kind.shape else ""


def _first_attributes(attributes: _Attributes) -> Iterator[str]:
    """Yield the first attributes whose values are short."""
    count = 0
    for name, value in attributes.items():
        text = "" if name in _SECONDARY else _text(value)
        if text:
            yield f"{name.removesuffix('_branch')} {text}"
            count += 1
        if count == _MOST_ATTRIBUTES:
            return


def _text(value: AttributeValue) -> str:
    match value:
        case float():
            return f"{value:.4g}"
        case int():
            return str(value)
        case str() if value.isprintable():
            return value
        case tuple() if 0 < len(value) <= _MOST_ITEMS and all(isinstance(item, int | float) for item in value):
            return " ".join(_text(item) for item in value)
        case TensorRecord(shape=shape, element_type=element_type):
            return f"{sizes_detail(shape) or 'scalar'} {element_type_name(element_type)}"
        case GraphRecord(nodes=nodes):
            return f"{len(nodes):,} nodes" if len(nodes) != 1 else "1 node"
    return ""


def _integers(attributes: _Attributes, name: str) -> tuple[int, ...]:
    value = attributes.get(name)
    items = value if isinstance(value, tuple) else (value,)
    return tuple(item for item in items if isinstance(item, int))


def _same_or_all(sizes: tuple[int, ...]) -> str:
    return str(sizes[0]) if len(set(sizes)) == 1 else sizes_detail(sizes)


def _window(details: NodeDetails, node: NodeRecord, attributes: _Attributes) -> Iterator[str]:
    shape = details.weight_shape(node, 1) if "Conv" in node.type else ()
    groups = max(sum(_integers(attributes, "group")[:1]), 1)
    yield sizes_detail(_integers(attributes, "kernel_shape") or shape[2:])
    if len(shape) >= _FEWEST_WEIGHT_SIZES:
        channels = (shape[0], shape[1] * groups) if node.type == "ConvTranspose" else (shape[1] * groups, shape[0])
        yield f"{channels[0]}→{channels[1]}"
    for name, word in (("strides", "stride"), ("dilations", "dilation")):
        steps = _integers(attributes, name)
        if any(step != 1 for step in steps):
            yield f"{word} {_same_or_all(steps)}"
    if groups > 1:
        yield f"{groups} groups"


def _weight(slots: tuple[int, ...], details: NodeDetails, node: NodeRecord, attributes: _Attributes) -> Iterator[str]:
    """Tell the shape of the first of some inputs that is a weight; where none is, the new shape."""
    del attributes
    shapes = [shape for slot in slots if (shape := details.weight_shape(node, slot))]
    yield sizes_detail(shapes[0]) if shapes else details.output_shape(node)


def _new_shape(details: NodeDetails, node: NodeRecord, attributes: _Attributes) -> Iterator[str]:
    shape = details.output_shape(node)
    yield from (shape,) if shape else _first_attributes(attributes)


def _new_type(details: NodeDetails, node: NodeRecord, attributes: _Attributes) -> Iterator[str]:
    del details, node
    yield from (f"to {element_type_name(code)}" for code in _integers(attributes, "to"))


def _nothing(details: NodeDetails, node: NodeRecord, attributes: _Attributes) -> Iterator[str]:
    del details, node, attributes
    yield from ()


_TELLERS: Mapping[str, Callable[[NodeDetails, NodeRecord, _Attributes], Iterator[str]]] = {
    **dict.fromkeys(("Conv", "ConvInteger", "ConvTranspose", "AveragePool", "LpPool", "MaxPool"), _window),
    "QLinearConv": _window,
    "MatMul": partial(_weight, (1, 0)),
    "Gemm": partial(_weight, (1, 0)),
    "Gather": partial(_weight, (0,)),
    "LayerNormalization": partial(_weight, (1,)),
    "BatchNormalization": partial(_weight, (1,)),
    **dict.fromkeys(("Expand", "Flatten", "Pad", "Reshape", "Resize", "Slice", "Squeeze", "Tile"), _new_shape),
    "Unsqueeze": _new_shape,
    "Cast": _new_type,
    "Shape": _nothing,
}
