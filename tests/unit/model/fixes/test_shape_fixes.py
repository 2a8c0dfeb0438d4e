"""Fixes of types and shapes: sizes that vary or not, and what contracts say behind a custom node."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - the second opinion
import pytest
from onnx import TensorProto, checker, helper, load_model, numpy_helper  # noqa: TID253

from opstudio.jobs.cancel import CancelToken
from opstudio.model.fixes.fix import FixTarget
from opstudio.model.fixes.registry import edits_of, find_offers
from opstudio.model.fixes.splices import write_spliced
from opstudio.model.graph.reader import read_model
from opstudio.workflows.graph import examine_model_file
from opstudio.workflows.workspace_contracts import contracts_at
from tests.support.workspaces import KERNELS
from tests.unit.model.fixes.broken_models import Bench, a_model


def a_static_model(*, reshaped: bool) -> Any:
    """Return a model for two rows: a sum, and perhaps a shape that holds the two."""
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Add", ["x", "w"], ["shifted"], name="shift")]
    weights = [numpy_helper.from_array(np.float32([1, 2, 3]), "w")]
    if reshaped:
        weights.append(numpy_helper.from_array(np.int64([2, 3]), "shape"))
        nodes.append(helper.make_node("Reshape", ["shifted", "shape"], ["reshaped"], name="reshape"))
    nodes.append(helper.make_node("Relu", [nodes[-1].output[0]], ["y"], name="relu"))
    graph = helper.make_graph(
        nodes,
        "static",
        [value("x", TensorProto.FLOAT, [2, 3])],
        [value("y", TensorProto.FLOAT, [2, 3])],
        weights,
        value_info=[value("shifted", TensorProto.FLOAT, [2, 3]), value("elsewhere", TensorProto.FLOAT, [2])],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def ran(path: Path, rows: int) -> tuple[int, ...] | None:
    """Run a model with a number of rows; return the shape of what it makes, ``None`` where it refuses them."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    try:
        (made,) = session.run(None, {"x": np.zeros((rows, 3), np.float32)})
    except Exception:  # noqa: BLE001 - its errors have no common class
        return None
    return tuple(made.shape)


def test_that_an_axis_that_varies_takes_other_sizes_and_nothing_else_is_changed(bench: Bench) -> None:
    path = bench.written(a_static_model(reshaped=False))
    assert (ran(path, 2), ran(path, 5)) == ((2, 3), None)
    fixed = bench.fixed(path, "make-dynamic:x[0]=batch")
    assert (ran(fixed, 2), ran(fixed, 5)) == ((2, 3), (5, 3))

    expected = a_static_model(reshaped=False)
    for value in (expected.graph.input[0], expected.graph.output[0]):
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    del expected.graph.value_info[0]
    assert load_model(str(fixed)) == expected


def test_that_a_shape_that_holds_the_size_is_warned_about(bench: Bench) -> None:
    path = bench.written(a_static_model(reshaped=True))
    edits = edits_of(bench.target(path), "make-dynamic:x[0]=batch")
    assert [note for edit in edits for note in edit.notes] == [
        "reshape has the constant shape [2, 3]: it holds the size 2 and stays as it is"
    ]
    # The warning is right: the model takes the input and fails inside.
    assert ran(bench.fixed(path, "make-dynamic:x[0]=batch"), 5) is None


def test_that_values_of_nested_graphs_do_not_keep_the_size(bench: Bench) -> None:
    model = a_static_model(reshaped=False)
    value = helper.make_tensor_value_info
    branches = [
        helper.make_graph(
            [helper.make_node("Neg", ["shifted"], ["less"]), helper.make_node(kind, ["less"], ["kept"])],
            name,
            [],
            [value("kept", TensorProto.FLOAT, [2, 3])],
            value_info=[value("less", TensorProto.FLOAT, [2, 3])],
        )
        for kind, name in (("Neg", "then"), ("Abs", "otherwise"))
    ]
    choice = helper.make_node("If", ["yes"], ["chosen"], then_branch=branches[0], else_branch=branches[1])
    model.graph.node.insert(1, choice)
    model.graph.node[2].input[0] = "chosen"
    model.graph.initializer.append(numpy_helper.from_array(np.bool_(True), "yes"))
    path = bench.written(model)
    assert (ran(path, 2), ran(path, 5)) == ((2, 3), None)
    fixed = bench.fixed(path, "make-dynamic:x[0]=n")
    assert (ran(fixed, 2), ran(fixed, 5)) == ((2, 3), (5, 3))
    (branch, _) = (attribute.g for attribute in load_model(str(fixed)).graph.node[1].attribute)
    assert (len(branch.value_info), branch.output[0].type.tensor_type.shape.dim[1].dim_value) == (0, 3)
    assert not branch.output[0].type.tensor_type.shape.dim[0].WhichOneof("value")


def test_that_a_size_with_a_name_is_fixed_wherever_it_stands(bench: Bench) -> None:
    model = a_static_model(reshaped=False)
    values = (model.graph.input[0], model.graph.output[0], model.graph.value_info[0])
    for value in values:
        value.type.tensor_type.shape.dim[0].dim_param = "rows"
        value.type.tensor_type.shape.dim[0].denotation = "DATA_BATCH"
    path = bench.written(model)
    assert ran(path, 4) == (4, 3)
    assert "make-fixed:x[0]=1" in bench.offers(path)
    fixed = bench.fixed(path, "make-fixed:x[0]=7")
    assert (ran(fixed, 4), ran(fixed, 7)) == (None, (7, 3))

    for value in values:
        value.type.tensor_type.shape.dim[0].dim_value = 7
    assert load_model(str(fixed)) == model


def test_that_a_size_without_a_name_can_be_fixed(bench: Bench) -> None:
    model = a_static_model(reshaped=False)
    model.graph.input[0].type.tensor_type.shape.dim[0].Clear()
    model.graph.output[0].type.tensor_type.shape.dim[0].Clear()
    fixed = bench.fixed(bench.written(model), "make-fixed:x[0]=7")
    assert (ran(fixed, 4), ran(fixed, 7)) == (None, (7, 3))


def a_model_of_relu6_scale(*, described: bool) -> Any:
    value = helper.make_tensor_value_info
    nodes = [
        helper.make_node("Relu6Scale", ["x"], ["scaled"], name="scale", domain="myops", scale=2.0),
        helper.make_node("Relu6Scale", ["scaled"], ["y"], name="again", domain="myops", scale=2.0),
    ]
    output = value("y", TensorProto.FLOAT, ["n", 3, 8] if described else None)
    shapes = [value("scaled", TensorProto.FLOAT, ["n", 3, 8])] if described else []
    graph = helper.make_graph(
        nodes, "scales", [value("x", TensorProto.FLOAT, ["n", 3, 8])], [output], value_info=shapes
    )
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("myops", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def test_that_a_contract_describes_what_nodes_of_its_operator_make(bench: Bench) -> None:
    path = bench.written(a_model_of_relu6_scale(described=False))
    contracts = contracts_at(KERNELS)
    report = examine_model_file(read_model(path), bench.knowledge, CancelToken(), contracts=contracts)
    target = FixTarget(evidence=report.evidence, findings=report.findings)
    identifier = "attach-shapes:myops:Relu6Scale"
    (offer,) = [item for item in find_offers(target) if item.id == identifier]
    assert "2 values" in offer.title

    splices = [item for edit in edits_of(target, identifier) for item in edit.splices]
    fixed = path.with_name("fixed.onnx")
    write_spliced(target.model, splices, fixed, CancelToken())
    assert load_model(str(fixed)) == a_model_of_relu6_scale(described=True)
    checker.check_model(str(fixed))


def test_that_an_attribute_is_called_as_the_contract_calls_it(bench: Bench) -> None:
    model = a_model_of_relu6_scale(described=True)
    for node in model.graph.node:
        node.attribute[0].name = "Scale"
    path = bench.written(model)
    contracts = contracts_at(KERNELS)
    report = examine_model_file(read_model(path), bench.knowledge, CancelToken(), contracts=contracts)
    target = FixTarget(evidence=report.evidence, findings=report.findings)
    identifier = "rename-attribute:myops:Relu6Scale.Scale=scale"
    assert identifier in {offer.id for offer in find_offers(target)}

    fixed = path.with_name("fixed.onnx")
    write_spliced(
        target.model,
        [item for edit in edits_of(target, identifier) for item in edit.splices],
        fixed,
        CancelToken(),
    )
    assert load_model(str(fixed)) == a_model_of_relu6_scale(described=True)


@pytest.mark.parametrize("size", [1, 2**31 - 1])
def test_that_sizes_of_any_length_are_written(bench: Bench, size: int) -> None:
    model = a_model()
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "n" * 200
    fixed = bench.fixed(bench.written(model), f"make-fixed:x[0]={size}")
    assert load_model(str(fixed)).graph.input[0].type.tensor_type.shape.dim[0].dim_value == size
