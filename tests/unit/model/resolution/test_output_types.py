"""The types that flow through a model, against what ONNX's own inference finds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, ValueInfoProto, helper, numpy_helper, shape_inference  # noqa: TID253 - the second opinion

from opstudio.base.errors import CancelledError
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.model_walk import MOST_EXPANDED, resolve_model
from opstudio.model.resolution.records import Origin, Resolved, Unresolved
from opstudio.model.resolution.unexpanded import unexpanded
from opstudio.model.runtime.library_probe import probe_library
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables
from opstudio.model.runtime.records import RuntimeTables
from opstudio.model.runtime.type_texts import type_text
from tests.support.operator_libraries import FLOAT, INT64, REQUIRED, WrittenOperator, build_library

HALF = TensorProto.FLOAT16


@pytest.fixture(scope="module")
def tables() -> RuntimeTables:
    return read_runtime_tables()


def node(kind: str, inputs: Sequence[str] = ("x",), outputs: Sequence[str] = ("made",), **attributes: Any) -> Any:
    return helper.make_node(kind, list(inputs), list(outputs), **attributes)


def a_model(*nodes: Any, imports: Sequence[tuple[str, int]] = (("", 21),), functions: Sequence[Any] = ()) -> ModelProto:
    """Return a model with a half input ``x``, sizes ``n``, a flag ``c``, and an unused float output."""
    inputs = [
        helper.make_tensor_value_info("x", HALF, ["a", "b"]),
        helper.make_tensor_value_info("n", TensorProto.INT64, [2]),
        helper.make_tensor_value_info("c", TensorProto.BOOL, []),
    ]
    last = helper.make_node("Identity", ["made"], ["out"])
    graph = helper.make_graph([*nodes, last], "typed", inputs, [ValueInfoProto(name="out")])
    opsets = [helper.make_opsetid(*item) for item in imports]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, functions=functions)


def read(folder: Path, model: ModelProto) -> ModelRecord:
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    return read_model(folder / "model.onnx")


def type_of_made(record: ModelRecord, catalogue: Catalogue) -> str:
    (last,) = [item for item in resolve_model(record, catalogue) if item.node.outputs == ("out",)]
    return last.input_types[0]


@pytest.mark.parametrize(
    "nodes",
    [
        (node("Cast", to=TensorProto.INT8),),
        (node("CastLike", ("n", "x")),),
        (node("Shape"),),
        (node("ArgMax"),),
        (node("IsNaN"),),
        (node("Where", ("c", "x", "x")),),
        (node("Constant", (), value_ints=[1, 2]),),
        (node("Constant", (), value_string="a"),),
        (node("Constant", (), value=numpy_helper.from_array(np.uint16([3]), "three")),),
        (node("ConstantOfShape", ("n",)),),
        (node("ConstantOfShape", ("n",), value=numpy_helper.from_array(np.int32([7]), "seven")),),
        (node("EyeLike"),),
        (node("EyeLike", dtype=TensorProto.DOUBLE),),
        (node("RandomNormal", (), shape=[2]),),
        (node("RandomUniformLike", dtype=TensorProto.FLOAT),),
        (node("Multinomial", sample_size=3),),
        (node("HannWindow", ("size",), ("made",)), node("Constant", (), ("size",), value_int=4)),
        (node("QuantizeLinear", ("x", "s")), node("Cast", ("x",), ("s",), to=HALF)),
        (node("SequenceConstruct", ("x", "x")),),
        (node("SequenceConstruct", ("x",), ("s",)), node("SequenceAt", ("s", "i")), node("ArgMax", ("n",), ("i",))),
        (node("SplitToSequence", ("x",), ("s",)), node("ConcatFromSequence", ("s",), axis=0)),
        (node("SequenceEmpty", (), dtype=TensorProto.INT64),),
        (node("Optional", ("x",)),),
        (node("Optional", ("x",), ("o",)), node("OptionalGetElement", ("o",))),
        (node("TopK", ("x", "n"), ("values", "made")),),
    ],
    ids=lambda nodes: " ".join(item.op_type for item in nodes),
)
def test_that_a_type_is_the_one_that_onnx_infers(nodes: Sequence[Any], tmp_path: Path, tables: RuntimeTables) -> None:
    # Sorted so that makers come first.
    ordered = sorted(nodes, key=lambda item: "made" in item.output)
    model = a_model(*ordered)
    inferred = shape_inference.infer_shapes(model)
    (tmp_path / "inferred").mkdir()
    expected = {value.name: type_text(value.type) for value in read(tmp_path / "inferred", inferred).graph.value_infos}

    assert type_of_made(read(tmp_path, model), Catalogue(tables)) == expected["made"] != ""


def test_that_the_work_ends_where_it_is_asked_to(tmp_path: Path, tables: RuntimeTables) -> None:
    record = read(tmp_path, a_model(*(node("Neg", ("x",), (f"n{number}",)) for number in range(50))))
    looked: list[int] = []

    def end_at_the_tenth() -> None:
        looked.append(len(looked))
        if len(looked) == 10:
            raise CancelledError

    with pytest.raises(CancelledError):
        resolve_model(record, Catalogue(tables), checkpoint=end_at_the_tenth)

    assert len(looked) == 10


def test_that_the_types_of_branches_are_those_around_them(tmp_path: Path, tables: RuntimeTables) -> None:
    branch = helper.make_graph([node("Neg", ("x",), ("b",))], "branch", [], [ValueInfoProto(name="b")])
    other = helper.make_graph([node("Abs", ("x",), ("b",))], "other", [], [ValueInfoProto(name="b")])
    record = read(tmp_path, a_model(node("If", ("c",), then_branch=branch, else_branch=other)))
    inner = {item.node.type: item for item in resolve_model(record, Catalogue(tables)) if item.path}
    assert {name: item.input_types for name, item in inner.items()} == {
        "Neg": ("tensor(float16)",),
        "Abs": ("tensor(float16)",),
    }
    assert inner["Neg"].path == ("If", "then_branch")


def test_that_a_loop_hands_its_body_a_number_a_flag_and_what_it_carries(tmp_path: Path, tables: RuntimeTables) -> None:
    body = helper.make_graph(
        [node("Identity", ("go",), ("on",)), node("Neg", ("carried",), ("next",)), node("Neg", ("i",), ("j",))],
        "body",
        [ValueInfoProto(name=name) for name in ("i", "go", "carried")],
        [ValueInfoProto(name=name) for name in ("on", "next")],
    )
    record = read(tmp_path, a_model(node("Loop", ("", "c", "x"), body=body)))
    seen = {item.node.inputs[0]: item.input_types[0] for item in resolve_model(record, Catalogue(tables)) if item.path}
    assert seen == {"go": "tensor(bool)", "carried": "tensor(float16)", "i": "tensor(int64)"}


def test_that_a_function_is_walked_with_the_types_of_its_call_and_the_models_opset(
    tmp_path: Path, tables: RuntimeTables
) -> None:
    inside = [node("Einsum", ("a",), ("b",), equation="ij->ji"), node("Cast", ("b",), ("d",), to=TensorProto.INT8)]
    function = helper.make_function("local", "Turn", ["a"], ["d"], inside, [helper.make_opsetid("", 21)])
    model = a_model(node("Turn", domain="local"), imports=(("", 11), ("local", 1)), functions=[function])
    found = {item.node.type: item for item in resolve_model(read(tmp_path, model), Catalogue(tables))}
    assert found["Einsum"].input_types == ("tensor(float16)",)
    assert found["Einsum"].path == ("function local:Turn",)
    assert isinstance(found["Einsum"].resolution, Unresolved)  # Einsum came with opset 12
    assert found["Identity"].input_types == ("tensor(int8)",)


def test_that_functions_that_call_one_another_without_end_are_told(tmp_path: Path, tables: RuntimeTables) -> None:
    functions = [
        helper.make_function(
            "f", name, ["a"], ["b"], [node(other, ("a",), ("b",), domain="f")], [helper.make_opsetid("f", 1)]
        )
        for name, other in (("One", "Two"), ("Two", "One"))
    ]
    model = a_model(node("One", domain="f"), imports=(("", 21), ("f", 1)), functions=functions)
    resolutions = [item.resolution for item in resolve_model(read(tmp_path, model), Catalogue(tables))]
    assert any(isinstance(item, Unresolved) and "calls itself" in item.reason for item in resolutions)


@pytest.mark.parametrize(("levels", "nodes"), [(20, 1 << 20), (24, 1 << 24), (60, 1 << 60)])
def test_that_functions_that_expand_beyond_all_memory_are_told(
    tmp_path: Path, tables: RuntimeTables, levels: int, nodes: int
) -> None:
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("f", 1)]
    functions = []
    for level in range(levels):
        domain, type_ = ("f", f"F{level + 1}") if level + 1 < levels else ("", "Neg")
        body = [node(type_, ("a",), ("t",), domain=domain), node(type_, ("t",), ("b",), domain=domain)]
        functions.append(helper.make_function("f", f"F{level}", ["a"], ["b"], body, imports))
    model = read(tmp_path, a_model(node("F0", domain="f"), imports=(("", 21), ("f", 1)), functions=functions))
    resolved = resolve_model(model, Catalogue(tables))
    reason = unexpanded(model, resolved)
    if nodes <= MOST_EXPANDED:
        assert reason == ""
    else:
        assert f"expand into {nodes:,} nodes" in reason
        # Told once, where the main graph calls them.
        assert [item.node.type for item in resolved if isinstance(item.resolution, Unresolved)] == ["F0"]


def test_that_the_types_of_a_library_go_on_through_its_nodes(tmp_path: Path, tables: RuntimeTables) -> None:
    operator = WrittenOperator(domain="lab", type="Count", inputs=((FLOAT, REQUIRED),), outputs=((INT64, REQUIRED),))
    library = probe_library(build_library(tmp_path / "count.so", [operator]))
    model = a_model(
        node("Cast", ("x",), ("f",), to=TensorProto.FLOAT),
        node("Count", ("f",), domain="lab"),
        imports=(("", 21), ("lab", 1)),
    )
    catalogue = Catalogue(tables, [library])
    record = read(tmp_path, model)
    assert type_of_made(record, catalogue) == "tensor(int64)"
    answers = {item.node.type: item.resolution for item in resolve_model(record, catalogue)}
    assert isinstance(answers["Count"], Resolved)
    assert answers["Count"].library == library.path


def test_that_a_kernel_is_sure_where_no_type_that_is_not_known_could_be_another(
    tmp_path: Path, tables: RuntimeTables
) -> None:
    pooled = node("MaxPool", ["wide"], ["pooled"], kernel_shape=[1, 1])  # its type of indices is always int64
    nodes = (
        node("Cast", outputs=["wide"], to=TensorProto.FLOAT),
        pooled,
        node("Mystery"),
        node("Relu", ["made"], ["r"]),
    )
    found = {
        item.node.type: item.resolution for item in resolve_model(read(tmp_path, a_model(*nodes)), Catalogue(tables))
    }
    assert found["MaxPool"] == Resolved(
        origin=Origin.RUNTIME, provider="CPUExecutionProvider", since_version=12, unsure=False
    )
    # Its definition allows bfloat16, for which the runtime has no kernel.
    relu = found["Relu"]
    assert isinstance(relu, Resolved)
    assert relu.unsure
