"""What the runtime says it knows, against what its sessions take and refuse."""

from __future__ import annotations

import json
from typing import Any

import onnxruntime  # noqa: TID253 - the runtime is what this is about
import pytest
from onnx import TensorProto, defs, helper  # noqa: TID253

from opstudio.base.codec import from_json, to_json
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables
from opstudio.model.runtime.records import LATEST, Arity, OperatorSchema, RuntimeTables


@pytest.fixture(scope="module")
def tables() -> RuntimeTables:
    return read_runtime_tables()


def schema_of(tables: RuntimeTables, name: str, since: int, domain: str = "") -> OperatorSchema:
    (found,) = (
        item for item in tables.schemas if (item.domain, item.type, item.since_version) == (domain, name, since)
    )
    return found


def test_that_the_schemas_of_standard_operators_are_those_of_onnx(tables: RuntimeTables) -> None:
    ours = {(item.type, item.since_version): item for item in tables.schemas if item.domain == ""}
    compared = 0
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "" and (known := ours.get((schema.name, schema.since_version))) is not None:
            compared += 1
            assert [(item.name, item.type, item.arity.value.upper()) for item in known.inputs] == [
                (item.name, item.type_str, item.option.name.upper()) for item in schema.inputs
            ]
            assert (known.least_inputs, known.most_inputs) == (schema.min_input, schema.max_input)
            assert {item.name: item.required for item in known.attributes} == {
                name: item.required for name, item in schema.attributes.items()
            }
    assert compared > 500


def test_that_clip_changed_its_form_at_opset_11(tables: RuntimeTables) -> None:
    # Published in ONNX's changelog: min and max were attributes up to opset 10 and are inputs since.
    before, after = schema_of(tables, "Clip", 6), schema_of(tables, "Clip", 11)
    assert ([item.name for item in before.attributes], len(before.inputs)) == (["max", "min"], 1)
    assert [(item.name, item.arity) for item in after.inputs] == [
        ("input", Arity.SINGLE),
        ("min", Arity.OPTIONAL),
        ("max", Arity.OPTIONAL),
    ]


def test_that_the_type_of_an_optional_is_an_attribute_of_its_kind(tables: RuntimeTables) -> None:
    (attribute,) = schema_of(tables, "Optional", 15).attributes
    assert (attribute.name, attribute.kind) == ("type", "TYPE_PROTO")


@pytest.mark.parametrize(
    ("operator", "element_type", "name"),
    [
        ("Abs", TensorProto.FLOAT, "float"),
        ("Abs", TensorProto.UINT16, "uint16"),
        ("Erf", TensorProto.FLOAT, "float"),
        ("Erf", TensorProto.DOUBLE, "double"),
        ("Sin", TensorProto.DOUBLE, "double"),
        ("Relu", TensorProto.BFLOAT16, "bfloat16"),
        ("Relu", TensorProto.INT32, "int32"),
        ("Relu", TensorProto.INT64, "int64"),
    ],
)
def test_that_a_kernel_is_listed_exactly_where_a_session_finds_one(
    tables: RuntimeTables, operator: str, element_type: int, name: str
) -> None:
    wanted = f"tensor({name})"
    listed = any(
        kernel.type == operator
        and kernel.domain == ""
        and kernel.since <= 20 <= kernel.until
        and wanted in kernel.types.get("T", kernel.types.get("X", ()))
        for kernel in tables.kernels
    )
    assert listed == is_taken(operator, element_type)


def is_taken(operator: str, element_type: int) -> bool:
    values = [helper.make_tensor_value_info(name, element_type, [2]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node(operator, ["x"], ["y"])], "one", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    options: Any = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented:
        return False
    return True


def test_that_open_ranges_and_several_domains_are_told(tables: RuntimeTables) -> None:
    assert {item.domain for item in tables.schemas} >= {"", "ai.onnx.ml", "com.microsoft"}
    assert any(kernel.until == LATEST for kernel in tables.kernels)
    assert tables.release == onnxruntime.__version__
    # A contrib operator that only other builds can run: the schema is there, and no kernel.
    assert schema_of(tables, "RestorePadding", 1, "com.microsoft").inputs
    assert not [kernel for kernel in tables.kernels if kernel.type == "RestorePadding"]


def test_that_they_survive_json(tables: RuntimeTables) -> None:
    assert from_json(RuntimeTables, json.loads(json.dumps(to_json(tables)))) == tables
