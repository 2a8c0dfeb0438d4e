"""What ONNX Runtime says of inputs and libraries, taken from its own mouth and explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - it is what speaks
import pytest
from onnx import TensorProto, helper  # noqa: TID253 - models are the subject

from opstudio.workflows.explain import explain_message

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


@pytest.mark.parametrize("words", ["", "all is well", "Got invalid dimensions for input: x"])
def test_that_other_words_are_not_explained(words: str) -> None:
    assert explain_message(words) == ()
