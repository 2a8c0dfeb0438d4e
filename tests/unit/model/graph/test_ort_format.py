"""ONNX Runtime's own format: what its converter wrote, against the model that it wrote it from."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import onnxruntime  # noqa: TID253 - the independent source
import pytest
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253

from opstudio.base.errors import InputError
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import FileFormat, ModelRecord
from opstudio.model.graph.tensor_values import read_values
from tests.unit.model.graph.samples import a_branch, sample, written

WEIGHT = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Let ONNX Runtime write a model in its own format, without optimising it."""
    folder = tmp_path_factory.mktemp("ort")
    branches = {
        "then_branch": a_branch("then", helper.make_node("Relu", ["m"], ["r"], name="nested"), output="r"),
        "else_branch": a_branch("else", helper.make_node("Neg", ["m"], ["n"]), output="n"),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], name="product"),
        helper.make_node("If", ["flag"], ["c"], name="choice", **branches),
        helper.make_node("LeakyRelu", ["c"], ["l"], name="leak", alpha=0.25),
        helper.make_node("Transpose", ["l"], ["t"], name="turn", perm=[1, 0]),
        helper.make_node("SequenceConstruct", ["t", "t"], ["y"], name="pair"),
    ]
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3]),
        helper.make_tensor_value_info("flag", TensorProto.BOOL, []),
    ]
    outputs = [helper.make_tensor_sequence_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "g", inputs, outputs, [numpy_helper.from_array(WEIGHT, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9, producer_name="tests")
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.optimized_model_filepath = str(folder / "model.ort")
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(str(written(folder, model)), options, providers=["CPUExecutionProvider"])
    return folder / "model.ort"


@pytest.fixture(scope="module")
def record(converted: Path) -> ModelRecord:
    return read_model(converted)


def test_that_the_format_and_its_version_are_told(record: ModelRecord) -> None:
    assert (record.format, record.runtime_version) == (FileFormat.ORT, "6")
    assert (record.ir_version, record.producer, record.opsets[""]) == (9, "tests", 17)


def test_that_nodes_are_those_of_the_model(record: ModelRecord) -> None:
    nodes = {node.name: node for node in record.graph.nodes}
    kinds = {name: (node.type, node.inputs, node.outputs, node.provider) for name, node in nodes.items()}
    assert kinds == {
        "product": ("MatMul", ("x", "w"), ("m",), "CPUExecutionProvider"),
        "choice": ("If", ("flag",), ("c",), "CPUExecutionProvider"),
        "leak": ("LeakyRelu", ("c",), ("l",), "CPUExecutionProvider"),
        "turn": ("Transpose", ("l",), ("t",), "CPUExecutionProvider"),
        "pair": ("SequenceConstruct", ("t", "t"), ("y",), "CPUExecutionProvider"),
    }
    assert [(item.name, item.value) for item in nodes["leak"].attributes] == [("alpha", 0.25)]
    assert [(item.name, item.value) for item in nodes["turn"].attributes] == [("perm", (1, 0))]
    nested = {name: [node.type for node in graph.nodes] for name, graph in nodes["choice"].subgraphs}
    assert nested == {"then_branch": ["Relu"], "else_branch": ["Neg"]}


def test_that_types_and_weights_are_those_of_the_model(record: ModelRecord) -> None:
    assert [str(value.type) for value in record.graph.inputs] == ["float32[batch, 3]", "bool[]"]
    assert [(value.name, str(value.type)) for value in record.graph.outputs] == [("y", "sequence(float32)")]
    (weight,) = record.graph.initializers
    assert (weight.name, weight.shape, weight.problem) == ("w", (3, 4), "")
    assert read_values(record, weight).tolist() == WEIGHT.ravel().tolist()


def test_that_a_real_file_with_a_custom_operator_is_read() -> None:
    record = read_model(sample("open/ortfmt_custom.ort"))
    assert (record.format, record.opsets["test"]) == (FileFormat.ORT, 1)
    assert [(node.domain, node.type) for node in record.graph.nodes] == [("test", "Foo")]


def test_that_a_file_cut_anywhere_is_refused_or_read_in_part(converted: Path, tmp_path: Path) -> None:
    content = converted.read_bytes()
    refused = 0
    for length in range(8, len(content), 61):
        path = tmp_path / "cut.ort"
        path.write_bytes(content[:length])
        with contextlib.suppress(InputError):
            read_model(path)
            continue
        refused += 1
    assert refused > 20
