"""Attributes that became inputs: the runtime refuses the old form, and computes the same from the new one."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx  # noqa: TID253 - the second opinion
import onnxruntime  # noqa: TID253 - the second opinion
import pytest
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253 - the second opinion

from opstudio.base.errors import InputError
from opstudio.model.fixes.moved_attributes import KINDS, MOVED
from opstudio.model.fixes.registry import edits_of
from tests.unit.model.fixes.broken_models import Bench, ids

FLOAT, HALF, DOUBLE = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE


@dataclass(frozen=True, kw_only=True)
class OldForm:
    """A node in the form of an opset, the opset at which it must be otherwise, and the inputs as numpy has them.

    ``inputs`` are the new ones in their order, the empty ones left out.
    """

    type: str
    old: int
    new: int
    attributes: Mapping[str, Any]
    moved: Mapping[str, np.ndarray]
    shape: tuple[int, ...] = (2, 3)
    element: int = FLOAT
    outputs: int = 1
    slots: Sequence[str] = field(default_factory=tuple)


def integers(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


OLD_FORMS = {
    "Clip": OldForm(
        type="Clip",
        old=10,
        new=13,
        attributes={"min": -0.5, "max": 0.5},
        moved={"min": np.float32(-0.5), "max": np.float32(0.5)},
        slots=("min", "max"),
    ),
    "Clip to a most alone": OldForm(
        type="Clip", old=6, new=12, attributes={"max": 0.1}, moved={"max": np.float32(0.1)}, slots=("", "max")
    ),
    "Clip of doubles": OldForm(
        type="Clip",
        old=6,
        new=12,
        attributes={"min": 0.25},
        moved={"min": np.float64(0.25)},
        element=DOUBLE,
        slots=("min",),
    ),
    "DFT": OldForm(
        type="DFT",
        old=17,
        new=20,
        attributes={"axis": 2, "onesided": 1},
        moved={"axis": np.int64(2)},
        shape=(1, 4, 6, 1),
        slots=("", "axis"),
    ),
    "Dropout": OldForm(
        type="Dropout", old=10, new=12, attributes={"ratio": 0.25}, moved={"ratio": np.float32(0.25)}, slots=("ratio",)
    ),
    "Pad": OldForm(
        type="Pad",
        old=10,
        new=11,
        attributes={"pads": [0, 1, 0, 2], "value": 3.5, "mode": "constant"},
        moved={"pads": integers(0, 1, 0, 2), "value": np.float32(3.5)},
        slots=("pads", "value"),
    ),
    "Pad by itself": OldForm(
        type="Pad",
        old=10,
        new=18,
        attributes={"pads": [0, 1, 0, 1], "mode": "reflect"},
        moved={"pads": integers(0, 1, 0, 1)},
        slots=("pads",),
    ),
    **{
        f"Reduce{name}": OldForm(
            type=f"Reduce{name}",
            old=12 if name == "Sum" else 17,
            new=13 if name == "Sum" else 18,
            attributes={"axes": [1], "keepdims": 0},
            moved={"axes": integers(1)},
            slots=("axes",),
        )
        for name in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")
    },
    "Reshape": OldForm(
        type="Reshape", old=4, new=13, attributes={"shape": [3, -1]}, moved={"shape": integers(3, -1)}, slots=("shape",)
    ),
    "Slice": OldForm(
        type="Slice",
        old=9,
        new=10,
        attributes={"starts": [1], "ends": [2**63 - 1], "axes": [1]},
        moved={"starts": integers(1), "ends": integers(2**63 - 1), "axes": integers(1)},
        slots=("starts", "ends", "axes"),
    ),
    "Split": OldForm(
        type="Split",
        old=12,
        new=13,
        attributes={"split": [1, 2], "axis": 1},
        moved={"split": integers(1, 2)},
        outputs=2,
        slots=("split",),
    ),
    "Squeeze": OldForm(
        type="Squeeze",
        old=12,
        new=13,
        attributes={"axes": [0, 2]},
        moved={"axes": integers(0, 2)},
        shape=(1, 3, 1),
        slots=("axes",),
    ),
    "TopK": OldForm(
        type="TopK",
        old=9,
        new=11,
        attributes={"k": 2, "axis": 1},
        moved={"k": integers(2)},
        outputs=2,
        slots=("k",),
    ),
    "Unsqueeze": OldForm(
        type="Unsqueeze", old=12, new=13, attributes={"axes": [1]}, moved={"axes": integers(1)}, slots=("axes",)
    ),
    "Upsample": OldForm(
        type="Upsample",
        old=8,
        new=9,
        attributes={"scales": [1.0, 2.0], "mode": "nearest"},
        moved={"scales": np.float32([1.0, 2.0])},
        slots=("scales",),
    ),
}


def a_model(form: OldForm, opset: int) -> Any:
    outputs = [f"y{number}" for number in range(form.outputs)]
    node = helper.make_node(form.type, ["x"], outputs, name="old", **form.attributes)
    values = [helper.make_tensor_value_info("x", form.element, form.shape)]
    kinds = [form.element, TensorProto.INT64 if form.type == "TopK" else form.element]
    made = [helper.make_tensor_value_info(*pair, None) for pair in zip(outputs, kinds, strict=False)]
    graph = helper.make_graph([node], "old", values, made)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def constant(name: str, value: np.ndarray) -> Any:
    tensor = numpy_helper.from_array(np.asarray(value))
    return helper.make_node("Constant", [], [name], name=name, value=tensor)


def ran(model: Any, data: np.ndarray) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, {"x": data}))


@pytest.mark.parametrize("name", OLD_FORMS)
def test_that_the_new_form_computes_what_the_old_opset_did(bench: Bench, name: str) -> None:
    form = OLD_FORMS[name]
    path = bench.written(a_model(form, form.new))
    assert not bench.is_taken(path)
    identifier = f"attributes-to-inputs:ai.onnx:{form.type}"
    assert ids(bench.offers(path)[identifier].solves) == ["MOD004"]

    fixed = onnx.load_model(str(bench.fixed(path, identifier)))
    expected = a_model(form, form.new)
    node = expected.graph.node[0]
    node.input.extend(f"old_{attribute}" if attribute else "" for attribute in form.slots)
    kept = [attribute for attribute in node.attribute if attribute.name not in form.moved]
    del node.attribute[:]
    node.attribute.extend(kept)
    for place, attribute in enumerate(filter(None, form.slots)):
        expected.graph.node.insert(place, constant(f"old_{attribute}", form.moved[attribute]))
    assert fixed == expected
    onnx.checker.check_model(onnx.shape_inference.infer_shapes(fixed, strict_mode=True))

    data = np.random.default_rng(7).uniform(-1, 1, form.shape).astype(helper.tensor_dtype_to_np_dtype(form.element))
    if form.type == "ReduceLogSum":
        data = abs(data)
    if form.type == "DFT" or form.old < 7:
        return  # the runtime has no kernel of the old form; numpy has, below
    for ours, theirs in zip(ran(fixed, data), ran(a_model(form, form.old), data), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_that_what_the_runtime_has_no_old_kernel_of_is_what_numpy_computes(bench: Bench) -> None:
    data = np.random.default_rng(7).uniform(-1, 1, (1, 4, 6, 1)).astype(np.float32)
    (spectrum,) = ran(_fixed(bench, "DFT"), data)
    expected = np.fft.rfft(data[..., 0], axis=2)
    np.testing.assert_allclose(spectrum, np.stack([expected.real, expected.imag], axis=-1), atol=1e-5)
    small = np.random.default_rng(7).uniform(-1, 1, (2, 3)).astype(np.float32)
    np.testing.assert_array_equal(ran(_fixed(bench, "Clip to a most alone"), small)[0], small.clip(None, 0.1))
    np.testing.assert_array_equal(ran(_fixed(bench, "Clip of doubles"), small.astype(np.float64))[0], small.clip(0.25))
    np.testing.assert_array_equal(ran(_fixed(bench, "Reshape"), small)[0], small.reshape(3, 2))


def _fixed(bench: Bench, name: str) -> Any:
    form = OLD_FORMS[name]
    path = bench.written(a_model(form, form.new))
    return onnx.load_model(str(bench.fixed(path, f"attributes-to-inputs:ai.onnx:{form.type}")))


@pytest.mark.parametrize("name", ["Clip", "Dropout", "Squeeze", "Unsqueeze", "ReduceSum", "Split", "ReduceMean"])
def test_that_the_converter_of_onnx_writes_a_model_with_the_same_results(bench: Bench, name: str) -> None:
    form = OLD_FORMS[name]
    converted = onnx.version_converter.convert_version(a_model(form, form.old), form.new)
    data = np.random.default_rng(5).uniform(-1, 1, form.shape).astype(np.float32)
    for ours, theirs in zip(ran(_fixed(bench, name), data), ran(converted, data), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_that_every_attribute_that_onnx_made_an_input_is_known() -> None:
    history: dict[str, list[Any]] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "":
            history.setdefault(schema.name, []).append(schema)
    moved: dict[str, dict[str, str]] = {}
    for operator, schemas in history.items():
        schemas.sort(key=lambda schema: schema.since_version)
        for before, after in itertools.pairwise(schemas):
            new = {item.name.casefold() for item in after.inputs} - {item.name.casefold() for item in before.inputs}
            for name in set(before.attributes) - set(after.attributes):
                # One was renamed on the way: ``value`` of Pad is ``constant_value``.
                if any(item.endswith(name) for item in new):
                    moved.setdefault(operator, {})[name] = before.attributes[name].type.name
    assert moved == {
        operator: {name: KINDS[item.written].name for name, item in attributes.items()}
        for operator, attributes in MOVED.items()
    }


def test_that_a_half_gets_halves_and_the_largest_float_no_limit(bench: Bench) -> None:
    form = dataclasses.replace(OLD_FORMS["Clip"], element=HALF, attributes={"min": 0.1, "max": 3.4028234663852886e38})
    fixed = onnx.load_model(str(bench.fixed(bench.written(a_model(form, 13)), "attributes-to-inputs:ai.onnx:Clip")))
    least, most = (numpy_helper.to_array(node.attribute[0].t) for node in fixed.graph.node[:2])
    assert (least.dtype, least, most) == (np.float16, np.float16(0.1), np.float16(np.inf))
    data = np.float16([[-1, 0.05, 0.2], [60000, 65504, 1]])
    np.testing.assert_array_equal(ran(fixed, data)[0], data.clip(np.float16(0.1)))


def nested(opset: int) -> Any:
    """Return a model with a Clip in both branches of an If, whose names are those that a fix would take."""
    inner = onnx.ValueInfoProto(name="old_min")
    branches = [
        helper.make_graph([helper.make_node("Clip", ["x"], ["old_min"], name="old", min=least)], name, [], [inner])
        for name, least in (("then", 0.25), ("otherwise", 0.5))
    ]
    condition = numpy_helper.from_array(np.bool_(True), "yes")
    node = helper.make_node("If", ["yes"], ["y"], name="if", then_branch=branches[0], else_branch=branches[1])
    values = [helper.make_tensor_value_info(name, FLOAT, [2, 3]) for name in ("x", "y")]
    graph = helper.make_graph([node], "nested", values[:1], values[1:], [condition])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def test_that_nodes_of_nested_graphs_get_constants_beside_them_under_free_names(bench: Bench) -> None:
    path = bench.written(nested(13))
    assert not bench.is_taken(path)
    fixed = onnx.load_model(str(bench.fixed(path, "attributes-to-inputs:ai.onnx:Clip")))
    made = [[list(node.output) for node in item.g.node] for item in fixed.graph.node[0].attribute]
    assert made == [[["old_min_2"], ["old_min"]], [["old_min_3"], ["old_min"]]]
    data = np.random.default_rng(3).uniform(-1, 1, (2, 3)).astype(np.float32)
    np.testing.assert_array_equal(ran(fixed, data)[0], ran(nested(10), data)[0])


def test_that_nodes_of_functions_stay_as_they_are(bench: Bench) -> None:
    body = [helper.make_node("Clip", ["a"], ["b"], name="old", min=0.0)]
    imports = [helper.make_opsetid("", 13), helper.make_opsetid("own", 1)]
    function = helper.make_function("own", "F", ["a"], ["b"], body, imports[:1])
    values = [helper.make_tensor_value_info(name, FLOAT, [2]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("F", ["x"], ["y"], domain="own")], "g", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=imports, functions=[function], ir_version=8)
    path = bench.written(model)
    assert not bench.is_taken(path)
    assert [item for item in bench.offers(path) if item.startswith("attributes-to-inputs")] == []
    with pytest.raises(InputError, match=r"No attribute of ai\.onnx:Clip can be made an input"):
        edits_of(bench.target(path), "attributes-to-inputs:ai.onnx:Clip")

    # Beside one that can be mended: that one alone is, and nothing is said to be solved of the other.
    model.graph.node[0].output[0] = "inside"
    model.graph.node.append(helper.make_node("Clip", ["inside"], ["y"], name="outside", min=0.0))
    path = bench.written(model)
    assert [offer.solves for name, offer in bench.offers(path).items() if name.startswith("attributes")] == []
    fixed = onnx.load_model(str(bench.fixed(path, "attributes-to-inputs:ai.onnx:Clip")))
    assert fixed.functions == model.functions
    assert [node.op_type for node in fixed.graph.node] == ["F", "Constant", "Clip"]


def no_list(model: Any) -> None:
    """Write axes as one number, as a tool that knows no lists does."""
    model.graph.node[0].attribute[0].CopyFrom(helper.make_attribute("axes", 1))


def empty_list(model: Any) -> None:
    model.graph.node[0].attribute[0].CopyFrom(helper.make_attribute("axes", [], attr_type=onnx.AttributeProto.INTS))


def both_forms(model: Any) -> None:
    model.graph.initializer.append(numpy_helper.from_array(integers(1), "axes"))
    model.graph.node[0].input.append("axes")


def unknown_as_well(model: Any) -> None:
    model.graph.node[0].attribute.append(helper.make_attribute("consumed", 1))


@pytest.mark.parametrize("edit", [no_list, empty_list, both_forms, unknown_as_well])
def test_that_what_is_not_certain_is_not_offered(bench: Bench, edit: Any) -> None:
    model = a_model(OLD_FORMS["Unsqueeze"], 13)
    edit(model)
    path = bench.written(model)
    assert not bench.is_taken(path)
    assert [item for item in bench.offers(path) if item.startswith("attributes-to-inputs")] == []


def test_that_a_type_that_is_not_known_is_no_reason_to_guess(bench: Bench) -> None:
    model = a_model(OLD_FORMS["Clip"], 13)
    model.graph.node.insert(0, helper.make_node("Unknown", ["x"], ["made"], domain="nobody"))
    model.graph.node[1].input[0] = "made"
    model.opset_import.append(helper.make_opsetid("nobody", 1))
    path = bench.written(model)
    assert [item for item in bench.offers(path) if item.startswith("attributes-to-inputs")] == []
