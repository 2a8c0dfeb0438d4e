"""What ONNX Runtime says of inputs and libraries, taken from its own mouth and explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - it is what speaks
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper  # noqa: TID253 - models are the subject

from opstudio.workflows.explain import explain_message

FLOAT16 = TensorProto.FLOAT16
ROW = np.zeros((2, 3), np.float32)


def message_of(action: Callable[[], object]) -> str:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - its errors have no common class
        action()
    return str(caught.value)


def a_session(*, domain: str = "", width: int = 3) -> onnxruntime.InferenceSession:
    values = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])]
    values.append(helper.make_tensor_value_info("bias", TensorProto.FLOAT, ["n", width]))
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "bias"], ["y"], "add", domain=domain)], "g", values, [output]
    )
    imports = [helper.make_opsetid("", 18), *([helper.make_opsetid(domain, 1)] if domain else [])]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    model = helper.make_model(graph, opset_imports=imports, ir_version=9)
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize(
    ("inputs", "id_", "tensor", "cause", "fix"),
    [
        (
            {"x": np.zeros((4, 5), np.float32), "bias": ROW},
            "ORT007",
            "x",
            "x: axis 0 is 2 in the file, 4 was given, axis 1 is 3 in the file, 5 was given",
            "Export again with axis 0, 1 of x declared dynamic",
        ),
        (
            {"x": ROW[0], "bias": ROW},
            "ORT018",
            "x",
            "x has 1 axes, the model asks for 2",
            "x[None]",
        ),
        (
            {"x": ROW.astype(np.float64), "bias": ROW},
            "ORT018",
            None,
            "an input is tensor(double), the model asks for tensor(float)",
            "x.astype(numpy.float32)",
        ),
        (
            {"x": ROW, "biass": ROW},
            "ORT018",
            "bias",
            "bias was not given; biass was given: is it bias?",
            "session.get_inputs()",
        ),
        ({"x": ROW, "bias": ROW, "z": ROW}, "ORT018", "z", "the model has no input z", "Leave it out"),
    ],
)
def test_that_what_a_session_says_of_its_inputs_is_explained(
    inputs: Mapping[str, Any], id_: str, tensor: str | None, cause: str, fix: str
) -> None:
    session = a_session()
    (finding,) = explain_message(message_of(lambda: session.run(None, dict(inputs))))
    assert (finding.id, finding.cause) == (id_, cause)
    assert fix in finding.fix
    assert [place.tensor for place in finding.places] == ([tensor] if tensor else [])
    # What it asks for is taken.
    assert session.run(None, {"x": ROW, "bias": ROW})[0].shape == (2, 3)


def test_that_a_library_that_is_not_there_is_told_by_its_path() -> None:
    message = message_of(lambda: onnxruntime.SessionOptions().register_custom_ops_library("absent.so"))
    (finding,) = explain_message(message)
    assert (finding.id, finding.places[0].file) == ("ORT004", "absent.so")
    assert finding.cause == "there is no absent.so; the path is relative to where the program started"


def test_that_an_operator_that_is_not_registered_is_told() -> None:
    (finding,) = explain_message(message_of(lambda: a_session(domain="lab")))
    assert (finding.id, finding.title) == ("ORT001", "Nobody implements lab:Add")


def test_that_shapes_that_do_not_fit_are_told_with_the_node() -> None:
    (finding,) = explain_message(message_of(lambda: a_session(width=4)))
    assert (finding.id, finding.cause, finding.places[0].node) == ("MOD009", "Incompatible dimensions", "add")


def a_refusal(model: ModelProto) -> str:
    """Return what ONNX Runtime says of a model that it does not take."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    providers = ["CPUExecutionProvider"]
    return message_of(lambda: onnxruntime.InferenceSession(model.SerializeToString(), options, providers=providers))


def a_model(*nodes: NodeProto, type_: int = TensorProto.FLOAT, opset: int = 18, ir_version: int = 9) -> ModelProto:
    values = [helper.make_tensor_value_info("x", type_, [2]), helper.make_tensor_value_info("half", FLOAT16, [2])]
    output = helper.make_tensor_value_info("y", type_, None)
    graph = helper.make_graph(nodes, "g", values, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version)


def a_node(kind: str, *inputs: str, **options: Any) -> NodeProto:
    return helper.make_node(kind, inputs or ["x"], ["y"], name="n", **options)


@pytest.mark.parametrize(
    ("model", "id_", "cause", "node"),
    [
        # A domain that no library of another test has: the runtime would know it in all of this process.
        (a_model(a_node("Neg", domain="nobodys")), "MOD003", "the file does not import the domain nobodys, ", "n"),
        (a_model(a_node("Nagate")), "MOD004", "the standard domain has no operator Nagate at opset 18, ", "n"),
        (a_model(a_node("Gelu")), "MOD004", "the standard domain has no operator Gelu at opset 18, ", "n"),
        (a_model(a_node("Add", "x", "half")), "MOD005", "inputs are tensor(float) and tensor(float16); ", "n"),
        (a_model(a_node("Not")), "MOD005", "the input x is tensor(float), which the operator does not take ", "n"),
        (
            a_model(a_node("Neg"), opset=99),
            "MOD007",
            "the file imports ai.onnx 99; this ONNX Runtime knows up to",
            None,
        ),
        (a_model(a_node("Neg"), ir_version=99), "MOD007", "the file has IR version 99; this ONNX Runtime reads", None),
        (
            a_model(helper.make_node("Neg", ["x"], ["z"], name="n"), a_node("Neg", "z")),
            "MOD008",
            "two nodes have the name n",
            "n",
        ),
        (
            a_model(a_node("Neg"), type_=TensorProto.BFLOAT16),
            "ORT016",
            "no execution provider of the session has a kernel of Neg, version 13, for these types",
            "n",
        ),
    ],
    ids=["import", "no operator", "too old", "mixed types", "type", "opset", "ir version", "names", "kernel"],
)
def test_that_what_is_said_of_a_model_is_explained(model: ModelProto, id_: str, cause: str, node: str | None) -> None:
    (finding,) = explain_message(a_refusal(model))
    assert (finding.id, finding.cause.startswith(cause)) == (id_, True)
    assert [place.node for place in finding.places] == ([node] if node else [])


@pytest.mark.parametrize(("location", "cause"), [("gone.bin", "are missing"), ("../../out.bin", "lie outside")])
def test_that_weights_that_are_not_beside_the_model_are_explained(tmp_path: Path, location: str, cause: str) -> None:
    (tmp_path / "out.bin").write_bytes(bytes(8))
    (tmp_path / "a" / "b").mkdir(parents=True)
    made = a_model(a_node("Add", "x", "w"))
    weight = made.graph.initializer.add(name="w", data_type=TensorProto.FLOAT, dims=[2])
    weight.data_location = TensorProto.EXTERNAL
    weight.external_data.add(key="location", value=location)
    path = tmp_path / "a" / "b" / "m.onnx"
    path.write_bytes(made.SerializeToString())
    (finding,) = explain_message(message_of(lambda: onnxruntime.InferenceSession(str(path))))
    assert (finding.id, cause in finding.cause, location.rpartition("/")[2] in finding.cause) == ("MOD002", True, True)


@pytest.mark.parametrize("words", ["", "all is well", "Got invalid dimensions for input: x"])
def test_that_other_words_are_not_explained(words: str) -> None:
    assert explain_message(words) == ()
