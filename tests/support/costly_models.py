"""Small files that ask for much: each once took minutes, gigabytes or the whole stack of some tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from onnx import FunctionProto, ModelProto, TensorProto, helper, numpy_helper  # noqa: TID253 - models


def costly_models() -> Iterator[tuple[str, ModelProto]]:
    """Yield them, each with a name."""
    yield "names that nothing makes", a_model([_node("Relu", f"gone.{i}.out", f"layer.{i}.out") for i in range(4000)])
    yield "one name among many", a_model([_node("Relu", f"a.{i}.out", f"a.{i + 1}.out") for i in range(10_000)])
    yield "unknown operators", a_model([_node(f"Operator{i}", "x", f"y{i}") for i in range(2000)])
    yield "unknown operator", a_model([_node("Operator", "x", f"y{i}", number=i) for i in range(4000)])
    yield "domains that nobody has", a_model([_node("A", "x", f"y{i}", domain=f"d.{i}") for i in range(500)])
    yield "functions in graphs in functions", deep_functions(64, 25)
    yield "functions that double", _doubling_functions(3000)
    yield "imports for each function", _imports_and_functions(5000, 3000)
    yield "stretched constants", a_model([_node("Max", *_axes_of_two(25), "y")], weights=_stretched(25))
    yield "parts of nothing", a_model([_node("Split", "x", "y", num_outputs=1 << 27)])
    yield "attribute with a long name", a_model([_node("Relu", "x", "y", **{"a" * 60_000: 1})])
    yield "node of a million inputs", a_model([_node("Sum", *["x"] * 900_000, "y")])
    for rank in (120, 1000):
        for place in (None, "w.bin"):
            yield (
                f"{rank} sizes, {place or 'no values'}",
                a_model([_node("Relu", "w", "y")], [huge_tensor(rank, place)]),
            )


def a_model(
    nodes: Sequence[Any], weights: Sequence[Any] = (), functions: Sequence[FunctionProto] = (), *domains: str
) -> ModelProto:
    """Return a model with an input ``x`` and an output ``y``; ``domains`` are imported beside the standard one."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("x", "y")]
    graph = helper.make_graph(list(nodes), "costly", values[:1], values[1:], list(weights))
    imports = [helper.make_opsetid("", 18), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=imports, ir_version=9, functions=list(functions))


def huge_tensor(rank: int, location: str | None) -> TensorProto:
    """Return a tensor of so many axes of 2⁶² elements each, without values or with some elsewhere."""
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[1 << 62] * rank)
    if location is not None:
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=location)
    return tensor


def deep_functions(functions: int, graphs: int) -> ModelProto:
    """Return a model whose functions call the next one from so many graphs inside of one another."""
    made = []
    for number in range(functions):
        nodes = [_node(f"F{number + 1}", "x", "n", domain="f")]
        for _ in range(graphs):
            output = helper.make_tensor_value_info("n", TensorProto.FLOAT, None)
            inner = helper.make_graph(nodes, "branch", [], [output])
            nodes = [_node("If", "x", "n", then_branch=inner)]
        imports = [helper.make_opsetid("", 18), helper.make_opsetid("f", 1)]
        made.append(helper.make_function("f", f"F{number}", ["x"], ["n"], nodes, imports))
    return a_model([_node("F0", "x", "y", domain="f")], (), made, "f")


def _doubling_functions(count: int) -> ModelProto:
    """Return a model whose functions call the one before twice, which nobody calls: 2 to the power of their number."""
    made = []
    for number in range(count):
        called = [_node(f"F{number - 1}", "x", "m", domain="f"), _node(f"F{number - 1}", "m", "n", domain="f")]
        nodes = called if number else [_node("Relu", "x", "n")]
        imports = [helper.make_opsetid("f", 1), helper.make_opsetid("", 18)]
        made.append(helper.make_function("f", f"F{number}", ["x"], ["n"], nodes, imports))
    return a_model([_node("Relu", "x", "y")], (), made, "f")


def _imports_and_functions(imports: int, functions: int) -> ModelProto:
    made = [
        helper.make_function("f", f"F{number}", ["x"], ["n"], [_node("Relu", "x", "n")], [helper.make_opsetid("", 18)])
        for number in range(functions)
    ]
    return a_model(
        [_node("F0", "x", "y", domain="f")], (), made, "f", *(f"domain{number}" for number in range(imports))
    )


def _axes_of_two(count: int) -> list[str]:
    return [f"axis{number}" for number in range(count)]


def _stretched(count: int) -> list[TensorProto]:
    """Return tensors of two elements, each along an axis of its own; together they make 2 to the power of ``count``."""
    shapes = [[2 if axis == number else 1 for axis in range(count)] for number in range(count)]
    return [
        numpy_helper.from_array(np.float32([1, 2]).reshape(shape), name)
        for name, shape in zip(_axes_of_two(count), shapes, strict=True)
    ]


def _node(kind: str, *names: str, domain: str = "", **attributes: Any) -> Any:
    return helper.make_node(kind, names[:-1], names[-1:], domain=domain, **attributes)
