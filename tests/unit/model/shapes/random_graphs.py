"""Graphs of a few nodes with shapes that fit or not, as chance has it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, ValueInfoProto, helper, numpy_helper  # noqa: TID253 - models are the subject

_SIZES: Sequence[int | str] = (1, 2, 3, 4, 4, 4, "n")
_KINDS = 14


class _Graph:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.count = 0
        self.inputs = [helper.make_tensor_value_info(self.name(), TensorProto.FLOAT, self.shape()) for _ in range(3)]
        self.values = [item.name for item in self.inputs]

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def shape(self) -> list[int | str]:
        return [self.chance.choice(_SIZES) for _ in range(self.chance.choice((1, 2, 2, 2, 3, 4)))]

    def value(self) -> str:
        return str(self.chance.choice(self.values[-4:]))

    def integers(self, *options: int, count: int = 1) -> str:
        return self.weight(np.array([self.chance.choice(options) for _ in range(count)], np.int64))

    def zeros(self, *shape: int) -> str:
        return self.weight(np.zeros(shape, np.float32))

    def weight(self, values: Any) -> str:
        self.weights.append(numpy_helper.from_array(values, self.name()))
        return str(self.weights[-1].name)

    def add(self, kind: str, *inputs: str, is_value: bool = True, **attributes: Any) -> str:
        output = self.name()
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=f"node {output}", **attributes))
        if is_value:
            self.values.append(output)
        return output


def random_model(chance: random.Random) -> ModelProto:
    """Return a model of two to seven steps at opset 18; some declare a shape or type that is wrong."""
    graph = _Graph(chance)
    for _ in range(chance.randrange(2, 8)):
        _add_step(graph, chance.randrange(_KINDS))
    declared = []
    if chance.random() < 0.3:
        kind = chance.choice((TensorProto.FLOAT, TensorProto.FLOAT, TensorProto.DOUBLE))
        declared.append(helper.make_tensor_value_info(graph.values[-1], kind, graph.shape()))
    flag = helper.make_tensor_value_info("flag", TensorProto.BOOL, [])
    outputs = [ValueInfoProto(name=graph.values[-1])]
    made = helper.make_graph(graph.nodes, "random", [*graph.inputs, flag], outputs, graph.weights, value_info=declared)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def _add_step(graph: _Graph, kind: int) -> None:
    chance, value = graph.chance, graph.value
    match kind:
        case 0 | 1:
            graph.add(chance.choice(("Add", "Mul", "Sub")), value(), value())
        case 2:
            graph.add("MatMul", value(), value())
        case 3:
            graph.add("MatMul", value(), graph.zeros(chance.choice((2, 3, 4)), 4))
        case 4:
            graph.add("Concat", value(), value(), axis=chance.choice((0, 1, -1)))
        case 5:
            graph.add("Reshape", value(), graph.integers(1, 2, 3, 4, -1, 0, count=chance.choice((1, 2, 3))))
        case 6:
            order: dict[str, Any] = {"perm": chance.choice(([1, 0], [0, 2, 1]))} if chance.random() < 0.6 else {}
            graph.add("Transpose", value(), **order)
        case 7:
            graph.add("Conv", value(), graph.zeros(4, chance.choice((3, 4)), 1, 1))
        case 8:
            graph.add("Gemm", value(), graph.zeros(4, 3), graph.zeros(chance.choice((1, 3, 4))))
        case 9:
            graph.add("Unsqueeze", value(), graph.integers(0, 1, 2))
        case 10:
            graph.add("Squeeze", value(), graph.integers(0, 1))
        case 11:
            graph.add("ReduceMean", value(), graph.integers(0, 1, 2), keepdims=chance.choice((0, 1)))
        case _:
            (_add_reshape_by_nodes, _add_branches)[kind % 2](graph)


def _add_branches(graph: _Graph) -> None:
    branches = {}
    for name in ("then_branch", "else_branch"):
        node = helper.make_node(graph.chance.choice(("Add", "MatMul")), [graph.value(), graph.value()], ["made"])
        branches[name] = helper.make_graph([node], name, [], [ValueInfoProto(name="made")])
    graph.add("If", "flag", **branches)


def _add_reshape_by_nodes(graph: _Graph) -> None:
    sizes = graph.add("Shape", graph.value(), is_value=False)
    if graph.chance.random() < 0.5:
        one = graph.add("Gather", sizes, graph.integers(0, 1), is_value=False)
        sizes = graph.add("Concat", one, graph.integers(-1, 2, 4), is_value=False, axis=0)
    graph.add("Reshape", graph.value(), sizes)
