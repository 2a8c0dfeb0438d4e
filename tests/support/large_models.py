"""Models with as many nodes as wanted, shaped like real ones: encoders of transformers, nets of branching convolutions.

Weights are of one element each, so that the size of a file is that of its graph. Some nodes are of a custom domain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx  # noqa: TID253 - models are what this is about
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253

DOMAIN = "com.acme"
_OPSET = 17
_BLOCKS_PER_STAGE = 8


class _Graph:
    """Nodes and weights, added one after the other."""

    def __init__(self, custom_every: int) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.custom_every = custom_every
        self.long_skips: list[str] = []

    def weight(self, name: str, values: Any = (1.0,), kind: Any = np.float32) -> str:
        unique = f"{name}.{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values, dtype=kind), unique))
        return unique

    def add(self, kind: str, inputs: list[str], scope: str, *, domain: str = "", **attributes: Any) -> str:
        name = f"{scope}/{kind}_{len(self.nodes)}"
        made = f"{name}_output_0"
        self.nodes.append(helper.make_node(kind, inputs, [made], name=name, domain=domain, **attributes))
        return made

    def is_custom(self, block: int) -> bool:
        return bool(self.custom_every) and block % self.custom_every == 0


def _transformer_block(graph: _Graph, value: str, number: int) -> str:
    """About forty nodes, as exporters write attention and a feed-forward net in small operators."""
    scope = f"/model/layers.{number}"
    attention, net = f"{scope}/self_attn", f"{scope}/mlp"
    normal = _layer_norm(graph, value, f"{scope}/input_layernorm")
    query, key, seen = (_heads(graph, normal, f"{attention}/{name}") for name in ("q_proj", "k_proj", "v_proj"))
    turned = graph.add("Transpose", [key], attention, perm=[0, 1, 3, 2])
    scores = graph.add("MatMul", [query, turned], attention)
    scaled = graph.add("Mul", [scores, graph.weight(f"{attention}/scale")], attention)
    masked = graph.add("Add", [scaled, "attn_mask"], attention)
    weights = graph.add("Softmax", [masked], attention, axis=-1)
    mixed = graph.add("MatMul", [weights, seen], attention)
    joined = graph.add("Transpose", [mixed], attention, perm=[0, 2, 1, 3])
    shape = graph.weight(f"{attention}/shape", [0, 0, -1], np.int64)
    flat = graph.add("Reshape", [joined, shape], attention)
    value = graph.add("Add", [value, _linear(graph, flat, f"{attention}/o_proj")], scope)
    normal = _layer_norm(graph, value, f"{scope}/post_attention_layernorm")
    wide = _linear(graph, normal, f"{net}/up_proj")
    if graph.is_custom(number):
        bent = graph.add("FusedGelu", [wide], net, domain=DOMAIN, alpha=0.5)
    else:
        inner = graph.add("Erf", [graph.add("Div", [wide, graph.weight(f"{net}/sqrt2")], net)], net)
        shifted = graph.add("Add", [inner, graph.weight(f"{net}/one")], net)
        bent = graph.add("Mul", [wide, shifted], net)
    return graph.add("Add", [value, _linear(graph, bent, f"{net}/down_proj")], scope)


def _layer_norm(graph: _Graph, value: str, scope: str) -> str:
    centred = graph.add("Sub", [value, graph.add("ReduceMean", [value], scope, axes=[-1])], scope)
    squared = graph.add("Pow", [centred, graph.weight(f"{scope}/two")], scope)
    spread = graph.add("ReduceMean", [squared], scope, axes=[-1])
    root = graph.add("Sqrt", [graph.add("Add", [spread, graph.weight(f"{scope}/eps")], scope)], scope)
    scaled = graph.add("Mul", [graph.add("Div", [centred, root], scope), graph.weight(f"{scope}/weight")], scope)
    return graph.add("Add", [scaled, graph.weight(f"{scope}/bias")], scope)


def _linear(graph: _Graph, value: str, scope: str) -> str:
    product = graph.add("MatMul", [value, graph.weight(f"{scope}/weight", [[1.0]])], scope)
    return graph.add("Add", [product, graph.weight(f"{scope}/bias")], scope)


def _heads(graph: _Graph, value: str, scope: str) -> str:
    shape = graph.weight(f"{scope}/shape", [0, 0, -1, 1], np.int64)
    split = graph.add("Reshape", [_linear(graph, value, scope), shape], scope)
    return graph.add("Transpose", [split], scope, perm=[0, 2, 1, 3])


def _convolution_block(graph: _Graph, value: str, number: int) -> str:
    """Four branches that meet, with a connection around them; now and then one from far above."""
    scope = f"/backbone/stage{number // _BLOCKS_PER_STAGE}/block{number % _BLOCKS_PER_STAGE}"
    first = _convolution(graph, value, f"{scope}/b1", 1, number)
    second, third = value, value
    for depth in range(2):
        second = _convolution(graph, second, f"{scope}/b2{depth}", 3, number)
    for depth in range(3):
        third = _convolution(graph, third, f"{scope}/b3{depth}", 3, number)
    pooled = graph.add("MaxPool", [value], f"{scope}/b4", kernel_shape=[3, 3], pads=[1] * 4)
    fourth = _convolution(graph, pooled, f"{scope}/b4p", 1, number)
    joined = graph.add("Concat", [first, second, third, fourth], scope, axis=1)
    value = graph.add("Add", [value, _convolution(graph, joined, f"{scope}/proj", 1, number, channels=4)], scope)
    if number % _BLOCKS_PER_STAGE == _BLOCKS_PER_STAGE - 1:
        graph.long_skips.append(value)
        if len(graph.long_skips) > 2:
            neck = graph.add("Concat", [value, graph.long_skips[-3]], f"{scope}/neck", axis=1)
            value = _convolution(graph, neck, f"{scope}/neck", 1, number, channels=2)
    return value


def _convolution(graph: _Graph, value: str, scope: str, size: int, number: int, channels: int = 1) -> str:
    weights = [graph.weight(f"{scope}/weight", np.ones((1, channels, size, size)))]
    made = graph.add("Conv", [value, *weights], scope, kernel_shape=[size, size], pads=[size // 2] * 4)
    statistics = [graph.weight(f"{scope}/{name}") for name in ("scale", "bias", "mean", "variance")]
    normal = graph.add("BatchNormalization", [made, *statistics], scope)
    if graph.is_custom(number):
        return graph.add("SwishX", [normal], scope, domain=DOMAIN)
    return graph.add("Mul", [normal, graph.add("Sigmoid", [normal], scope)], scope)


_BLOCKS: Mapping[str, tuple[Callable[[_Graph, str, int], str], tuple[tuple[str, list[Any]], ...]]] = {
    "transformer": (_transformer_block, (("input", [1, "seq", 1]), ("attn_mask", [1, 1, "seq", "seq"]))),
    "cnn": (_convolution_block, (("input", [1, 1, 64, 64]),)),
}
SHAPES = tuple(_BLOCKS)


def write_large_model(path: Path, shape: str, nodes: int, custom_every: int = 0) -> Path:
    """Write a model with at least so many nodes; ``custom_every`` blocks one has nodes of a custom domain."""
    add_block, inputs = _BLOCKS[shape]
    graph, value, number = _Graph(custom_every), "input", 0
    while len(graph.nodes) < nodes:
        value = add_block(graph, value, number)
        number += 1
    made = helper.make_graph(
        graph.nodes,
        shape,
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes) for name, sizes in inputs],
        [helper.make_tensor_value_info(value, TensorProto.FLOAT, [None] * len(inputs[0][1]))],
        graph.weights,
    )
    domains = ["", DOMAIN] if custom_every else [""]
    opsets = [helper.make_opsetid(domain, 1 if domain else _OPSET) for domain in domains]
    onnx.save(helper.make_model(made, opset_imports=opsets, ir_version=9), path)
    return path
