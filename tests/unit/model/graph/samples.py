"""Models for the tests of the reader: real files where they are there, and one with everything that ONNX has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import (  # noqa: TID253 - models are what this is about
    AttributeProto,
    ModelProto,
    SparseTensorProto,
    TensorProto,
    helper,
    numpy_helper,
)

PROJECT = Path(__file__).resolve().parents[4]
SAMPLES = Path(os.environ.get("OPSTUDIO_SAMPLES", PROJECT.parent / "shared" / "data")) / "models"


def sample(name: str) -> Path:
    """Return a real file; the test is skipped where the collection is not there."""
    path = SAMPLES / name
    if not path.exists():
        pytest.skip(f"no sample {name} under {SAMPLES}; OPSTUDIO_SAMPLES names their folder")
    return path


def real_models() -> list[Path]:
    """Return the real files that onnx itself can load, none where the collection is not there."""
    broken = {"corrupt_30_bytes.onnx", "html_error_page.onnx", "lfs_pointer.onnx", "empty.onnx"}
    return sorted(path for path in SAMPLES.rglob("*.onnx") if path.name not in broken)


def a_branch(name: str, *nodes: Any, output: str) -> Any:
    """Return a graph without inputs, as branches of an If are."""
    weights = [numpy_helper.from_array(np.float32([1.5, -2.0]), f"{name}_weight")]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)]
    return helper.make_graph(list(nodes), name, [], outputs, weights)


def rich_model() -> ModelProto:
    """Return a model with functions, nested graphs, all kinds of attributes and types, notes and annotations."""
    inner = helper.make_node(
        "If",
        ["flag"],
        ["inner_out"],
        name="inner",
        then_branch=a_branch("deep_then", helper.make_node("Neg", ["x"], ["n"]), output="n"),
        else_branch=a_branch("deep_else", helper.make_node("Abs", ["shifted"], ["m"]), output="m"),
    )
    outer = helper.make_node(
        "If",
        ["flag"],
        ["chosen"],
        name="outer",
        then_branch=a_branch("then", inner, output="inner_out"),
        else_branch=a_branch("else", helper.make_node("Identity", ["x"], ["same"]), output="same"),
    )
    everything = helper.make_node(
        "Everything",
        ["x", "", "chosen"],
        ["y", ""],
        name="all kinds",
        domain="lab",
        overload="second",
        gain=0.5,
        count=-(1 << 63),
        mode="größe",
        tensor=numpy_helper.from_array(np.arange(6, dtype=np.int16).reshape(2, 3), "six"),
        factors=[0.25, float("inf")],
        sizes=[1, -1, 1 << 62],
        words=["a", "", "ß"],
        tensors=[numpy_helper.from_array(np.array([True]), "one"), numpy_helper.from_array(np.array(["s"]), "two")],
        type=helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.INT64, ["n", 2, None])),
    )
    raw = everything.attribute.add()
    raw.name, raw.type, raw.s = "raw", AttributeProto.STRING, b"\xff\x00"
    sparse = everything.attribute.add()
    sparse.name, sparse.type = "sparse", AttributeProto.SPARSE_TENSOR
    sparse.sparse_tensor.CopyFrom(a_sparse_tensor("in attribute"))
    entry = everything.metadata_props.add()
    entry.key, entry.value = "pkg.torch.onnx.stack_trace", 'File "model.py", line 7, in forward'
    everything.doc_string = "says what it does"

    gate = helper.make_node("Everything", ["a"], ["b"], domain="lab")
    gate.attribute.add(name="gain", type=AttributeProto.FLOAT, ref_attr_name="gain")
    function = helper.make_function(
        "local",
        "Gate",
        ["a"],
        ["b"],
        [gate],
        [helper.make_opsetid("ai.onnx", 17), helper.make_opsetid("lab", 2)],
        attributes=["gain"],
        attribute_protos=[helper.make_attribute("slope", 0.1)],
        doc_string="a gate",
        overload="f32",
    )
    types = {
        "seq": helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, None)),
        "opt": helper.make_optional_type_proto(helper.make_tensor_type_proto(TensorProto.BFLOAT16, [])),
        "map": helper.make_map_type_proto(
            TensorProto.INT64, helper.make_tensor_type_proto(TensorProto.STRING, ["batch"])
        ),
        "sp": helper.make_sparse_tensor_type_proto(TensorProto.DOUBLE, [3, "k"]),
    }
    graph = helper.make_graph(
        [
            helper.make_node("Add", ["x", "w"], ["shifted"], domain="ai.onnx"),
            outer,
            everything,
            helper.make_node("Gate", ["y"], ["z"], domain="local", gain=2.0),
        ],
        "main",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3, None]),
            helper.make_tensor_value_info("flag", TensorProto.BOOL, []),
            helper.make_tensor_value_info("w", TensorProto.FLOAT, [3]),
            *(helper.make_value_info(name, type_proto) for name, type_proto in types.items()),
        ],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, None)],
        [
            numpy_helper.from_array(np.float32([1, 2, 3]), "w"),
            helper.make_tensor("typed", TensorProto.FLOAT, [2], [0.5, 1.5]),
            helper.make_tensor("words", TensorProto.STRING, [2], [b"one", b"two"]),
            helper.make_tensor("nothing", TensorProto.INT32, [0], []),
        ],
        doc_string="the main graph",
        value_info=[helper.make_tensor_value_info("shifted", TensorProto.FLOAT, ["batch", 3, "width"])],
        sparse_initializer=[a_sparse_tensor("thin")],
    )
    annotation = graph.quantization_annotation.add(tensor_name="shifted")
    annotation.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="w")
    imports = [helper.make_opsetid(*item) for item in (("ai.onnx", 18), ("lab", 2), ("local", 1))]
    model = helper.make_model(graph, opset_imports=imports, functions=[function], producer_name="tests")
    model.producer_version, model.domain, model.model_version, model.doc_string = "1.2", "org.example", 7, "a model"
    helper.set_model_props(model, {"author": "nobody", "empty": ""})
    return model


def a_sparse_tensor(name: str) -> SparseTensorProto:
    """Return a tensor of ten elements of which two are stored."""
    values = numpy_helper.from_array(np.float16([1.0, 2.0]), name)
    return helper.make_sparse_tensor(values, numpy_helper.from_array(np.int64([3, 7]), "places"), [10])


def written(folder: Path, model: ModelProto, name: str = "model.onnx") -> Path:
    """Write a model as it is, also one that onnx's checker would refuse."""
    path = folder / name
    path.write_bytes(model.SerializeToString())
    return path
