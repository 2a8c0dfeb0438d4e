"""What the runtime says of the nodes of a model one by one, against shapes that runs and other tools give."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - the runtime is what is asked
import pytest
from onnx import AttributeProto, ModelProto, TensorProto, ValueInfoProto, helper, numpy_helper  # noqa: TID253 - models are the subject

from opstudio.contract.operator import OperatorContract
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.shapes import model_walk
from opstudio.model.shapes.model_walk import walk_model
from opstudio.model.shapes.node_asking import NodeAsker
from opstudio.model.shapes.records import ModelShapes, RefusalKind, Shape, ValueOrigin
from tests.support.operator_libraries import WrittenOperator, build_library

FLOAT = TensorProto.FLOAT


def node(kind: str, inputs: Sequence[str], outputs: Sequence[str] = ("y",), **attributes: Any) -> Any:
    return helper.make_node(kind, list(inputs), list(outputs), **attributes)


def a_model(
    *nodes: Any,
    shape: Sequence[int | str] = ("n", 4),
    weights: Sequence[Any] = (),
    declared: Sequence[Any] = (),
    imports: Sequence[tuple[str, int]] = (("", 18),),
    functions: Sequence[Any] = (),
) -> ModelProto:
    """Return a model with an input ``x`` and a flag ``c``, whose output is ``y``."""
    inputs = [
        helper.make_tensor_value_info("x", FLOAT, shape),
        helper.make_tensor_value_info("c", TensorProto.BOOL, []),
    ]
    graph = helper.make_graph(
        list(nodes), "walked", inputs, [ValueInfoProto(name="y")], list(weights), value_info=list(declared)
    )
    opsets = [helper.make_opsetid(*item) for item in imports]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9, functions=list(functions))


def constant(name: str, values: Any) -> Any:
    return numpy_helper.from_array(np.asarray(values), name)


def walked(
    folder: Path, model: ModelProto, *, libraries: Sequence[str] = (), contracts: Sequence[OperatorContract] = ()
) -> ModelShapes:
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    record = read_model(folder / "model.onnx")
    with SourceFile(record.path, expected=record.identity) as file:
        return walk_model(record, file, NodeAsker(libraries), contracts)


def shape_of(folder: Path, model: ModelProto, name: str = "y", **more: Any) -> tuple[str, Shape | None]:
    """Return type and shape that were found of an output of a node of the main graph."""
    found = walked(folder, model, **more)
    assert found.refusals == ()
    places = {
        (item.offset, slot): output
        for item in read_model(folder / "model.onnx").graph.nodes
        for slot, output in enumerate(item.outputs)
    }
    ((kind, shape),) = [
        (value.type, value.shape) for value in found.values if places.get((value.node, value.slot)) == name
    ]
    return kind, shape


@pytest.mark.parametrize(
    ("nodes", "weights", "shape"),
    [
        ([node("MatMul", ["x", "w"])], [constant("w", np.zeros((4, 7), np.float32))], ("n", 7)),
        ([node("Reshape", ["x", "s"])], [constant("s", np.array([-1, 2, 2]))], (None, 2, 2)),
        ([node("ReduceSum", ["x"], keepdims=0)], [], ()),
        ([node("ReduceSum", ["x"], keepdims=0, outputs=["a"]), node("Neg", ["a"])], [], ()),
        ([node("Concat", ["x", "x"], axis=1)], [], ("n", 8)),
        ([node("Transpose", ["x"])], [], (4, "n")),
        ([node("NonZero", ["x"])], [], (2, None)),
        # The sizes are put together by nodes.
        (
            [
                node("Transpose", ["x"], ["t"]),
                node("Shape", ["t"], ["s"], start=0, end=1),
                node("Concat", ["s", "one"], ["both"], axis=0),
                node("Expand", ["w", "both"]),
            ],
            [constant("one", np.array([3])), constant("w", np.zeros((1, 3), np.float32))],
            (4, 3),
        ),
        ([node("Constant", [], ["s"], value_ints=[2, -1]), node("Reshape", ["x", "s"])], [], (2, None)),
    ],
    ids=["product", "reshape", "scalar", "scalar-on", "concat", "transpose", "data", "by-nodes", "constant"],
)
def test_that_shapes_are_the_runtimes(nodes: list[Any], weights: list[Any], shape: Shape, tmp_path: Path) -> None:
    model = a_model(*nodes, weights=weights)
    kind, found = shape_of(tmp_path, model)
    assert found == shape
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (made,) = session.run(None, {"x": np.ones((6, 4), np.float32), "c": np.array(True)})
    assert (session.get_outputs()[0].type, made.ndim) == (kind, len(shape))
    assert all(size in (None, "n") or size == real for size, real in zip(shape, made.shape, strict=True))
    assert all(real == 6 for size, real in zip(shape, made.shape, strict=True) if size == "n")


def test_that_branches_agree_on_what_both_make(tmp_path: Path) -> None:
    weights = [constant("w", np.zeros((4, 7), np.float32)), constant("v", np.zeros((1, 7), np.float32))]
    then = helper.make_graph([node("MatMul", ["x", "w"], ["b"])], "then", [], [ValueInfoProto(name="b")])
    other = helper.make_graph([node("Neg", ["v"], ["b"])], "else", [], [ValueInfoProto(name="b")])
    model = a_model(node("If", ["c"], then_branch=then, else_branch=other), weights=weights)
    assert shape_of(tmp_path, model) == ("tensor(float)", (None, 7))


def test_that_what_a_loop_carries_has_no_shape_and_what_it_stacks_has_a_rank(tmp_path: Path) -> None:
    body = helper.make_graph(
        [
            node("Identity", ["go"], ["on"]),
            node("Concat", ["carried", "carried"], ["next"], axis=0),
            node("Neg", ["x"], ["each"]),
        ],
        "body",
        [ValueInfoProto(name=name) for name in ("i", "go", "carried")],
        [ValueInfoProto(name=name) for name in ("on", "next", "each")],
    )
    model = a_model(node("Loop", ["", "c", "x"], ["grown", "y"], body=body))
    assert shape_of(tmp_path, model, "grown") == ("tensor(float)", None)
    assert shape_of(tmp_path, model, "y") == ("tensor(float)", (None, None, None))


def test_that_a_function_is_walked_for_each_call_with_its_attributes(tmp_path: Path) -> None:
    reference = AttributeProto(name="axis", type=AttributeProto.INT, ref_attr_name="where")
    inside = node("Concat", ["a", "a"], ["b"])
    inside.attribute.append(reference)
    function = helper.make_function("f", "Double", ["a"], ["b"], [inside], [helper.make_opsetid("", 18)], ["where"])
    calls = [
        node("Double", ["x"], ["wide"], domain="f", where=1),
        node("Double", ["wide"], ["y"], domain="f", where=1),
    ]
    model = a_model(*calls, imports=(("", 18), ("f", 1)), functions=[function])
    assert shape_of(tmp_path, model, "wide") == ("tensor(float)", ("n", 8))
    assert shape_of(tmp_path, model, "y") == ("tensor(float)", ("n", 16))


def test_that_a_refusal_in_a_function_stands_at_the_node_of_its_body(tmp_path: Path) -> None:
    inside = [node("MatMul", ["a", "a"], ["b"], name="square")]
    function = helper.make_function("f", "Square", ["a"], ["b"], inside, [helper.make_opsetid("", 18)])
    model = a_model(node("Square", ["x"], domain="f"), shape=(3, 4), imports=(("", 18), ("f", 1)), functions=[function])
    (refusal,) = walked(tmp_path, model).refusals
    assert refusal.node == read_model(tmp_path / "model.onnx").functions[0].nodes[0].offset
    assert (refusal.kind, refusal.reason) == (
        RefusalKind.SHAPES,
        "Incompatible dimensions for matrix multiplication",
    )
    assert refusal.remark == "a is tensor(float)[3, 4]"


def test_that_what_a_branch_that_is_never_taken_would_compute_is_no_fault(tmp_path: Path) -> None:
    # Only folded sizes show the fault, and folding takes the branch away before anybody looks.
    then = helper.make_graph([node("Neg", ["x"], ["b"])], "then", [], [ValueInfoProto(name="b")])
    other = helper.make_graph([node("MatMul", ["r", "w"], ["b"])], "else", [], [ValueInfoProto(name="b")])
    weights = [
        constant("yes", np.array(True)),
        constant("one", np.array([1])),
        constant("two", np.array([2])),
        constant("zero", np.array([0])),
        constant("v", np.zeros((4, 4), np.float32)),
    ]
    sizes = [
        node("ReduceMean", ["v", "one"], ["w"]),
        node("Shape", ["w"], ["s"]),
        node("Gather", ["s", "zero"], ["g"]),
        node("Concat", ["g", "two"], ["t"], axis=0),
        node("Reshape", ["x", "t"], ["r"]),
    ]
    condition = node("If", ["yes"], then_branch=then, else_branch=other)
    model = a_model(*sizes, condition, weights=weights)
    onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    assert walked(tmp_path, model).refusals == ()
    # In the main graph, the runtime looks after it computed.
    (refusal,) = walked(tmp_path, a_model(*sizes, node("MatMul", ["r", "w"]), weights=weights)).refusals
    assert refusal.remark == "r is tensor(float)[4, 2], w is tensor(float)[4, 1]"


def test_that_a_declared_shape_that_contradicts_is_told_and_forgotten(tmp_path: Path) -> None:
    declared = [helper.make_tensor_value_info("t", FLOAT, [5, "n"])]
    model = a_model(node("Transpose", ["x"], ["t"]), node("Neg", ["t"]), declared=declared)
    found = walked(tmp_path, model)
    (item,) = found.contradictions
    assert (item.tensor, item.declared, item.inferred) == ("t", (5, "n"), (4, "n"))
    assert found.refusals == ()
    assert shape_of(tmp_path, model) == ("tensor(float)", (None, "n"))


def test_that_a_declared_type_that_contradicts_is_a_refusal_of_the_session_too(tmp_path: Path) -> None:
    declared = [helper.make_tensor_value_info("t", TensorProto.DOUBLE, [4, "n"])]
    model = a_model(node("Transpose", ["x"], ["t"]), node("Cast", ["t"], to=FLOAT), declared=declared)
    (refusal,) = walked(tmp_path, model).refusals
    assert (refusal.kind, refusal.tensor) == (RefusalKind.TYPES, "t")
    with pytest.raises(Exception, match=r"output arg \(t\) of node"):
        onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def test_that_a_library_without_shape_inference_is_blind_and_counts_what_is_behind_it(tmp_path: Path) -> None:
    library = build_library(tmp_path / "lab.so", [WrittenOperator(domain="lab", type="Twice")])
    model = a_model(
        node("Twice", ["x"], ["d"], domain="lab"),
        node("Neg", ["d"], ["e"]),
        node("Abs", ["e"]),
        node("Abs", ["x"], ["beside"]),
        imports=(("", 18), ("lab", 1)),
    )
    found = walked(tmp_path, model, libraries=[str(library)])
    first = read_model(tmp_path / "model.onnx").graph.nodes[0]
    assert found.blind == ((first.offset, 2),)
    assert found.refusals == ()


def test_that_weights_are_not_read_and_not_missed(tmp_path: Path) -> None:
    weights = numpy_helper.from_array(np.zeros((4, 7), np.float32), "w")
    weights.ClearField("raw_data")
    weights.data_location = TensorProto.EXTERNAL
    weights.external_data.add(key="location", value="nowhere.bin")
    model = a_model(node("MatMul", ["x", "w"]), weights=[weights])
    assert shape_of(tmp_path, model) == ("tensor(float)", ("n", 7))


def test_that_nodes_that_differ_in_names_alone_are_asked_about_once(tmp_path: Path) -> None:
    names = ["x", *(f"v{number}" for number in range(50)), "y"]
    chain = [node("Neg", [names[i]], [names[i + 1]], name=f"neg{i}", doc_string=str(i)) for i in range(len(names) - 1)]
    found = walked(tmp_path, a_model(*chain))
    assert (found.sessions, len(found.taken)) == (1, 51)


def test_that_more_different_nodes_than_the_limit_are_counted_and_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_walk, "_MOST_SESSIONS", 3)
    sizes = [node("Concat", [f"v{i}" if i else "x", "x"], [f"v{i + 1}"], axis=1) for i in range(9)]
    found = walked(tmp_path, a_model(*sizes, node("Neg", ["v9"])))
    assert (found.sessions, found.left_out) == (4, 6)


def test_that_a_function_that_calls_itself_ends(tmp_path: Path) -> None:
    body = [node("One", ["a"], ["b"], domain="f")]
    function = helper.make_function("f", "One", ["a"], ["b"], body, [helper.make_opsetid("f", 1)])
    model = a_model(node("One", ["x"], domain="f"), imports=(("", 18), ("f", 1)), functions=[function])
    assert walked(tmp_path, model).refusals == ()


def test_that_values_say_who_knows_them(tmp_path: Path) -> None:
    found = walked(tmp_path, a_model(node("Neg", ["x"])))
    assert [(value.origin, value.shape) for value in found.values] == [(ValueOrigin.INFERRED, ("n", 4))]
