"""A Cast before the one input that has another type than all else at its node, and none where two would do."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx  # noqa: TID253 - the second opinion
import onnxruntime  # noqa: TID253 - the second opinion
import pytest
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253 - the second opinion

from opstudio.base.errors import InputError
from opstudio.model.fixes.cast_losses import loss_of
from opstudio.model.fixes.registry import edits_of
from tests.unit.model.fixes.broken_models import Bench, ids

FLOAT, HALF, INT64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT64
WEIGHT = np.array([1, 2, 3])


def a_model(nodes: list[Any], *, weights: dict[str, np.ndarray], output: int = FLOAT, described: Any = ()) -> Any:
    values = [helper.make_tensor_value_info("x", FLOAT, [2, 3]), helper.make_tensor_value_info("y", output, None)]
    constants = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "mixed", values[:1], values[1:], constants, value_info=described)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def an_addition() -> Any:
    """Return a model that adds a half to floats, and says that floats come of it."""
    return a_model([helper.make_node("Add", ["x", "w"], ["y"], name="add")], weights={"w": WEIGHT.astype(np.float16)})


def casts(bench: Bench, model: Any) -> list[str]:
    return [identifier for identifier in bench.offers(bench.written(model)) if identifier.startswith("insert-cast")]


def ran(model: Any, **data: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, data)
    return np.asarray(result)


def test_that_the_input_of_another_type_is_cast_and_nothing_else_is_changed(bench: Bench) -> None:
    path = bench.written(an_addition())
    assert not bench.is_taken(path)
    identifier = "insert-cast:ai.onnx:Add[1]=float"
    assert ids(bench.offers(path)[identifier].solves) == ["MOD005"]
    fixed = onnx.load_model(str(bench.fixed(path, identifier)))

    expected = an_addition()
    expected.graph.node.insert(0, helper.make_node("Cast", ["w"], ["w_float"], name="w_float", to=FLOAT))
    expected.graph.node[1].input[1] = "w_float"
    assert fixed == expected
    data = np.float32([[0.5, 1, 2], [3, 4, 5]])
    np.testing.assert_array_equal(ran(fixed, x=data), data + WEIGHT)


def test_that_of_many_inputs_the_odd_one_is_cast(bench: Bench) -> None:
    nodes = [helper.make_node("Sum", ["x", "w", "x"], ["made"]), helper.make_node("Neg", ["made"], ["y"])]
    model = a_model(nodes, weights={"w": WEIGHT})
    assert casts(bench, model) == ["insert-cast:ai.onnx:Sum[1]=float"]
    fixed = onnx.load_model(str(bench.fixed(bench.written(model), "insert-cast:ai.onnx:Sum[1]=float")))
    data = np.float32([[0.5, 1, 2], [3, 4, 5]])
    np.testing.assert_array_equal(ran(fixed, x=data), -(2 * data + WEIGHT))


def test_that_whole_numbers_are_cast_to_the_only_type_that_is_taken(bench: Bench) -> None:
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["y"], name="reshape")]
    model = a_model(nodes, weights={"shape": np.int32([3, 2])})
    assert casts(bench, model) == ["insert-cast:ai.onnx:Reshape[1]=int64"]
    fixed = onnx.load_model(str(bench.fixed(bench.written(model), "insert-cast:ai.onnx:Reshape[1]=int64")))
    assert ran(fixed, x=np.zeros((2, 3), np.float32)).shape == (3, 2)


def two_alone() -> Any:
    """Return a model whose file does not say what comes of two inputs of two types."""
    nodes = [helper.make_node("Add", ["x", "h"], ["made"]), helper.make_node("Shape", ["made"], ["y"])]
    model = a_model(nodes, weights={}, output=INT64)
    model.graph.input.append(helper.make_tensor_value_info("h", HALF, [2, 3]))
    return model


def two_constants() -> Any:
    nodes = [helper.make_node("Add", ["v", "w"], ["made"]), helper.make_node("Shape", ["made"], ["y"])]
    return a_model(nodes, weights={"w": WEIGHT.astype(np.float16), "v": WEIGHT.astype(np.float32)}, output=INT64)


def three_types() -> Any:
    nodes = [helper.make_node("Sum", ["x", "w", "v"], ["y"])]
    return a_model(nodes, weights={"w": WEIGHT.astype(np.float16), "v": WEIGHT})


def two_of_each() -> Any:
    nodes = [helper.make_node("Sum", ["x", "w", "x", "w"], ["y"])]
    return a_model(nodes, weights={"w": WEIGHT.astype(np.float16)})


def several_types_taken() -> Any:
    """Return a model with indices of a type that is not taken, where two others are."""
    return a_model([helper.make_node("Gather", ["x", "i"], ["y"])], weights={"i": np.uint8([0])})


def fractions_as_condition() -> Any:
    return a_model([helper.make_node("Where", ["x", "x", "x"], ["y"])], weights={})


def text() -> Any:
    nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
    return a_model(nodes, weights={"w": np.array(["a", "b", "c"], object)})


@pytest.mark.parametrize(
    "make", [two_alone, two_constants, three_types, two_of_each, several_types_taken, fractions_as_condition, text]
)
def test_that_nothing_is_offered_where_more_than_one_cast_would_do_or_none(bench: Bench, make: Any) -> None:
    model = make()
    assert not bench.is_taken(bench.written(model))
    assert casts(bench, model) == []


def test_that_a_person_can_decide_what_is_ambiguous(bench: Bench) -> None:
    path = bench.written(two_alone())
    for identifier in ("insert-cast:ai.onnx:Add[0]=float16", "insert-cast:ai.onnx:Add[1]=float"):
        assert bench.is_taken(bench.fixed(path, identifier))


def test_that_what_the_file_says_of_the_value_decides_between_two(bench: Bench) -> None:
    model = two_alone()
    model.graph.value_info.append(helper.make_tensor_value_info("made", HALF, [2, 3]))
    assert casts(bench, model) == ["insert-cast:ai.onnx:Add[0]=float16"]
    assert bench.is_taken(bench.fixed(bench.written(model), "insert-cast:ai.onnx:Add[0]=float16"))


@pytest.mark.parametrize("as_node", [False, True])
@pytest.mark.parametrize("slots", [("x", "w"), ("w", "x")])
def test_that_a_constant_gives_way_to_what_is_computed(bench: Bench, slots: tuple[str, str], *, as_node: bool) -> None:
    weight = WEIGHT.astype(np.float16)
    nodes = [helper.make_node("Mul", slots, ["made"]), helper.make_node("Neg", ["made"], ["y"])]
    if as_node:
        nodes.insert(0, helper.make_node("Constant", [], ["w"], value=numpy_helper.from_array(weight)))
    model = a_model(nodes, weights={} if as_node else {"w": weight})
    identifier = f"insert-cast:ai.onnx:Mul[{slots.index('w')}]=float"
    assert casts(bench, model) == [identifier]
    fixed = onnx.load_model(str(bench.fixed(bench.written(model), identifier)))
    data = np.float32([[0.1, 1, 2], [3, 4, 5]])
    np.testing.assert_array_equal(ran(fixed, x=data), -(data * WEIGHT.astype(np.float32)))


def whole_and_fraction(constant: np.ndarray, output: int) -> Any:
    nodes = [helper.make_node("Mul", ["i", "w"], ["made"]), helper.make_node("Identity", ["made"], ["y"])]
    model = a_model(nodes, weights={"w": constant}, output=output)
    model.graph.input[0].CopyFrom(helper.make_tensor_value_info("i", INT64, [3]))
    return model


def test_that_fractions_of_a_constant_stay_and_the_whole_numbers_are_cast(bench: Bench) -> None:
    model = whole_and_fraction(np.float32([0.5]), FLOAT)
    path = bench.written(model)
    assert not bench.is_taken(path)
    assert casts(bench, model) == ["insert-cast:ai.onnx:Mul[0]=float"]
    (finding,) = bench.report(path).findings
    assert (finding.id, finding.fix) == ("MOD005", "Put a Cast to tensor(float) before the node")
    fixed = onnx.load_model(str(bench.fixed(path, "insert-cast:ai.onnx:Mul[0]=float")))
    np.testing.assert_array_equal(ran(fixed, i=np.int64([1, 2, 3])), np.float32([0.5, 1, 1.5]))


def test_that_no_cast_is_advised_or_offered_that_loses_fractions(bench: Bench) -> None:
    model = whole_and_fraction(np.float32([0.5]), INT64)
    model.graph.value_info.append(helper.make_tensor_value_info("made", INT64, [3]))
    assert casts(bench, model) == []

    shape = a_model([helper.make_node("Reshape", ["x", "s"], ["y"])], weights={"s": np.float32([3, 2])})
    assert casts(bench, shape) == []
    (finding,) = bench.report(bench.written(shape)).findings
    assert finding.fix == "Make the value tensor(int64) where it comes from; a Cast would lose its fractions"


def test_that_a_cast_to_a_narrower_type_says_what_may_be_lost(bench: Bench) -> None:
    model = a_model([helper.make_node("Add", ["x", "w"], ["y"])], weights={"w": np.float64([1e300])})
    (edit,) = edits_of(bench.target(bench.written(model)), "insert-cast:ai.onnx:Add[1]=float")
    assert edit.notes == ("values that tensor(float) cannot hold may be rounded or become infinite",)
    (edit,) = edits_of(bench.target(bench.written(an_addition())), "insert-cast:ai.onnx:Add[1]=float")
    assert edit.notes == ()


NUMPY: dict[str, Any] = {
    **{f"tensor({name})": np.dtype(name) for name in ("bool", "float16")},
    **{f"tensor({sign}int{bits})": np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "tensor(float)": np.dtype("float32"),
    "tensor(double)": np.dtype("float64"),
    "tensor(bfloat16)": helper.tensor_dtype_to_np_dtype(TensorProto.BFLOAT16),
}


def extremes(text: str) -> np.ndarray:
    """Return the values of a type that are hardest to hold: the largest, the smallest, the finest."""
    kind = NUMPY[text]
    if kind == np.bool_:
        return np.array([False, True])
    if "int" in kind.name:
        return np.array([np.iinfo(kind).min, np.iinfo(kind).max], kind)
    details = ml_dtypes.finfo(kind)
    return np.array([details.max, 1 + details.eps, details.smallest_subnormal], kind)


@pytest.mark.parametrize("to", NUMPY)
@pytest.mark.parametrize("given", NUMPY)
def test_that_a_cast_loses_nothing_exactly_where_numpy_keeps_the_extremes(given: str, to: str) -> None:
    values = extremes(given)
    with np.errstate(all="ignore"):
        kept = [a.item() if hasattr(a, "item") else a for a in values.astype(NUMPY[to])]
    exact = [float(a) if "float" in values.dtype.name else int(a) for a in values]
    assert (loss_of(given, to) == "") == all(a == b for a, b in zip(map(_plain, kept), exact, strict=True))


def _plain(value: Any) -> int | float:
    return int(value) if isinstance(value, bool | int) else float(value)


def test_that_nodes_of_one_operator_with_different_faults_are_mended_each_by_its_own(bench: Bench) -> None:
    nodes = [
        helper.make_node("Add", ["x", "w"], ["made"], name="first"),
        helper.make_node("Add", ["w", "made"], ["y"], name="second"),
    ]
    described = [helper.make_tensor_value_info("made", FLOAT, [2, 3])]
    model = a_model(nodes, weights={"w": WEIGHT.astype(np.float16)}, described=described)
    path = bench.written(model)
    assert casts(bench, model) == ["insert-cast:ai.onnx:Add[1]=float", "insert-cast:ai.onnx:Add[0]=float"]
    fixed = bench.fixed(path, "insert-cast:ai.onnx:Add[1]=float")
    assert [node.op_type for node in onnx.load_model(str(fixed)).graph.node] == ["Cast", "Add", "Add"]
    again = fixed.rename(fixed.with_name("once.onnx"))
    assert bench.is_taken(bench.fixed(again, "insert-cast:ai.onnx:Add[0]=float"))


def nested() -> Any:
    """Return a model with an addition of a half in both branches of an If, next to a value called ``w_float``."""
    inner = helper.make_tensor_value_info("w_float", FLOAT, None)
    branches = [
        helper.make_graph([helper.make_node("Add", ["x", "w"], ["w_float"], name="add")], name, [], [inner])
        for name in ("then", "otherwise")
    ]
    node = helper.make_node("If", ["yes"], ["y"], then_branch=branches[0], else_branch=branches[1])
    return a_model([node], weights={"w": WEIGHT.astype(np.float16), "yes": np.bool_(True)})


def test_that_casts_in_nested_graphs_stand_beside_their_nodes(bench: Bench) -> None:
    path = bench.written(nested())
    assert not bench.is_taken(path)
    identifier = "insert-cast:ai.onnx:Add[1]=float"
    assert ids(bench.offers(path)[identifier].solves) == ["MOD005"]
    fixed = onnx.load_model(str(bench.fixed(path, identifier)))
    made = [[(node.op_type, *node.output) for node in item.g.node] for item in fixed.graph.node[0].attribute]
    assert made == [
        [("Cast", "w_float_2"), ("Add", "w_float")],
        [("Cast", "w_float_3"), ("Add", "w_float")],
    ]
    data = np.float32([[0.5, 1, 2], [3, 4, 5]])
    np.testing.assert_array_equal(ran(fixed, x=data), data + WEIGHT)


def test_that_functions_stay_as_they_are_since_another_call_may_have_other_types(bench: Bench) -> None:
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    body = [helper.make_node("Sum", ["a", "b", "a"], ["c"], name="sum")]
    function = helper.make_function("own", "F", ["a", "b"], ["c"], body, imports[:1])
    model = a_model([helper.make_node("F", ["x", "w"], ["y"], domain="own")], weights={"w": WEIGHT.astype(np.float16)})
    model.functions.append(function)
    model.opset_import.append(imports[1])
    path = bench.written(model)
    assert not bench.is_taken(path)
    assert casts(bench, model) == []
    with pytest.raises(InputError, match=r"Input 1 of ai\.onnx:Sum cannot be cast"):
        edits_of(bench.target(path), "insert-cast:ai.onnx:Sum[1]=float")


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("insert-cast:ai.onnx:Add[1]=flaot", "with a type such as float"),
        ("insert-cast:ai.onnx:Add[1]", "'ai.onnx:Add[1]' is not DOMAIN:TYPE"),
        ("insert-cast:ai.onnx:Add=float", "is not DOMAIN:TYPE"),
        ("insert-cast:ai.onnx:Add[7]=float", "no node of it"),
        ("insert-cast:ai.onnx:Add[1]=string", "no node of it"),
        ("insert-cast:ai.onnx:Neg[0]=float", "no node of it"),
    ],
)
def test_that_a_cast_that_does_not_fit_is_refused_in_words(bench: Bench, identifier: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        edits_of(bench.target(bench.written(an_addition())), identifier)
    (finding,) = caught.value.findings
    assert words in f"{finding.title} {finding.cause} {finding.fix}"
