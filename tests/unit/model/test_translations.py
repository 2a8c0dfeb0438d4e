"""Operators as nodes of their own domain: what both exporters write for contracts of every shape."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opstudio.base.data_type import DataType
from opstudio.contract.operator import AttributeKind, OperatorContract, Output
from opstudio.contract.torch_schema import render_schema
from opstudio.model.expectation import differences
from opstudio.model.export import export_model
from opstudio.model.export_request import DynamicAxis, Exporter, ExportRecord, ExportRequest, Route
from opstudio.model.exportable import Exportable
from opstudio.model.translations import node_schema, translation_entry
from tests.support.contracts import a_contract, an_attribute, an_input

KINDS = AttributeKind
EVERYTHING = a_contract(
    name="everything",
    inputs=(
        an_input("x", "[*B, N]"),
        an_input("bias", "[N]", optional=True),
        an_input("rest", "[*B, N]", variadic=True),
    ),
    attributes=(
        an_attribute("axis", KINDS.INT),
        an_attribute("scale", KINDS.FLOAT, 0.5),
        an_attribute("keep", KINDS.BOOL, default=True),
        an_attribute("mode", KINDS.STRING, "sum", ("sum", "mean")),
        an_attribute("picks", KINDS.INTS, (1, 2)),
        an_attribute("weights", KINDS.FLOATS, ()),
    ),
    outputs=(
        Output(name="y", same_type_as="x", shape="[*B, len(picks)]"),
        Output(name="number", type=DataType.INT64, shape="[axis, N]"),
        Output(name="like", same_type_as="x", shape="x"),
    ),
)
DYNAMIC = (DynamicAxis(input="x", axis=0, name="batch"), DynamicAxis(input="other", axis=0, name="batch"))


def everything(
    x: Any,
    _bias: Any,
    _rest: Any,
    axis: int,
    _scale: float = 0.5,
    _keep: bool = True,  # noqa: FBT001, FBT002
    _mode: str = "sum",
    picks: Any = (1, 2),
    _weights: Any = (),
) -> Any:
    import torch

    return x[..., list(picks)].clone(), torch.zeros(axis, x.shape[-1], dtype=torch.int64, device=x.device), x * 2


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    import torch

    library = torch.library.Library("myops", "FRAGMENT")
    library.define(render_schema(EVERYTHING))
    library.impl("everything", everything, "CompositeExplicitAutograd")
    yield
    library._destroy()


def export(exporter: Exporter, path: Path, module: Any, *, route: Route = Route.CUSTOM) -> ExportRecord:
    import torch

    exportable = Exportable(
        make=lambda: module,
        inputs=(torch.ones(2, 4),),
        named={"other": torch.ones(2, 4)},
        contracts=(EVERYTHING,),
        references={"myops::everything": everything},
    )
    request = ExportRequest(exporter=exporter, route=route, opset=18, dynamic=DYNAMIC)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        record = export_model(exportable, request, path, path.parent)
    assert record.error == ""
    return record


def a_module(body: str) -> Any:
    """Return a module whose ``forward(x, other)`` returns this expression."""
    import torch

    space: dict[str, Any] = {}
    exec(f"def forward(self, x, other):\n    return {body}\n", {"torch": torch}, space)  # noqa: S102 - written above
    return type("Model", (torch.nn.Module,), space)()


def graph_of(path: Path) -> Any:
    import onnx

    return onnx.load(str(path)).graph


def attributes_of(node: Any) -> dict[str, Any]:
    import onnx

    return {item.name: (item.type, onnx.helper.get_attribute_value(item)) for item in node.attribute}


ALL = "torch.ops.myops.everything(x, {bias}, [{rest}], 3, 0.25, False, 'mean', [0], [0.5, 2.0])"


@pytest.mark.parametrize("exporter", Exporter)
def test_that_attributes_of_every_kind_reach_the_node(tmp_path: Path, exporter: Exporter) -> None:
    record = export(exporter, tmp_path / "m.onnx", a_module(ALL.format(bias="x[0]", rest="other, x")))

    (node,) = [node for node in graph_of(tmp_path / "m.onnx").node if node.domain == "myops"]
    int_, float_, string, floats, ints = 2, 1, 3, 6, 7
    assert attributes_of(node) == {
        "axis": (int_, 3),
        "scale": (float_, 0.25),
        "keep": (int_, 0),
        "mode": (string, b"mean"),
        "picks": (ints, [0]),
        "weights": (floats, [0.5, 2.0]),
    }
    assert differences(record) == ()


@pytest.mark.parametrize("exporter", Exporter)
def test_that_defaults_are_written_out(tmp_path: Path, exporter: Exporter) -> None:
    module = a_module("torch.ops.myops.everything(x, None, [other], 1)")

    record = export(exporter, tmp_path / "m.onnx", module)

    (node,) = graph_of(tmp_path / "m.onnx").node
    found = {name: value for name, (_, value) in attributes_of(node).items()}
    assert found == {"axis": 1, "scale": 0.5, "keep": 1, "mode": b"sum", "picks": [1, 2], "weights": []}
    assert [item.kind for item in differences(record)] == []


@pytest.mark.parametrize("exporter", Exporter)
@pytest.mark.parametrize(
    ("bias", "rest", "inputs"),
    [
        ("torch.ops.aten.sum(x, [0])", "other", ["x", "bias", "other"]),
        ("None", "other, other", ["x", "", "other", "other"]),
        ("None", "", ["x"]),
    ],
)
def test_that_absent_inputs_keep_their_places(
    tmp_path: Path, exporter: Exporter, bias: str, rest: str, inputs: list[str]
) -> None:
    body = ALL.format(bias=bias, rest=rest) + ("" if "other" in rest else "[0] + other[0, 0]")

    record = export(exporter, tmp_path / "m.onnx", a_module(body))

    nodes = graph_of(tmp_path / "m.onnx").node
    (node,) = [node for node in nodes if node.domain == "myops"]
    sums = [node.output[0] for node in nodes if node.op_type == "ReduceSum"]
    assert list(node.input) == [sums[0] if name == "bias" else name for name in inputs]
    assert differences(record) == ()


@pytest.mark.parametrize("exporter", Exporter)
def test_that_outputs_have_the_types_and_sizes_of_their_rules(tmp_path: Path, exporter: Exporter) -> None:
    export(exporter, tmp_path / "m.onnx", a_module(ALL.format(bias="None", rest="other")))

    found = {
        item.name: (
            item.type.tensor_type.elem_type,
            [size.dim_param or size.dim_value for size in item.type.tensor_type.shape.dim],
        )
        for item in graph_of(tmp_path / "m.onnx").output
    }
    float32, int64 = 1, 7
    assert found == {
        "output_0": (float32, ["batch", 1]),
        "output_1": (int64, [3, 4]),
        "output_2": (float32, ["batch", 4]),
    }


@pytest.mark.parametrize("exporter", Exporter)
def test_that_the_reference_stands_in_on_the_standard_route(tmp_path: Path, exporter: Exporter) -> None:
    call = ALL.format(bias="None", rest="other")
    module = a_module(call.replace("everything(", "everything.default(") + "[2] + " + call + "[2] + other")

    record = export(exporter, tmp_path / "m.onnx", module, route=Route.STANDARD)

    assert differences(record) == ()
    assert {node.domain for node in graph_of(tmp_path / "m.onnx").node} == {""}
    assert len(record.calls) == 2


def test_that_the_schema_of_a_node_has_an_input_for_every_tensor() -> None:
    import onnx

    schema = node_schema(EVERYTHING, [1, 1, 2], 4)

    options = onnx.defs.OpSchema.FormalParameterOption
    assert (schema.name, schema.domain, schema.since_version) == ("Everything", "myops", 4)
    assert [(item.name, item.option) for item in schema.inputs] == [
        ("x", options.Single),
        ("bias", options.Optional),
        ("rest_0", options.Single),
        ("rest_1", options.Single),
    ]
    assert [(item.name, item.type_str) for item in schema.outputs] == [
        ("y", "T_x"),
        ("number", "tensor(int64)"),
        ("like", "T_x"),
    ]
    assert [name for name, item in schema.attributes.items() if item.required] == ["axis"]
    assert onnx.helper.get_attribute_value(schema.attributes["mode"].default_value) == b"sum"
    assert onnx.helper.get_attribute_value(schema.attributes["picks"].default_value) == [1, 2]


def test_that_the_domain_has_the_version_that_is_asked_for(tmp_path: Path) -> None:
    import onnx
    import torch

    module, path = a_module("torch.ops.myops.everything(x, None, [other], 1)"), tmp_path / "m.onnx"
    table = translation_entry(EVERYTHING, torch.ops.myops.everything, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            module.eval(),
            (torch.ones(2, 4), torch.ones(2, 4)),
            dynamo=True,
            verbose=False,
            custom_translation_table=table,
        )
    program.save(str(path))

    assert {item.domain: item.version for item in onnx.load(str(path)).opset_import}["myops"] == 4


def test_that_the_contract_of_these_tests_is_one() -> None:
    assert isinstance(EVERYTHING, OperatorContract)
    assert render_schema(EVERYTHING).startswith("everything(Tensor x, Tensor? bias, Tensor[] rest, int axis")
