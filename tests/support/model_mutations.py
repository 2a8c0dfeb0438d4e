"""Damage to what a model means: its messages are sound, and say what no exporter would."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from onnx import AttributeProto, ModelProto, SparseTensorProto, TensorProto, helper  # noqa: TID253 - models

LARGEST, LEAST = (1 << 63) - 1, -(1 << 63)
SIZES = (0, -1, LEAST, LARGEST, 1 << 62, 1 << 31, 3)
LOCATIONS = (
    *("../outside.bin", "/etc/passwd", "/dev/zero", "/proc/self/mem", "link.bin", "w.bin", "nowhere.bin", ".", ""),
    *("..\\outside.bin", "C:\\w.bin", "w.bin/x", "a" * 5000, "w\n.bin", "./w.bin", "~/w.bin"),
)
NUMBERS = ("0", "-1", "8", str(LARGEST), str(1 << 64), "9" * 5000, "0x8", "1e9", "", " 4", "٣")
Mutation = Callable[[random.Random, ModelProto], None]


def _graphs(model: ModelProto) -> list[Any]:
    found, pending = [], [model.graph]
    while pending:
        found.append(graph := pending.pop())
        pending.extend(item.g for node in graph.node for item in node.attribute if item.HasField("g"))
    return found


def _bodies(model: ModelProto) -> list[Any]:
    """Return everything with nodes: graphs and functions."""
    return [body for body in (*_graphs(model), *model.functions) if body.node]


def _nodes(model: ModelProto) -> list[Any]:
    return [node for body in _bodies(model) for node in body.node]


def _swap_nodes(chance: random.Random, model: ModelProto) -> None:
    nodes = chance.choice(_bodies(model)).node
    order = list(nodes)
    chance.shuffle(order)
    copies = [type(node).FromString(node.SerializeToString()) for node in order]
    del nodes[:]
    nodes.extend(copies)


def _copy_node(chance: random.Random, model: ModelProto) -> None:
    body = chance.choice(_bodies(model))
    copied = chance.choice(list(body.node)).SerializeToString()
    for _ in range(chance.choice((1, 20))):
        body.node.add().ParseFromString(copied)


def _cycle(chance: random.Random, model: ModelProto) -> None:
    """Let a node read what the last one makes, or itself."""
    body = chance.choice(_bodies(model))
    reader = chance.choice(list(body.node))
    made = [name for node in (body.node[-1], reader) for name in node.output if name]
    if made:
        reader.input.append(chance.choice(made))


def _dangle(chance: random.Random, model: ModelProto) -> None:
    """Give inputs of nodes names that nothing makes."""
    for node in _nodes(model):
        for slot in range(len(node.input)):
            if chance.random() < 0.5:
                node.input[slot] = node.input[slot][:-1] + chance.choice(("", "_", "x", "\x00"))


def _call_in_circles(chance: random.Random, model: ModelProto) -> None:
    """Add functions that call one another, or themselves, and a call of the first one."""
    count = chance.choice((1, 2, 3, 90))
    branches = chance.choice((1, 2, 3))
    for number in range(count):
        name, called = f"circle{number}", f"circle{(number + 1) % count}"
        body = [helper.make_node(called, ["x"], [f"y{index}"], domain="circles") for index in range(branches)]
        imports = [helper.make_opsetid("circles", 1)]
        model.functions.append(helper.make_function("circles", name, ["x"], ["y0"], body, imports))
    model.opset_import.append(helper.make_opsetid("circles", 1))
    model.graph.node.append(helper.make_node("circle0", ["x"], ["round"], domain="circles"))


def _sizes(chance: random.Random, model: ModelProto) -> None:
    """Give tensors and values sizes that nobody has."""
    for tensor in (tensor for graph in _graphs(model) for tensor in graph.initializer):
        if chance.random() < 0.5:
            tensor.dims[:] = [chance.choice(SIZES) for _ in range(chance.choice((0, 1, 2, 60, 1000)))]
    for graph in _graphs(model):
        for value in (*graph.input, *graph.output, *graph.value_info):
            shape = value.type.tensor_type.shape
            for _ in range(chance.choice((0, 1, 200))):
                shape.dim.add(dim_value=chance.choice(SIZES))
            for size in shape.dim:
                if chance.random() < 0.3:
                    size.dim_value = chance.choice(SIZES)


def _data(chance: random.Random, model: ModelProto) -> None:
    """Give tensors more or fewer bytes than their sizes need, also those of types that share bytes."""
    for tensor in (tensor for graph in _graphs(model) for tensor in graph.initializer):
        if chance.random() < 0.3:
            tensor.data_type = chance.choice((0, 7, 8, 21, 22, 23, 25, 26, 99, -1, (1 << 31) - 1))
        if tensor.HasField("raw_data"):
            tensor.raw_data = chance.choice((tensor.raw_data[:-1], tensor.raw_data + b"\x00", b"", b"\xff" * 3000))
        elif chance.random() < 0.5:
            tensor.int32_data.extend([-1] * chance.choice((1, 7)))


def _element_types(chance: random.Random, model: ModelProto) -> None:
    for graph in _graphs(model):
        for value in (*graph.input, *graph.output, *graph.value_info):
            if chance.random() < 0.5:
                value.type.tensor_type.elem_type = chance.choice((0, -1, 8, 16, 21, 22, 24, 99, (1 << 31) - 1))


def _attributes(chance: random.Random, model: ModelProto) -> None:
    """Give attributes another kind than they hold, several values, or none; add ones that others decide by."""
    for node in _nodes(model):
        for attribute in node.attribute:
            if chance.random() < 0.4:
                attribute.type = chance.choice(list(AttributeProto.AttributeType.values()))
            if chance.random() < 0.2:
                attribute.ref_attr_name = chance.choice(("gain", "nowhere", attribute.name))
        for name in ("to", "axis", "num_outputs", "value", "perm", "dtype", "num_scan_inputs"):
            if chance.random() < 0.3:
                node.attribute.add(name=name, type=AttributeProto.INT, i=chance.choice(SIZES))


def _imports(chance: random.Random, model: ModelProto) -> None:
    """Take imports away, give them other versions, repeat them, or add many."""
    imports = model.opset_import
    action = chance.randrange(5)
    if action == 0:
        del imports[:]
    elif action == 1:
        imports.extend([helper.make_opsetid("", version) for version in (1, LARGEST, 18, 0, -1)])
    elif action == 2:
        for item in imports:
            item.version = chance.choice((0, LARGEST, 1, 7, 999, -1, LEAST))
    else:
        count = 30 if action == 3 else 2000
        imports.extend(helper.make_opsetid(f"domain{number}", number) for number in range(count))
    model.ir_version = chance.choice((model.ir_version, model.ir_version, 0, -1, 3, 99, LARGEST))


def _outside(chance: random.Random, model: ModelProto) -> None:
    """Let weights lie elsewhere, at offsets and lengths that are none."""
    for tensor in (tensor for graph in _graphs(model) for tensor in graph.initializer):
        tensor.data_location = TensorProto.EXTERNAL
        del tensor.external_data[:]
        for key, texts in (("location", LOCATIONS), ("offset", NUMBERS), ("length", NUMBERS)):
            if chance.random() < 0.8:
                tensor.external_data.add(key=key, value=chance.choice(texts))


def _sparse(chance: random.Random, model: ModelProto) -> None:
    """Add sparse tensors whose indices lie outside, are too few or many, or of another type."""
    for number in range(3):
        sparse = SparseTensorProto(dims=[chance.choice(SIZES) for _ in range(chance.choice((0, 1, 2, 40)))])
        values = [1.0] * chance.choice((0, 1, 4))
        sparse.values.CopyFrom(helper.make_tensor(f"sparse{number}", TensorProto.FLOAT, [len(values)], values))
        kind = chance.choice((TensorProto.INT64, TensorProto.INT32, TensorProto.FLOAT, TensorProto.STRING))
        indices = TensorProto(name="places", data_type=kind, dims=[chance.choice(SIZES), 2])
        indices.int64_data.extend(chance.choice(SIZES) for _ in range(chance.choice((0, 1, 8))))
        sparse.indices.CopyFrom(indices)
        model.graph.sparse_initializer.append(sparse)
        model.graph.node.append(helper.make_node("Abs", [f"sparse{number}"], [f"dense{number}"]))


def _names(chance: random.Random, model: ModelProto) -> None:
    """Give nodes, values and domains names that break out of where they are shown, or are very long."""
    texts = ("", "a\x00b", "\x1b[2J", "]]>", "<svg onload=x>", "[bold]", "\u202e", "x" * 60_000, "\ud7ff", "{0}%s\r\n")
    for node in _nodes(model):
        for name in ("name", "op_type", "domain", "overload"):
            if chance.random() < 0.25:
                setattr(node, name, chance.choice(texts))
        for names in (node.input, node.output):
            for slot in range(len(names)):
                if chance.random() < 0.2:
                    names[slot] = chance.choice(texts)


MODEL_MUTATIONS: dict[str, Mutation] = {
    "swap nodes": _swap_nodes,
    "copy node": _copy_node,
    "cycle": _cycle,
    "dangle": _dangle,
    "circles": _call_in_circles,
    "sizes": _sizes,
    "data": _data,
    "element types": _element_types,
    "attributes": _attributes,
    "imports": _imports,
    "outside": _outside,
    "sparse": _sparse,
    "names": _names,
}
