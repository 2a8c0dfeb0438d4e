"""Names of values: refused where a session refuses, and only there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - the oracle
import pytest
from onnx import TensorProto, ValueInfoProto, helper, numpy_helper  # noqa: TID253 - models are the subject

from opstudio.model.graph.reader import read_model
from opstudio.model.resolution.value_checks import ValueFault, check_values

NOTHING: tuple[ValueFault, ...] = ()


def node(kind: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def nested(*nodes: Any, outputs: str = "b", weights: str = "") -> Any:
    """Return a graph of a branch; a session asks both branches alike."""
    tensors = [numpy_helper.from_array(np.zeros((2, 3), np.float32), name) for name in weights.split()]
    return helper.make_graph(
        list(nodes), "nested", [], [ValueInfoProto(name=name) for name in outputs.split()], tensors
    )


def branches(graph: Any, output: str = "y") -> Any:
    return node("If", "c", output, then_branch=graph, else_branch=graph)


def loop(inner: str) -> Any:
    body = helper.make_graph(
        [node("Identity", "go", "on"), node("Neg", inner, "next")],
        "body",
        [ValueInfoProto(name=name) for name in ("i", "go", inner)],
        [ValueInfoProto(name=name) for name in ("on", "next")],
    )
    return helper.make_node("Loop", ["", "c", "x"], ["z"], body=body)


@pytest.mark.parametrize(
    ("nodes", "faults"),
    [
        ([node("Add", "x ghost", "y")], [ValueFault.UNKNOWN]),
        ([node("Neg", "x", "z")], [ValueFault.UNKNOWN]),
        ([node("Neg", "x", "y"), node("Abs", "x", "y")], [ValueFault.REPEATED]),
        ([node("Neg", "x", "w"), node("Abs", "w", "y")], [ValueFault.REPEATED]),
        ([node("Neg", "z", "y"), node("Abs", "x", "z")], NOTHING),
        ([node("Add", "x b", "a"), node("Neg", "a", "b"), node("Neg", "a", "y")], [ValueFault.CYCLE]),
        ([node("Add", "x y", "y")], [ValueFault.CYCLE]),
        ([branches(nested(node("Neg", "y", "b")))], [ValueFault.CYCLE]),
        ([branches(nested(node("Neg", "ghost", "b")))], [ValueFault.UNKNOWN]),
        ([branches(nested(node("Neg", "x", "z")))], [ValueFault.UNKNOWN]),
        ([branches(nested(outputs="x"))], [ValueFault.PASSED_OUT]),
        ([branches(nested(node("Neg", "q", "b"), node("Abs", "x", "q")))], [ValueFault.ORDER]),
        ([branches(nested(node("Neg", "x", "w"), node("Abs", "w", "b")))], [ValueFault.REPEATED]),
        ([branches(nested(node("Neg", "x", "q"), node("Abs", "q", "b")), "q"), node("Neg", "q", "y")], NOTHING),
        ([branches(nested(node("Neg", "w", "b"), weights="w"))], NOTHING),
        ([loop("carried"), node("Neg", "z", "y")], NOTHING),
        ([loop("w"), node("Add", "z w", "y")], NOTHING),
    ],
    ids=[
        *("no-maker", "no-output", "twice", "as-weight", "any-order", "circle", "itself", "circle-inside"),
        *(
            "no-maker-inside",
            "no-output-inside",
            "passed-out",
            "order-inside",
            "hides",
            "later-name",
            "hides-by-weight",
        ),
        *("loop", "hides-by-input"),
    ],
)
def test_that_a_session_refuses_what_is_told(
    nodes: Sequence[Any], faults: Sequence[ValueFault], tmp_path: Path
) -> None:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in ("x", "y")]
    weights = [numpy_helper.from_array(np.zeros((2, 3), np.float32), "w"), numpy_helper.from_array(np.array(True), "c")]
    graph = helper.make_graph(list(nodes), "named", values[:1], values[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())

    # Both branches are one graph: what is wrong in it is wrong twice.
    assert list(dict.fromkeys(problem.kind for problem in check_values(read_model(path)))) == list(faults)
    assert is_taken(path) == (not faults)


def test_that_a_function_asks_for_order_and_for_makers(tmp_path: Path) -> None:
    bodies = {
        (): [node("Neg", "a", "c"), node("Neg", "c", "b")],
        (ValueFault.ORDER,): [node("Neg", "c", "b"), node("Neg", "a", "c")],
        (ValueFault.UNKNOWN,): [node("Add", "a ghost", "b")],
    }
    for faults, body in bodies.items():
        function = helper.make_function("f", "F", ["a"], ["b"], body, [helper.make_opsetid("", 18)])
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in ("x", "y")]
        graph = helper.make_graph([node("F", "x", "y", domain="f")], "caller", values[:1], values[1:])
        imports = [helper.make_opsetid("", 18), helper.make_opsetid("f", 1)]
        model = helper.make_model(graph, opset_imports=imports, ir_version=9, functions=[function])
        path = tmp_path / "model.onnx"
        path.write_bytes(model.SerializeToString())
        assert tuple(problem.kind for problem in check_values(read_model(path))) == faults
        assert is_taken(path) == (not faults)


@pytest.mark.parametrize("declared", [ValueInfoProto(name="x"), helper.make_tensor_value_info("x", 0, [2, 3])])
def test_that_an_input_without_a_type_is_told(declared: ValueInfoProto, tmp_path: Path) -> None:
    graph = helper.make_graph([node("Neg", "x", "y")], "untyped", [declared], [ValueInfoProto(name="y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    assert [(problem.kind, problem.value) for problem in check_values(read_model(path))] == [(ValueFault.UNTYPED, "x")]
    assert not is_taken(path)


def is_taken(path: Path) -> bool:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception:  # noqa: BLE001 - its errors have no common class
        return False
    return True
