"""A small good model, the edits that break it, what must be said of each, and what a session says of the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - the second opinion
from onnx import ModelProto, TensorProto, helper, numpy_helper  # noqa: TID253 - models


def a_model() -> ModelProto:
    """Return a good model: an operator of the library between standard ones, with a weight."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", 3]) for name in ("x", "y")]
    nodes = [
        helper.make_node("Add", ["x", "w"], ["shifted"], name="shift"),
        helper.make_node("Twice", ["shifted"], ["doubled"], name="double", domain="lab"),
        helper.make_node("Clip", ["doubled", "low"], ["y"], name="clip"),
    ]
    weights = [numpy_helper.from_array(np.float32([1, 2, 3]), "w"), numpy_helper.from_array(np.float32(0), "low")]
    # The library infers no shapes.
    declared = [helper.make_tensor_value_info("doubled", TensorProto.FLOAT, ["n", 3])]
    graph = helper.make_graph(nodes, "good", values[:1], values[1:], weights, value_info=declared)
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("lab", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=9)


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One edit of the good model, and what must be said of it."""

    id: str
    edit: Callable[[Any], None]
    title: str
    cause: str
    fix: str
    node: str | None = None
    tensor: str | None = None


def other_domain(model: Any) -> None:
    model.graph.node[1].domain = model.opset_import[1].domain = "laboratory"


def capital(model: Any) -> None:
    model.graph.node[1].op_type = "twice"


def no_import(model: Any) -> None:
    del model.opset_import[1]
    model.graph.node[1].domain = "elsewhere"


def second_input(model: Any) -> None:
    model.graph.node[1].input.append("w")


def half(model: Any) -> None:
    model.graph.node[0].op_type = "Cast"
    del model.graph.node[0].input[1:]
    model.graph.node[0].attribute.append(helper.make_attribute("to", TensorProto.DOUBLE))


def brain_float(model: Any) -> None:
    cast = helper.make_node("Cast", ["x"], ["brain"], name="cast", to=TensorProto.BFLOAT16)
    model.graph.node.insert(0, cast)
    model.graph.node.append(helper.make_node("Mul", ["brain", "brain"], ["unused"], name="square"))


def weights_away(model: Any) -> None:
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="weights.bin")


def weights_outside(model: Any) -> None:
    weights_away(model)
    model.graph.initializer[0].external_data[0].value = "../weights.bin"


def unknown_operator(model: Any) -> None:
    model.graph.node[0].op_type = "Addd"


def later_operator(model: Any) -> None:
    model.graph.node[2].op_type = "Swish"
    del model.graph.node[2].input[1:]


def old_form(model: Any) -> None:
    del model.graph.node[2].input[1:]
    model.graph.node[2].attribute.append(helper.make_attribute("min", 0.0))


def mixed_types(model: Any) -> None:
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.float16([1, 2, 3]), "w"))


def future_opset(model: Any) -> None:
    model.opset_import[0].version = 99


def unused_import(model: Any) -> None:
    model.opset_import.append(helper.make_opsetid("ai.onnx.ml", 50))


def other_size(model: Any) -> None:
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.float32([1, 2]), "w"))


def declared_double(model: Any) -> None:
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", TensorProto.DOUBLE, ["n", 3]))


def left_open_attribute(model: Any) -> None:
    node = model.graph.node[2]
    node.op_type, node.domain = "FusedGemm", "com.microsoft"
    model.graph.node[2].input[1] = "square"
    model.graph.initializer.append(numpy_helper.from_array(np.zeros((3, 3), np.float32), "square"))


def wrong_word(model: Any) -> None:
    node = model.graph.node[2]
    node.op_type, node.input[:] = "RNN", ["sequence", "gates", "gates"]
    node.attribute.append(helper.make_attribute("hidden_size", 2))
    node.attribute.append(helper.make_attribute("direction", "forwards"))
    model.graph.initializer.append(numpy_helper.from_array(np.zeros((1, 1, 2), np.float32), "sequence"))
    model.graph.initializer.append(numpy_helper.from_array(np.zeros((1, 2, 2), np.float32), "gates"))
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", TensorProto.FLOAT, None))


def padding_word(model: Any) -> None:
    node = model.graph.node[2]
    node.op_type, node.input[:] = "Conv", ["image", "image"]
    node.attribute.append(helper.make_attribute("auto_pad", "SAME_UPER"))
    model.graph.initializer.append(numpy_helper.from_array(np.zeros((1, 1, 2, 2), np.float32), "image"))
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", TensorProto.FLOAT, None))


def even_size(model: Any) -> None:
    padding_word(model)
    node = model.graph.node[2]
    node.op_type, node.input[:] = "LRN", ["image"]
    node.attribute[0].CopyFrom(helper.make_attribute("size", 2))


def operator_of_microsoft(model: Any) -> None:
    model.graph.node[2].op_type, model.graph.node[2].domain = "Fake_FunctionOp", "com.microsoft"
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))


def letter_of_extensions(model: Any) -> None:
    model.graph.node[1].domain = model.opset_import[1].domain = "ai.onnx.contib"
    model.graph.node[1].op_type = "StringUpper"


def old_attributes(model: Any) -> None:
    old_form(model)
    model.graph.node[2].attribute.append(helper.make_attribute("max", 6.0))


def two_operators(model: Any) -> None:
    for node in (model.graph.node[0], model.graph.node[1]):
        node.domain = "mmdeploy"
    model.graph.node[1].op_type = "grid_sampler"
    model.opset_import[1].domain = "mmdeploy"


def misspelt(model: Any) -> None:
    model.graph.node[2].input[0] = "doubbled"


def made_twice(model: Any) -> None:
    model.graph.node[0].output[0] = "doubled"
    model.graph.node[1].input[0] = "x"


def in_a_circle(model: Any) -> None:
    model.graph.node[0].input[0] = "doubled"


def one_name(model: Any) -> None:
    model.graph.node[0].name = model.graph.node[2].name = "same"


FAULTS = (
    Fault(
        id="ORT001",
        edit=other_domain,
        title="Nobody implements laboratory:Twice",
        cause="1 node: nobody who is loaded provides the domain laboratory",
        fix="Twice is an operator of lab: is it meant?",
        node="double",
    ),
    Fault(
        id="ORT001",
        edit=capital,
        title="Nobody implements lab:twice",
        cause="1 node: the domain lab has no operator twice",
        fix="Did you mean Twice?",
        node="double",
    ),
    Fault(
        id="MOD003",
        edit=no_import,
        title="The domain elsewhere is not imported",
        cause="1 node of elsewhere:Twice: the file does not import the domain elsewhere",
        fix="Add the import elsewhere:1",
        node="double",
    ),
    Fault(
        id="ORT005",
        edit=second_input,
        title="A node and its library differ in the number of inputs",
        cause="lab:Twice: it has 2 inputs, the library's operator has 1",
        fix="Build the library from the contract",
        node="double",
    ),
    Fault(
        id="ORT006",
        edit=half,
        title="A library has no kernel for the type of an input",
        cause="lab:Twice: input 0 is tensor(double), the library's operator takes tensor(float)",
        fix="or put a Cast to tensor(float) before the node",
        node="double",
    ),
    Fault(
        id="ORT016",
        edit=brain_float,
        title="No kernel for Mul",
        cause="none for T tensor(bfloat16)",
        fix="Cast to a type that has a kernel: T: tensor(",
        node="square",
    ),
    Fault(
        id="MOD002",
        edit=weights_away,
        title="Weights of the model cannot be read",
        cause="there is no 'weights.bin' beside the model",
        fix="Put the file with the weights beside the model",
        tensor="w",
    ),
    Fault(
        id="MOD002",
        edit=weights_outside,
        title="Weights of the model cannot be read",
        cause="'../weights.bin' lie outside of the model's folder",
        fix="Do not load the file unless you know where it comes from",
        tensor="w",
    ),
    Fault(
        id="MOD004",
        edit=unknown_operator,
        title="Addd is no operator of ONNX",
        cause="1 node: the standard domain has no operator Addd",
        fix="did you mean Add",
        node="shift",
    ),
    Fault(
        id="MOD004",
        edit=later_operator,
        title="Swish does not exist at the opset of the file",
        cause="Swish exists in the standard domain since version 24; the file imports 18",
        fix="Export with an opset that has it",
        node="clip",
    ),
    Fault(
        id="MOD004",
        edit=old_form,
        title="Clip is written in another form than its opset has",
        cause="version 13 of the operator has no attribute min; at this version it is an input",
        fix="Write the node as the imported opset has it",
        node="clip",
    ),
    Fault(
        id="MOD005",
        edit=mixed_types,
        title="Types do not fit at Add",
        cause="input 0 is tensor(float), input 1 tensor(float16); the operator takes one type for both",
        fix="Put a Cast to tensor(float) before the node",
        node="shift",
    ),
    Fault(
        id="MOD007",
        edit=future_opset,
        title="Versions that the runtime does not know",
        cause="it imports ai.onnx 99; ONNX Runtime",
        fix="Export with opset",
    ),
    Fault(
        id="MOD007",
        edit=unused_import,
        title="Versions that the runtime does not know",
        cause="it imports ai.onnx.ml 50; ONNX Runtime",
        fix="Drop the import: no node uses the domain",
    ),
    Fault(
        id="MOD009",
        edit=other_size,
        title="Shapes do not fit at Add",
        cause="1 node: Incompatible dimensions (x is tensor(float)[n, 3], w is tensor(float)[2])",
        fix="Correct the shape where the input that is not as expected is made",
        node="shift",
        tensor="shifted",
    ),
    Fault(
        id="MOD005",
        edit=declared_double,
        title="Types do not fit at Clip",
        cause="it makes tensor(float) of y, the file says tensor(double)",
        fix="Declare y with the type that the node makes",
        node="clip",
        tensor="y",
    ),
    Fault(
        id="ORT020",
        edit=left_open_attribute,
        title="The kernel of com.microsoft:FusedGemm refuses the node",
        cause="1 node: the kernel of the runtime says: unknown kernel type",
        fix="Give the node the attributes that its kernel asks for",
        node="clip",
    ),
    Fault(
        id="ORT020",
        edit=wrong_word,
        title="The kernel of RNN refuses the node",
        cause="1 node: the kernel of the runtime does not take that direction is 'forwards'",
        fix="Correct the value of direction, to forward; it takes forward, reverse, bidirectional",
        node="clip",
    ),
    Fault(
        id="ORT020",
        edit=padding_word,
        title="The kernel of Conv refuses the node",
        cause="does not take that auto_pad is 'SAME_UPER'; it says: Unknown AutoPadType String",
        fix="Correct the value of auto_pad, to SAME_UPPER; it takes NOTSET, SAME_UPPER, SAME_LOWER, VALID",
        node="clip",
    ),
    Fault(
        id="ORT020",
        edit=even_size,
        title="The kernel of LRN refuses the node",
        cause="does not take that size is 2; it says: size_ % 2 == 1 was false.",
        fix="Correct the value of size",
        node="clip",
    ),
    Fault(
        id="ORT001",
        edit=operator_of_microsoft,
        title="Nobody implements com.microsoft:Fake_FunctionOp",
        cause=f"has no operator Fake_FunctionOp in ONNX Runtime {onnxruntime.__version__}",
        fix=f"Correct the name, or use a newer ONNX Runtime than {onnxruntime.__version__}",
        node="clip",
    ),
    Fault(
        id="ORT001",
        edit=letter_of_extensions,
        title="Nobody implements ai.onnx.contib:StringUpper",
        cause="nobody who is loaded provides the domain ai.onnx.contib",
        fix="Did you mean the domain ai.onnx.contrib? Load onnxruntime_extensions.get_library_path()",
        node="double",
    ),
    Fault(
        id="MOD004",
        edit=old_attributes,
        title="Clip is written in another form than its opset has",
        cause="version 13 of the operator has no attributes max and min; at this version they are inputs",
        fix="Write the node as the imported opset has it",
        node="clip",
    ),
    Fault(
        id="ORT002",
        edit=two_operators,
        title="No registered library provides the domain mmdeploy",
        cause="2 nodes of 2 operators, Add, grid_sampler, are of the domain mmdeploy",
        fix="or write it as GridSample, which computes the same from opset 16 on",
        node="shift",
    ),
    Fault(
        id="MOD011",
        edit=misspelt,
        title="Names of values do not fit together",
        cause="nothing makes doubbled, which a node needs",
        fix="Did you mean doubled?",
        node="clip",
        tensor="doubbled",
    ),
    Fault(
        id="MOD011",
        edit=made_twice,
        title="Names of values do not fit together",
        cause="doubled is made more than once",
        fix="Give one of them another name",
        node="double",
        tensor="doubled",
    ),
    Fault(
        id="MOD011",
        edit=in_a_circle,
        title="Names of values do not fit together",
        cause="shifted is needed to make itself",
        fix="Cut the circle",
        node="shift",
        tensor="shifted",
    ),
    Fault(
        id="MOD008",
        edit=one_name,
        title="Nodes share a name",
        cause="2 nodes have the name same",
        fix="Give each node a name of its own, or none",
        node="same",
    ),
)


def is_taken(path: Path, library: Path) -> bool:
    options = onnxruntime.SessionOptions()
    options.register_custom_ops_library(str(library))
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception:  # noqa: BLE001 - its errors have no common class
        return False
    return True
