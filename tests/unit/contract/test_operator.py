"""What the records of a contract say of themselves."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from opstudio.base.data_type import DataType
from opstudio.contract.operator import (
    DEFAULT_TOLERANCES,
    EXACT,
    AttributeKind,
    Layer,
    Output,
    Sample,
    Tolerance,
    onnx_type_name,
)
from opstudio.contract.shape_parser import ShapeRuleError
from opstudio.contract.shape_syntax import InputPattern, Letter, Number, Star
from tests.support.contracts import a_contract, an_attribute, an_input, an_output

F32, F16, I64 = DataType.FLOAT32, DataType.FLOAT16, DataType.INT64


@pytest.mark.parametrize(
    ("name", "onnx_type"),
    [
        ("relu6_scale", "Relu6Scale"),
        ("op", "Op"),
        ("roiAlign", "RoiAlign"),
        ("__a__b_", "AB"),
        ("x2y", "X2y"),
        ("GELU", "GELU"),
        ("batch_norm_2d", "BatchNorm2d"),
    ],
)
def test_that_the_onnx_type_is_the_name_in_capitals(name: str, onnx_type: str) -> None:
    assert onnx_type == onnx_type_name(name)


def test_that_type_combinations_are_all_of_the_free_inputs_and_shared_by_the_others() -> None:
    contract = a_contract(
        inputs=(
            an_input("x", types=(F32, F16)),
            an_input("w", types=(), same_type_as="x"),
            an_input("i", types=(I64, DataType.INT32)),
        )
    )

    expected = [
        {"x": first, "w": first, "i": second} for first, second in itertools.product((F32, F16), (I64, DataType.INT32))
    ]
    assert expected == list(contract.type_combinations())


def test_that_a_type_may_be_shared_through_another_input() -> None:
    contract = a_contract(
        inputs=(
            an_input("x", types=(F16,)),
            an_input("w", types=(), same_type_as="x"),
            an_input("v", types=(), same_type_as="w"),
        )
    )

    assert list(contract.type_combinations()) == [{"x": F16, "w": F16, "v": F16}]


def test_that_a_type_may_be_shared_with_an_input_that_stands_behind() -> None:
    contract = a_contract(inputs=(an_input("w", types=(), same_type_as="x"), an_input("x", types=(F32, F16))))

    assert list(contract.type_combinations()) == [{"w": F32, "x": F32}, {"w": F16, "x": F16}]


def test_that_the_type_of_an_output_is_fixed_or_follows_an_input() -> None:
    contract = a_contract()

    assert contract.output_type(an_output(), {"x": F16}) == F16
    assert contract.output_type(Output(name="y", type=I64, shape="x"), {"x": F16}) == I64


def test_that_values_that_a_call_gives_win_over_the_defaults() -> None:
    contract = a_contract(
        attributes=(
            an_attribute("a", AttributeKind.FLOAT),
            an_attribute("b", AttributeKind.INT, 2),
            an_attribute("c", AttributeKind.BOOL, default=False),
        )
    )

    assert contract.complete_attributes({}) == {"b": 2, "c": False}
    assert contract.complete_attributes({"a": 0.0, "b": 0, "c": True}) == {"a": 0.0, "b": 0, "c": True}


def test_that_inputs_and_attributes_are_found_by_name() -> None:
    contract = a_contract(inputs=(an_input("x"), an_input("w")), attributes=(an_attribute("a", AttributeKind.INT, 1),))

    assert (contract.input("w").name, contract.attribute("a").name) == ("w", "a")


def test_that_a_stated_tolerance_replaces_the_usual_one_of_its_layer_and_type_only() -> None:
    stated = Tolerance(relative=0.0, absolute=0.25)
    contract = a_contract(tolerances={"runtime": {"float32": stated}})

    assert stated == contract.tolerance(Layer.RUNTIME, F32)
    assert DEFAULT_TOLERANCES[Layer.RUNTIME][F16] == contract.tolerance(Layer.RUNTIME, F16)
    assert DEFAULT_TOLERANCES[Layer.KERNEL][F32] == contract.tolerance(Layer.KERNEL, F32)


@pytest.mark.parametrize("layer", Layer)
@pytest.mark.parametrize("data_type", [item for item in DataType if not item.is_floating])
def test_that_integers_and_bool_must_be_equal(layer: Layer, data_type: DataType) -> None:
    assert a_contract().tolerance(layer, data_type) == EXACT


@pytest.mark.parametrize("data_type", [F32, DataType.FLOAT64, F16])
def test_that_the_usual_tolerance_leaves_room_for_two_roundings(data_type: DataType) -> None:
    step = float(np.finfo(data_type.value).eps)

    tolerance = a_contract().tolerance(Layer.KERNEL, data_type)

    assert 2 * step <= tolerance.relative
    assert tolerance.relative <= a_contract().tolerance(Layer.RUNTIME, data_type).relative


def test_that_two_kinds_of_attributes_hold_several_values() -> None:
    assert [kind for kind in AttributeKind if kind.is_list] == [AttributeKind.INTS, AttributeKind.FLOATS]


def test_that_a_pattern_is_parsed_when_asked_for() -> None:
    assert an_input().pattern is None
    assert InputPattern((Letter("N"), Number(3), Star("D"))) == an_input(shape="[N, 3, *D]").pattern
    with pytest.raises(ShapeRuleError):
        _ = an_input(shape="[N").pattern


def test_that_a_rule_knows_the_inputs_and_attributes_of_its_contract() -> None:
    contract = a_contract(attributes=(an_attribute("k", AttributeKind.INT, 2),))

    assert contract.output_rule(an_output("x")).same_as == "x"
    assert contract.output_rule(an_output("[k]")) != contract.output_rule(an_output("[K]"))
    with pytest.raises(ShapeRuleError):
        contract.output_rule(an_output("w"))


@pytest.mark.parametrize(
    ("shapes", "count"),
    [({}, 0), ({"x": ((),)}, 1), ({"x": ((2, 3),), "w": ((4,), (5,), ())}, 16), ({"x": ((0, 9),), "w": ()}, 0)],
)
def test_that_the_elements_of_all_inputs_of_a_sample_are_counted(
    shapes: dict[str, tuple[tuple[int, ...], ...]], count: int
) -> None:
    assert count == Sample(name="s", shapes=shapes).element_count
