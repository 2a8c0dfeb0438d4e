"""Functions that import other versions than the model: taken and refused as sessions do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, ValueInfoProto, helper, numpy_helper  # noqa: TID253 - models are the subject

from opstudio.model.graph.reader import read_model
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.evidence import GraphEvidence, examine_model
from opstudio.model.resolution.file_checks import FileProblemKind
from opstudio.model.resolution.records import Step, Unresolved
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables
from opstudio.model.shapes.model_walk import walk_model
from opstudio.model.shapes.node_asking import NodeAsker
from tests.support.session_oracle import session_refusal

FLOAT, INT32 = TensorProto.FLOAT, TensorProto.INT32
VERSIONS = (8, 9, 11, 13, 14, 17, 20)


def node(kind: str, inputs: str = "x", outputs: str = "y", domain: str = "", **attributes: Any) -> Any:
    return helper.make_node(kind, inputs.split(), outputs.split(), domain=domain, **attributes)


def constant(name: str, values: Any) -> Any:
    return node("Constant", "", name, value=numpy_helper.from_array(np.array(values), name))


def branches(*nodes: Any) -> list[Any]:
    graph = helper.make_graph(list(nodes), "branch", [], [ValueInfoProto(name="z")])
    return [
        constant("i", np.int64(1)),
        node("Equal", "i i", "c"),
        node("If", "c", "y", then_branch=graph, else_branch=graph),
    ]


AXIS = constant("a", [1])
SCALE = constant("s", np.ones(3, np.float32))
BODIES: Mapping[str, tuple[Sequence[Any], int]] = {
    "same everywhere": ([node("Identity")], FLOAT),
    "attribute became an input": ([node("ReduceSum", axes=[1])], FLOAT),
    "input was an attribute": ([AXIS, node("ReduceSum", "x a")], FLOAT),
    "in branches": (branches(AXIS, node("ReduceSum", "x a", "z")), FLOAT),
    "attribute in branches": (branches(node("ReduceSum", "x", "z", axes=[1])), FLOAT),
    "later operator": ([node("HardSwish")], FLOAT),
    "operator of 20": ([node("Gelu")], FLOAT),
    "taken out": ([constant("s", np.float32([1, 2])), node("Upsample", "x s")], FLOAT),
    "other number of inputs": ([node("Upsample", scales=[1.0, 2.0])], FLOAT),
    "other number of outputs": ([SCALE, node("BatchNormalization", "x s s s s", "y p q r t")], FLOAT),
    "type since 14": ([node("Relu")], INT32),
    "type of a value inside": ([node("Identity", "x", "b"), node("Relu", "b")], INT32),
    "types that differ since 12": ([constant("e", np.float32(2)), node("Pow", "e x")], INT32),
    "no operator at all": ([node("Relux")], FLOAT),
}


def a_model(
    body: Sequence[Any],
    own: Sequence[tuple[str, int]],
    imports: Sequence[tuple[str, int]],
    kind: int = FLOAT,
    *,
    call: Sequence[Any] | None = None,
    others: Sequence[Any] = (),
) -> ModelProto:
    """Return a model that calls ``my:F``, whose nodes are ``body`` and whose imports are ``own``."""
    function = helper.make_function("my", "F", ["x"], ["y"], list(body), [helper.make_opsetid(*item) for item in own])
    graph = helper.make_graph(
        list(call or [node("F", domain="my")]),
        "calls",
        [helper.make_tensor_value_info("x", kind, [2, 3])],
        # Declared, as exporters do: what a function makes may not follow from its own imports.
        [helper.make_tensor_value_info("y", kind, None)],
    )
    opsets = [helper.make_opsetid(*item) for item in imports]
    return helper.make_model(graph, opset_imports=opsets, functions=[function, *others], ir_version=10)


class Judge:
    """The runtime's lists and sessions of one node, asked once for all models."""

    def __init__(self, folder: Path) -> None:
        self.catalogue, self.asker, self.path = Catalogue(read_runtime_tables()), NodeAsker(), folder / "model.onnx"

    def judge(self, model: ModelProto) -> tuple[GraphEvidence, str]:
        """Return what is found out of a model, and what a session says of it."""
        self.path.write_bytes(model.SerializeToString())
        record = read_model(self.path)
        with SourceFile(self.path, expected=record.identity) as file:
            shapes = walk_model(record, file, self.asker)
        return examine_model(record, self.catalogue, shapes), session_refusal(self.path)


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    return Judge(tmp_path_factory.mktemp("models"))


@pytest.mark.parametrize("name", BODIES)
def test_that_a_function_is_taken_at_the_versions_at_which_sessions_take_it(name: str, judge: Judge) -> None:
    body, kind = BODIES[name]
    wrong = []
    for own in VERSIONS:
        for models in VERSIONS:
            evidence, refusal = judge.judge(a_model(body, [("", own)], [("", models), ("my", 1)], kind))
            if evidence.good == bool(refusal):
                wrong.append((own, models, refusal[:300] or [fault.reason for _, fault in evidence.unresolved()]))
    assert wrong == []


MICROSOFT, LEARNING = "com.microsoft", "ai.onnx.ml"
RELU = helper.make_function("other", "G", ["x"], ["y"], [node("Relu")], [helper.make_opsetid("", 13)])
BASE = [("", 13), ("my", 1)]
STANDARD = [node("Relu")]
IMPORTS: Mapping[str, ModelProto] = {
    "runtime's domain, function only": a_model([node("Gelu", domain=MICROSOFT)], [("", 13), (MICROSOFT, 1)], BASE),
    "runtime's domain, model only": a_model([node("Gelu", domain=MICROSOFT)], [("", 13)], [*BASE, (MICROSOFT, 1)]),
    "runtime's domain, nobody": a_model([node("Gelu", domain=MICROSOFT)], [("", 13)], BASE),
    "runtime's domain, other count": a_model([node("Gelu", "x x", domain=MICROSOFT)], [(MICROSOFT, 1)], BASE),
    "old version of a domain": a_model(
        [node("Binarizer", domain=LEARNING, threshold=0.5)], [("", 13), (LEARNING, 1)], BASE
    ),
    "unknown domain, function only": a_model([node("Foo", domain="lab")], [("lab", 1)], BASE),
    "unknown domain, both": a_model([node("Foo", domain="lab")], [("lab", 1)], [*BASE, ("lab", 1)]),
    "unknown domain, model only": a_model([node("Foo", domain="lab")], [("", 13)], [*BASE, ("lab", 1)]),
    "unknown domain, in a branch": a_model(
        branches(node("Gelu", "x", "z", domain=MICROSOFT)), [("", 13)], [*BASE, (MICROSOFT, 1)]
    ),
    "no standard import": a_model(STANDARD, [], BASE),
    "no standard import in the model": a_model([node("HardSwish")], [("", 13)], [("my", 1)]),
    "function in a function": a_model(
        [node("G", domain="other")], [("", 13), ("other", 1)], [*BASE, ("other", 1)], others=[RELU]
    ),
    "function in a function, model does not import it": a_model(
        [node("G", domain="other")], [("", 13), ("other", 1)], BASE, others=[RELU]
    ),
    "function in a function, function does not import it": a_model(
        [node("G", domain="other")], [("", 13)], [*BASE, ("other", 1)], others=[RELU]
    ),
    "never called": a_model(STANDARD, [("", 13)], BASE, call=STANDARD),
    "never called, other count": a_model([node("Relu", "x x")], [("", 13)], BASE, call=STANDARD),
    "never called, nothing imported": a_model(STANDARD, [], BASE, call=STANDARD),
    "never called, too new": a_model(STANDARD, [("", 99)], BASE, call=STANDARD),
    "too new": a_model(STANDARD, [("", 99)], BASE),
    "unused import too new": a_model(STANDARD, [("", 13), (LEARNING, 99)], BASE),
    "unused import of nobody": a_model(STANDARD, [("", 13), ("lab", 99)], BASE),
    "version below one": a_model(STANDARD, [("", 0)], BASE),
    "standard domain by its long name": a_model(STANDARD, [("ai.onnx", 13)], BASE),
    "by its long name, inside": a_model(branches(node("Neg", "x", "z")), [("ai.onnx", 13)], BASE),
    "by its long name, not used": a_model(
        [node("Gelu", domain=MICROSOFT)], [("ai.onnx", 13), (MICROSOFT, 1)], [*BASE, (MICROSOFT, 1)]
    ),
    "by both names": a_model([AXIS, node("ReduceSum", "x a")], [("", 13), ("ai.onnx", 13)], BASE),
    "by both names, the empty one is wrong": a_model(
        [AXIS, node("ReduceSum", "x a")], [("", 11), ("ai.onnx", 13)], BASE
    ),
    "model by the long name": a_model(STANDARD, [("", 13)], [("ai.onnx", 13), ("my", 1)]),
    "imported twice, the last counts": a_model([AXIS, node("ReduceSum", "x a")], [("", 1), ("", 13)], BASE),
    "imported twice, the first is right": a_model([AXIS, node("ReduceSum", "x a")], [("", 13), ("", 1)], BASE),
}


@pytest.mark.parametrize("name", IMPORTS)
def test_that_imports_of_functions_are_asked_for_as_sessions_do(name: str, judge: Judge) -> None:
    evidence, refusal = judge.judge(IMPORTS[name])
    told = [*(fault.reason for _, fault in evidence.unresolved()), *(item.reason for item in evidence.problems)]
    assert (evidence.good, bool(told)) == (not refusal, bool(refusal)), refusal or told


def test_what_is_told_of_a_node_that_does_not_fit_its_function(judge: Judge) -> None:
    lacking, _ = judge.judge(IMPORTS["runtime's domain, model only"])
    other, _ = judge.judge(a_model([AXIS, node("ReduceSum", "x a")], [("", 11)], BASE))
    [(_, first)], [(_, second)] = lacking.unresolved(), other.unresolved()
    assert first == Unresolved(
        step=Step.IMPORT,
        reason="its function does not import the domain com.microsoft; what the model imports does not count for that",
        candidates=first.candidates,
    )
    assert (second.step, second.reason) == (
        Step.FORM,
        "its function imports ai.onnx 11: it has 2 inputs, the operator takes 1",
    )
    newer, _ = judge.judge(IMPORTS["never called, too new"])
    assert [item.kind for item in newer.problems] == [FileProblemKind.FUNCTION_OPSET]
    assert newer.problems[0].reason.startswith("the function my:F imports ai.onnx 99; ONNX Runtime")


SWISH = node("HardSwish", "x", "a")
"""Came with opset 14: functions that import 13 make values with it that have no type by their own imports."""
INNER = helper.make_function("my", "G", ["x"], ["y"], [node("HardSwish")], [helper.make_opsetid("", 13)])
CALL = node("G", "x", "a", domain="my")
MADE: Mapping[str, tuple[Sequence[Any], int]] = {
    "the value itself": ([node("HardSwish")], 13),
    "known at its imports": ([node("HardSwish")], 14),
    "passed on": ([SWISH, node("Relu", "a")], 13),
    "passed on by two": ([SWISH, node("Concat", "a a", axis=0)], 13),
    "beside one that is known": ([SWISH, node("Add", "x a")], 13),
    "cast": ([SWISH, node("Cast", "a", to=FLOAT)], 13),
    "a type of its own": ([SWISH, node("Equal", "a a")], 13),
    "its shape": ([SWISH, node("Shape", "a")], 13),
    "not its output": ([SWISH, node("Relu")], 13),
    "of a function in it": ([CALL, node("Cast", "a", to=FLOAT)], 14),
}


@pytest.mark.parametrize("is_declared", [False, True], ids=["open", "declared"])
@pytest.mark.parametrize("name", MADE)
def test_that_outputs_of_calls_need_a_type(name: str, judge: Judge, *, is_declared: bool) -> None:
    body, own = MADE[name]
    others = [INNER] if CALL in body else ()
    model = a_model(body, [("", own), ("my", 1)], [("", 14), ("my", 1)], others=others)
    kind = {"a type of its own": TensorProto.BOOL, "its shape": TensorProto.INT64}.get(name, FLOAT)
    declared = helper.make_tensor_value_info("y", kind, None)
    model.graph.output[0].CopyFrom(declared if is_declared else ValueInfoProto(name="y"))
    evidence, refusal = judge.judge(model)
    assert evidence.good == (not refusal), refusal[:300]
    reasons = [fault.reason for _, fault in evidence.unresolved()]
    assert all("does not follow from the function by its own imports" in reason for reason in reasons)


def test_that_some_outputs_of_calls_are_refused_and_some_taken(judge: Judge) -> None:
    refused = {
        name
        for name, (body, own) in MADE.items()
        if CALL not in body and judge.judge(_open(a_model(body, [("", own)], [("", 14), ("my", 1)])))[1]
    }
    assert refused == {"the value itself", "passed on", "passed on by two"}


def _open(model: ModelProto) -> ModelProto:
    model.graph.output[0].CopyFrom(ValueInfoProto(name="y"))
    return model


@pytest.mark.parametrize(
    ("inputs", "outputs"), [("x", "y"), ("x x", "y"), ("x", "y z"), ("x", "")], ids=["right", "more", "makes", "none"]
)
def test_that_calls_have_the_numbers_of_their_functions(inputs: str, outputs: str, judge: Judge) -> None:
    calls = [node("F", inputs, outputs, domain="my"), *([] if outputs else [node("Relu")])]
    model = a_model(STANDARD, [("", 13)], BASE, call=calls)
    model.graph.value_info.append(helper.make_tensor_value_info("z", FLOAT, None))
    evidence, refusal = judge.judge(model)
    assert evidence.good == (not refusal), refusal[:300]
