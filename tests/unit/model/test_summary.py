"""What a model file holds: nodes wherever they stand, attributes, inputs, and weights beside the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import AttributeProto, TensorProto, helper, numpy_helper, save_model  # noqa: TID253 - models are what this is about

from opstudio.base.errors import InputError
from opstudio.model.summary import summarize_model
from opstudio.model.summary_records import AttributeSummary, ModelSummary
from tests.unit.model.models import CUSTOM, STANDARD, a_model, a_tensor, swish


def summary_of(folder: Path, model: Any, **options: Any) -> ModelSummary:
    path = folder / "model.onnx"
    save_model(model, str(path), **options)
    return summarize_model(path)


def branches(*nodes: Any) -> dict[str, Any]:
    graph = helper.make_graph(list(nodes), "branch", [], [a_tensor("y", "batch", 4)])
    other = helper.make_graph([helper.make_node("Identity", ["x"], ["z"])], "other", [], [a_tensor("z", "batch", 4)])
    return {"then_branch": graph, "else_branch": other}


def test_that_custom_nodes_are_listed_and_standard_ones_counted(tmp_path: Path) -> None:
    model = a_model(
        helper.make_node("Relu", ["x"], ["a"]),
        swish(["a"], "b"),
        helper.make_node("Relu", ["b"], ["c"], domain="ai.onnx"),
        helper.make_node("Neg", ["c"], ["y"]),
        imports=(("ai.onnx", 18), CUSTOM),
    )

    summary = summary_of(tmp_path, model)

    assert summary.standard_types == {":Relu": 2, ":Neg": 1}
    assert summary.imports == {"": 18, "myops": 1}
    (node,) = summary.custom_nodes
    assert (node.name, node.domain, node.type, node.inputs, node.outputs) == ("swish", "myops", "Swish", ("a",), ("b",))


def test_that_nodes_of_nested_graphs_are_found_with_their_place(tmp_path: Path) -> None:
    inner = helper.make_node("If", ["flag"], ["y"], name="inner", **branches(swish()))
    outer = helper.make_node("If", ["flag"], ["y"], name="outer", **branches(inner))
    inputs = (a_tensor("x", "batch", 4), helper.make_tensor_value_info("flag", TensorProto.BOOL, []))

    summary = summary_of(tmp_path, a_model(outer, inputs=inputs))

    assert [(node.type, node.place) for node in summary.custom_nodes] == [("Swish", "If outer/If inner")]
    assert summary.standard_types == {":If": 2, ":Identity": 2}


def test_that_nodes_of_functions_are_found_and_calls_of_functions_are_no_custom_nodes(tmp_path: Path) -> None:
    inside = swish()
    del inside.attribute[:]
    inside.attribute.append(AttributeProto(name="beta", type=AttributeProto.FLOAT, ref_attr_name="gain"))
    function = helper.make_function(
        "local", "Gate", ["x"], ["y"], [inside], [helper.make_opsetid(*CUSTOM)], attributes=["gain"]
    )
    call = helper.make_node("Gate", ["x"], ["y"], domain="local", gain=0.5)
    imports = (STANDARD, CUSTOM, ("local", 1))

    summary = summary_of(tmp_path, a_model(call, functions=[function], imports=imports))

    (node,) = summary.custom_nodes
    assert (node.type, node.place) == ("Swish", "function local:Gate")
    assert node.attributes == (AttributeSummary(name="beta", kind="FLOAT", value="@gain"),)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0.1, "FLOAT", repr(float(np.float32(0.1)))),
        (float("inf"), "FLOAT", "inf"),
        (7, "INT", "7"),
        ("mean", "STRING", "mean"),
        ([1, -2], "INTS", "[1, -2]"),
        ([0.5, 2.0], "FLOATS", "[0.5, 2.0]"),
        (["a", "b c"], "STRINGS", "[a, b c]"),
        (numpy_helper.from_array(np.zeros(2, np.float32)), "TENSOR", "TensorProto"),
    ],
)
def test_that_attributes_are_told_by_kind_and_value(tmp_path: Path, value: Any, kind: str, text: str) -> None:
    summary = summary_of(tmp_path, a_model(swish(of_the_test=value)))

    attributes = {item.name: item for item in summary.custom_nodes[0].attributes}
    assert attributes["of_the_test"] == AttributeSummary(name="of_the_test", kind=kind, value=text)


def test_that_an_empty_list_keeps_its_kind(tmp_path: Path) -> None:
    node = swish()
    node.attribute.append(helper.make_attribute("axes", [], attr_type=AttributeProto.INTS))

    summary = summary_of(tmp_path, a_model(node))

    assert summary.custom_nodes[0].attributes[-1] == AttributeSummary(name="axes", kind="INTS", value="[]")


def test_that_shapes_have_sizes_names_and_unknown_ranks(tmp_path: Path) -> None:
    weight = numpy_helper.from_array(np.ones((4,), np.float32), "weight")
    model = a_model(
        swish(),
        inputs=(a_tensor("x", "batch", 4, 0), a_tensor("weight", 4)),
        outputs=(helper.make_tensor_value_info("y", TensorProto.DOUBLE, None),),
        initializer=[weight],
    )

    summary = summary_of(tmp_path, model)

    assert [(item.name, item.shape) for item in summary.inputs] == [("x", ("batch", 4, 0))]
    assert [(item.name, item.type, item.shape) for item in summary.outputs] == [("y", TensorProto.DOUBLE, None)]


def model_with_weights() -> Any:
    weights = [numpy_helper.from_array(np.ones((2, 4), np.float32), name) for name in ("first", "second")]
    constant = helper.make_node(
        "Constant", [], ["third"], value=numpy_helper.from_array(np.ones(4, np.float32), "third")
    )
    nodes = [
        constant,
        helper.make_node("Sum", ["x", "first", "second", "third"], ["s"]),
        swish(["s"]),
    ]
    return a_model(*nodes, inputs=(a_tensor("x", 2, 4),), outputs=(a_tensor("y", 2, 4),), initializer=weights)


def test_that_weights_beside_the_file_are_counted(tmp_path: Path) -> None:
    options = {"save_as_external_data": True, "location": "weights.bin", "size_threshold": 0}

    summary = summary_of(tmp_path, model_with_weights(), **options)

    assert summary.external_files == ("weights.bin",)
    assert summary.external_bytes == 2 * 2 * 4 * 4
    assert summary.checker == ""


def test_that_tensors_of_nodes_count_as_weights_too(tmp_path: Path) -> None:
    options = {"save_as_external_data": True, "all_tensors_to_one_file": False, "size_threshold": 0}

    summary = summary_of(tmp_path, model_with_weights(), convert_attribute=True, **options)

    assert len(summary.external_files) == 3
    assert summary.external_bytes == (2 * 8 + 4) * 4


def test_that_the_checker_tells_of_weights_that_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    save_model(model_with_weights(), str(path), save_as_external_data=True, location="weights.bin", size_threshold=0)
    (tmp_path / "weights.bin").unlink()

    assert "weights.bin" in summarize_model(path).checker


def test_that_the_checkers_words_are_kept(tmp_path: Path) -> None:
    model = a_model(helper.make_node("Clip", ["x"], ["y"], name="clip", min=0.0))

    assert summary_of(tmp_path, model).checker.startswith("Unrecognized attribute: min for operator Clip")


def test_that_a_file_without_a_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_text("version https://git-lfs.github.com/spec/v1\n")

    with pytest.raises(InputError, match="Git LFS pointer"):
        summarize_model(path)


def test_that_long_lists_are_told_whole_for_custom_nodes_and_cut_for_the_first_ones(tmp_path: Path) -> None:
    values = list(range(20_000))
    summary = summary_of(tmp_path, a_model(swish(table=values)))
    (custom,), (first,) = summary.custom_nodes, summary.first_nodes
    assert {item.name: item.value for item in custom.attributes}["table"] == str(values)
    assert {item.name: item.value for item in first.attributes}["table"] == f"{str(values)[:120]}…"
