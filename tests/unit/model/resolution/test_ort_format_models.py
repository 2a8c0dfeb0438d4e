"""Files in ONNX Runtime's own format: written by the runtime, and taken or refused as it takes or refuses them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - it writes the files, and is the oracle
import pytest
from onnx import TensorProto, ValueInfoProto, helper, numpy_helper  # noqa: TID253 - models are the subject

from opstudio.diagnosis.engine import diagnose
from opstudio.diagnosis.models import ModelContext
from opstudio.model.graph.reader import read_model
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.evidence import examine_model
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables


def plain() -> Any:
    return [helper.make_node("Neg", ["x"], ["y"])], []


def scan_over_two_types() -> Any:
    body = helper.make_graph(
        [helper.make_node("Add", ["state", "each"], ["next"]), helper.make_node("Neg", ["half"], ["out"])],
        "body",
        [
            helper.make_tensor_value_info("state", TensorProto.FLOAT, []),
            helper.make_tensor_value_info("each", TensorProto.FLOAT, []),
            helper.make_tensor_value_info("half", TensorProto.DOUBLE, []),
        ],
        [ValueInfoProto(name="next"), ValueInfoProto(name="out")],
    )
    nodes = [
        helper.make_node("Cast", ["x"], ["d"], to=TensorProto.DOUBLE),
        helper.make_node("Scan", ["zero", "x", "d"], ["sum", "y"], body=body, num_scan_inputs=2),
    ]
    return nodes, [numpy_helper.from_array(np.float32(0), "zero")]


def four_bits() -> Any:
    weights = [
        helper.make_tensor("w", TensorProto.INT4, [4], [1, 2, 3, 4]),
        numpy_helper.from_array(np.float32(1), "s"),
    ]
    nodes = [helper.make_node("DequantizeLinear", ["w", "s"], ["f"]), helper.make_node("Add", ["x", "f"], ["y"])]
    return nodes, weights


@pytest.mark.parametrize(("made", "reason"), [(plain, ""), (scan_over_two_types, ""), (four_bits, "w: int4 is read")])
def test_that_a_session_takes_what_is_told_to_be_good(made: Callable[[], Any], reason: str, tmp_path: Path) -> None:
    nodes, weights = made()
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4])]
    graph = helper.make_graph(nodes, "written", inputs, [ValueInfoProto(name="y")], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    path = tmp_path / "model.ort"
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(path)
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])

    evidence = examine_model(read_model(path), Catalogue(read_runtime_tables()))

    assert evidence.good == (not reason)
    findings = diagnose(evidence, ModelContext(stage="graph", file=str(path)))
    assert [(finding.id, finding.cause.startswith(reason)) for finding in findings] == [("MOD002", True)] * bool(reason)
    if reason:
        with pytest.raises(Exception, match="Unsupported tensor data type"):
            onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    else:
        onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
