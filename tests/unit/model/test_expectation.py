"""Files held against what was asked: every kind of difference, and what is none."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper, numpy_helper, save_model  # noqa: TID253 - models are what this is about

from opstudio.model.expectation import LARGE_BYTES, Difference, DifferenceKind, differences, has_all_nodes
from opstudio.model.export_request import DynamicAxis, ExportRecord, ResizedRun, Route
from opstudio.model.summary import summarize_model
from tests.unit.model.models import CALL, CUSTOM, STANDARD, a_model, a_record, a_tensor, calls_of, swish

BATCH = (DynamicAxis(input="x", axis=0, name="batch"),)


def told(record: ExportRecord) -> list[tuple[DifferenceKind, str, str, str]]:
    return [(item.kind, item.subject, item.asked, item.found) for item in differences(record)]


def test_that_a_file_as_asked_has_no_differences(tmp_path: Path) -> None:
    record = a_record(tmp_path, a_model(swish()), dynamic=BATCH)

    assert differences(record) == ()
    assert has_all_nodes(record)


def test_that_there_is_nothing_to_compare_without_a_file(tmp_path: Path) -> None:
    record = dataclasses.replace(a_record(tmp_path, a_model(swish())), summary=None, error="no")

    assert differences(record) == ()


RELU = helper.make_node("Relu", ["x"], ["y"])


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (a_model(RELU), (DifferenceKind.NODE_MISSING, "myops:Swish", "myops:Swish", "1 × Relu")),
        (
            a_model(helper.make_node("SWISH", ["x"], ["y"], domain="myops", name="n")),
            (DifferenceKind.NODE_RENAMED, "n", "myops:Swish", "myops:SWISH"),
        ),
        (
            a_model(helper.make_node("swish", ["x"], ["y"], domain="other"), imports=(STANDARD, ("other", 1))),
            (DifferenceKind.NODE_RENAMED, "swish", "myops:Swish", "other:swish"),
        ),
        (a_model(swish(beta=None, gain=1.0)), (DifferenceKind.ATTRIBUTE_MISSING, "beta", "0.5", "gain")),
        (a_model(swish(beta=None)), (DifferenceKind.ATTRIBUTE_MISSING, "beta", "0.5", "no attributes")),
        (a_model(swish(beta=0.25)), (DifferenceKind.ATTRIBUTE_VALUE, "beta", "0.5", "0.25")),
        (a_model(swish(beta=1)), (DifferenceKind.ATTRIBUTE_KIND, "beta", "FLOAT 0.5", "INT 1")),
        (a_model(swish(beta=[0.5])), (DifferenceKind.ATTRIBUTE_KIND, "beta", "FLOAT 0.5", "FLOATS [0.5]")),
        (a_model(swish(["x", "x"])), (DifferenceKind.INPUT_COUNT, "swish", "1 input", "2 inputs")),
        (
            a_model(swish(), imports=(STANDARD, ("myops", 2))),
            (DifferenceKind.IMPORT_VERSION, "myops", "myops:1", "myops:2"),
        ),
        (a_model(swish(), imports=(STANDARD,)), (DifferenceKind.IMPORT_MISSING, "myops", "myops:1", "no import")),
        (
            a_model(RELU, swish(["y"], "z"), imports=(("", 17), CUSTOM), outputs=(a_tensor("z", "batch", 4),)),
            (DifferenceKind.OPSET, "opset", "18", "17"),
        ),
        (
            a_model(swish(), inputs=(a_tensor("x", 2, 4),)),
            (DifferenceKind.DIMENSION_FIXED, "axis 0 of x", "varies", "2"),
        ),
        (
            a_model(swish(["X"]), inputs=(a_tensor("X", "batch", 4),)),
            (DifferenceKind.INPUT_UNKNOWN, "x", "x", "X"),
        ),
    ],
)
def test_that_a_difference_is_told_with_what_was_asked_and_what_is_there(
    tmp_path: Path, model: Any, expected: tuple[DifferenceKind, str, str, str]
) -> None:
    assert told(a_record(tmp_path, model, dynamic=BATCH)) == [expected]


def test_that_the_checkers_refusal_of_a_standard_node_counts(tmp_path: Path) -> None:
    clip = helper.make_node("Clip", ["x"], ["a"], name="clip", min=0.0)

    (difference,) = differences(a_record(tmp_path, a_model(clip, swish(["a"]))))

    assert (difference.kind, difference.asked) == (DifferenceKind.INVALID, "valid ONNX")
    assert "Unrecognized attribute: min" in difference.found


def test_that_the_checkers_refusal_of_a_custom_node_does_not(tmp_path: Path) -> None:
    record = a_record(tmp_path, a_model(swish()))
    words = "Unrecognized attribute: beta for operator Swish\n\n==> Context: Bad node spec for node. OpType: Swish"
    summary = dataclasses.replace(record.summary, checker=words)

    assert differences(dataclasses.replace(record, summary=summary)) == ()


def test_that_custom_nodes_are_differences_on_the_standard_route(tmp_path: Path) -> None:
    record = a_record(tmp_path, a_model(swish()), route=Route.STANDARD)

    assert told(record) == [(DifferenceKind.NODE_LEFT, "swish", "standard nodes", "myops:Swish")]


def test_that_a_file_of_custom_nodes_alone_needs_no_standard_opset(tmp_path: Path) -> None:
    assert differences(a_record(tmp_path, a_model(swish(), imports=(CUSTOM,)))) == ()


def two(*betas: float) -> Any:
    """Return a model of several nodes in a row, with these values of the attribute."""
    names = ["x", *(f"v{index}" for index in range(len(betas) - 1)), "y"]
    return a_model(*(swish([names[i]], names[i + 1], beta=beta) for i, beta in enumerate(betas)))


@pytest.mark.parametrize(
    ("calls", "betas"),
    [
        (calls_of("0.5", "0.25"), (0.5, 0.25)),
        (calls_of("0.5", "0.25"), (0.25, 0.5)),
        (calls_of("0.5") + calls_of("0.5", repeated=True), (0.5,)),
        (calls_of("0.5") + calls_of("0.5", repeated=True), (0.5, 0.5)),
        (calls_of("0.25", unused=True) + calls_of("0.5"), (0.5,)),
        (calls_of("0.25", unused=True) + calls_of("0.5"), (0.25, 0.5)),
        (calls_of("0.5", side_effects=True) + calls_of("0.5", side_effects=True, repeated=True), (0.5, 0.5)),
    ],
)
def test_that_nodes_may_stand_in_any_order_and_serve_equal_calls(tmp_path: Path, calls: Any, betas: Any) -> None:
    assert differences(a_record(tmp_path, two(*betas), calls=calls)) == ()


def test_that_a_call_without_its_node_is_missing_though_another_has_one(tmp_path: Path) -> None:
    record = a_record(tmp_path, two(0.25), calls=calls_of("0.25", "0.5"))

    assert [item.kind for item in differences(record)] == [DifferenceKind.NODE_MISSING]
    assert not has_all_nodes(record)


def test_that_a_wrong_value_is_compared_with_the_call_that_has_no_node(tmp_path: Path) -> None:
    record = a_record(tmp_path, two(0.75, 0.25), calls=calls_of("0.25", "0.5"))

    assert told(record) == [(DifferenceKind.ATTRIBUTE_VALUE, "beta", "0.5", "0.75")]


@pytest.mark.parametrize("more", [{"repeated": True}, {"unused": True}])
def test_that_calls_with_side_effects_must_all_be_there(tmp_path: Path, more: dict[str, bool]) -> None:
    calls = calls_of("0.5", side_effects=True) + calls_of("0.5", side_effects=True, **more)

    record = a_record(tmp_path, two(0.5), calls=calls)

    assert told(record) == [(DifferenceKind.NODE_MERGED, "myops:Swish", "2 calls", "1 node")]


def test_that_an_operator_may_be_expanded_where_its_contract_says_so(tmp_path: Path) -> None:
    assert differences(a_record(tmp_path, a_model(RELU), calls=calls_of("0.5", expand=True))) == ()


def test_that_a_node_of_a_branch_may_serve_several_calls(tmp_path: Path) -> None:
    branch = helper.make_graph([swish(output="z")], "branch", [], [a_tensor("z", "batch", 4)])
    choose = helper.make_node("If", ["flag"], ["y"], then_branch=branch, else_branch=branch)
    model = a_model(choose, inputs=(a_tensor("x", "batch", 4), helper.make_tensor_value_info("flag", 9, [])))

    assert differences(a_record(tmp_path, model, calls=calls_of("0.5", "0.5", "0.5"))) == ()


def test_that_a_domain_is_imported_at_the_highest_version_of_its_operators(tmp_path: Path) -> None:
    other = dataclasses.replace(CALL, operator="myops::gate", onnx_type="Gate", version=3, attributes={}, kinds={})
    gate = helper.make_node("Gate", ["v"], ["y"], domain="myops")
    for version, expected in ((3, []), (1, [(DifferenceKind.IMPORT_VERSION, "myops", "myops:3", "myops:1")])):
        model = a_model(swish(output="v"), gate, imports=(STANDARD, ("myops", version)))

        assert told(a_record(tmp_path, model, calls=(CALL, other))) == expected


def test_that_weights_beside_the_file_are_a_difference_unless_the_model_is_large(tmp_path: Path) -> None:
    weight = numpy_helper.from_array(np.ones(4, np.float32), "weight")
    model = a_model(helper.make_node("Add", ["x", "weight"], ["a"]), swish(["a"]), initializer=[weight])
    record = a_record(tmp_path, model)
    path = tmp_path / "outside.onnx"
    save_model(model, str(path), save_as_external_data=True, location="outside.data", size_threshold=0)
    summary = summarize_model(path)

    small = dataclasses.replace(record, summary=summary)
    large = dataclasses.replace(record, summary=dataclasses.replace(summary, external_bytes=LARGE_BYTES))

    assert told(small) == [(DifferenceKind.EXTERNAL_DATA, "weights", "inside the file", "outside.data")]
    assert differences(large) == ()


def test_that_an_output_that_should_vary_is_told(tmp_path: Path) -> None:
    model = a_model(swish(), outputs=(a_tensor("y", 2, 4),))
    resized = ResizedRun(inputs=((5, 4),), outputs=((5, 4),))

    assert told(a_record(tmp_path, model, dynamic=BATCH, resized=resized)) == [
        (DifferenceKind.DIMENSION_FIXED, "axis 0 of y", "varies", "2")
    ]


def test_that_a_model_of_one_size_is_told(tmp_path: Path) -> None:
    resized = ResizedRun(inputs=((5, 4),), error="RuntimeError: no")

    assert told(a_record(tmp_path, a_model(swish()), dynamic=BATCH, resized=resized)) == [
        (DifferenceKind.DIMENSION_FIXED, "the sizes of x", "varies", "PyTorch itself refuses [5, 4]: RuntimeError: no")
    ]


def test_that_every_kind_of_difference_is_tried_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")

    assert [kind.name for kind in DifferenceKind if f"DifferenceKind.{kind.name}" not in text] == []


def test_that_a_difference_names_its_operator(tmp_path: Path) -> None:
    (difference,) = differences(a_record(tmp_path, a_model(swish(beta=0.25))))

    assert difference == Difference(
        kind=DifferenceKind.ATTRIBUTE_VALUE, subject="beta", asked="0.5", found="0.25", operator="myops::swish"
    )
