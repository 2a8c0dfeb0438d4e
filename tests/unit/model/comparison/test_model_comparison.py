"""Two models held against each other: every kind of difference, and none where there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save_model  # noqa: TID253 - models are what this is about

from opstudio.base.errors import CancelledError, InputError
from opstudio.jobs.cancel import CancelToken
from opstudio.model.comparison.model_comparison import compare_models
from opstudio.model.comparison.records import Change, ModelDifference, difference_document
from opstudio.model.graph.reader import read_model
from tests.unit.model.graph.samples import real_models

LARGE = np.arange(100_000, dtype=np.float32)


def a_model() -> Any:
    """Return a model with a chain, a skip connection, a nested graph, a function, weights of two sizes and notes."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", 3]) for name in ("x", "y")]
    kept = helper.make_tensor_value_info("kept", TensorProto.FLOAT, None)
    branches = [
        helper.make_graph([helper.make_node(kind, ["scaled"], ["kept"], name="inner")], name, [], [kept])
        for kind, name in (("Neg", "then"), ("Abs", "otherwise"))
    ]
    nodes = [
        helper.make_node("Mul", ["x", "w"], ["scaled"], name="node_0"),
        helper.make_node("If", ["yes"], ["chosen"], name="node_1", then_branch=branches[0], else_branch=branches[1]),
        helper.make_node("LeakyRelu", ["chosen"], ["relued"], name="node_2", alpha=0.5),
        helper.make_node("Own", ["relued"], ["owned"], name="node_3", domain="own"),
        helper.make_node("Add", ["owned", "scaled"], ["y"], name="node_4"),
        helper.make_node("ReduceSum", ["large"], ["unused"], name="node_5"),
    ]
    weights = [
        numpy_helper.from_array(np.float32([1, 2, 3]), "w"),
        numpy_helper.from_array(np.bool_(True), "yes"),
        numpy_helper.from_array(LARGE, "large"),
    ]
    graph = helper.make_graph(nodes, "graph", values[:1], values[1:], weights)
    body = [helper.make_node("Identity", ["a"], ["b"], name="body")]
    function = helper.make_function("own", "Own", ["a"], ["b"], body, [helper.make_opsetid("", 17)])
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    model = helper.make_model(graph, opset_imports=imports, functions=[function], ir_version=8, producer_name="p")
    helper.set_model_props(model, {"author": "a"})
    return model


def compared(folder: Path, edit: Callable[[Any], None], *, all_values: bool = False) -> ModelDifference:
    """Compare the model with an edited copy."""
    first, second = a_model(), a_model()
    edit(second)
    for name, model in (("first.onnx", first), ("second.onnx", second)):
        save_model(model, str(folder / name))
    models = [read_model(folder / name) for name in ("first.onnx", "second.onnx")]
    return compare_models(models[0], models[1], all_values=all_values)


def only(difference: ModelDifference) -> dict[str, Any]:
    """Return the groups that are not empty."""
    return {name: entries for name, entries in difference.groups() if entries}


def change(name: str, before: str, after: str) -> Change:
    return Change(name=name, before=before, after=after)


def test_that_a_model_does_not_differ_from_itself(tmp_path: Path) -> None:
    difference = compared(tmp_path, lambda _model: None, all_values=True)
    # Six nodes, one in each branch, one in the function.
    assert (difference.is_empty, difference.matched) == (True, 9)


def set_import(model: Any) -> None:
    model.opset_import[0].version = 18


def set_metadata(model: Any) -> None:
    model.metadata_props[0].value = "b"


def set_head(model: Any) -> None:
    model.ir_version, model.producer_version = 9, "2"


def set_input(model: Any) -> None:
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 4


def set_function(model: Any) -> None:
    model.functions[0].opset_import[0].version = 18


def set_weight(model: Any) -> None:
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.float32([1, 2, 4]), "w"))


def set_weight_type(model: Any) -> None:
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.float64([1, 2, 3, 4]), "w"))


def rename_weight(model: Any) -> None:
    model.graph.initializer[0].name = model.graph.node[0].input[1] = "weight"


def rename_values(model: Any) -> None:
    for node in model.graph.node:
        for names in (node.input, node.output):
            for slot, name in enumerate(names):
                names[slot] = {"relued": "other", "owned": "another"}.get(name, name)


def set_output(model: Any) -> None:
    model.graph.node[4].output[0], model.graph.node[2].output[0] = "relued", "y"
    model.graph.node[3].input[0] = "y"


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (set_import, {"imports": (change("ai.onnx", "17", "18"),)}),
        (set_metadata, {"metadata": (change("author", "a", "b"),)}),
        (set_head, {"head": (change("IR version", "8", "9"), change("producer", "p", "p 2"))}),
        (set_input, {"inputs": (change("x", "float32[n, 3]", "float32[4, 3]"),)}),
        (
            set_function,
            {"functions": (change("own:Own", "(a) -> b; imports ai.onnx 17", "(a) -> b; imports ai.onnx 18"),)},
        ),
        (set_weight, {"weights": (change("w", "float32[3]", "float32[3] of other values"),)}),
        (set_weight_type, {"weights": (change("w", "float32[3]", "float64[4]"),)}),
        (rename_weight, {"renamed_weights": (change("w", "w", "weight"),)}),
        (rename_values, {}),
        (
            set_output,
            {"outputs": (change("y", "output 0 of Add node_4", "output 0 of LeakyRelu node_2"),)},
        ),
    ],
)
def test_that_a_difference_is_told_once_and_in_its_group(
    tmp_path: Path, edit: Callable[[Any], None], expected: dict[str, Any]
) -> None:
    assert only(compared(tmp_path, edit)) == expected


def test_that_changes_of_a_node_are_told_with_the_node(tmp_path: Path) -> None:
    def edit(model: Any) -> None:
        model.graph.node[2].attribute[0].f = 0.25
        model.graph.node[4].input[1] = "x"

    difference = compared(tmp_path, edit)
    assert set(only(difference)) == {"changed_nodes"}
    found = {item.name: (item.operator, item.changes) for item in difference.changed_nodes}
    assert found == {
        "node_2": ("LeakyRelu", (change("attribute alpha", "0.5", "0.25"),)),
        "node_4": ("Add", (change("input 1", "scaled", "x"),)),
    }


def test_that_nested_graphs_and_bodies_of_functions_are_compared(tmp_path: Path) -> None:
    def edit(model: Any) -> None:
        model.graph.node[1].attribute[0].g.node[0].op_type = "Exp"
        model.functions[0].node.append(helper.make_node("Neg", ["b"], ["c"], name="more"))

    difference = compared(tmp_path, edit)
    (changed,) = difference.changed_nodes
    assert (changed.path, changed.changes) == (("If node_1", "else_branch"), (change("type", "Abs", "Exp"),))
    (added,) = difference.added_nodes
    assert (added.path, added.name, added.operator) == (("function own:Own",), "more", "Neg")


def test_that_one_node_more_does_not_change_all_whose_names_are_numbered(tmp_path: Path) -> None:
    """Exporters number nodes and values: with one more in the middle all names behind it are others."""

    def edit(model: Any) -> None:
        new = helper.make_node("Neg", ["chosen"], ["v2"], name="node_2")
        model.graph.node.insert(2, new)
        renamed = {"relued": "v3", "owned": "v4"}
        for position, node in enumerate(model.graph.node[3:], start=3):
            node.name = f"node_{position}"
            for names in (node.input, node.output):
                for slot, name in enumerate(names):
                    names[slot] = renamed.get(name, name)
        model.graph.node[3].input[0] = "v2"

    difference = compared(tmp_path, edit)
    assert [(item.name, item.operator) for item in difference.added_nodes] == [("node_2", "Neg")]
    assert difference.removed_nodes == ()
    assert [(item.name, item.changes) for item in difference.changed_nodes] == [
        ("node_2", (change("input 0", "chosen", "v2"),))
    ]
    assert [(item.before, item.after) for item in difference.renamed_nodes] == [
        ("node_3", "node_4"),
        ("node_4", "node_5"),
        ("node_5", "node_6"),
    ]


def test_that_nodes_that_are_written_alike_pair_up_in_their_order(tmp_path: Path) -> None:
    def edit(model: Any) -> None:
        model.graph.node.extend(helper.make_node("Neg", ["x"], ["same"], name="same") for _ in range(5))

    first, second = a_model(), a_model()
    for name, model in (("first.onnx", first), ("second.onnx", second)):
        edit(model)
        save_model(model, str(tmp_path / name))
    second.graph.node.append(helper.make_node("Neg", ["x"], ["same"], name="same"))
    save_model(second, str(tmp_path / "third.onnx"))
    models = [read_model(tmp_path / f"{name}.onnx") for name in ("first", "second", "third")]
    assert compare_models(models[0], models[1]).is_empty
    assert [item.name for item in compare_models(models[0], models[2]).added_nodes] == ["same"]


def test_that_large_weights_are_compared_by_value_where_that_is_asked_for(tmp_path: Path) -> None:
    def edit(model: Any) -> None:
        other = LARGE.copy()
        other[-1] += 1
        model.graph.initializer[2].CopyFrom(numpy_helper.from_array(other, "large"))

    assert compared(tmp_path, edit).is_empty
    difference = compared(tmp_path, edit, all_values=True)
    assert only(difference) == {"weights": (change("large", "float32[100000]", "float32[100000] of other values"),)}


def test_that_values_are_the_same_however_they_are_stored(tmp_path: Path) -> None:
    def edit(model: Any) -> None:
        model.graph.initializer[0].CopyFrom(helper.make_tensor("w", TensorProto.FLOAT, [3], [1, 2, 3]))

    assert compared(tmp_path, edit, all_values=True).is_empty


def test_that_a_document_is_bounded_and_counts_what_it_leaves_out(tmp_path: Path) -> None:
    def edit(model: Any) -> None:
        model.graph.node.extend(
            helper.make_node("Neg", ["x"], [f"e{number}"], name=f"extra_{number}") for number in range(30)
        )

    document = difference_document(compared(tmp_path, edit), most=10)
    assert (document["same"], document["left_out"]) == (False, {"added_nodes": 20})
    assert document["counts"]["added_nodes"] == 30  # type: ignore[index, call-overload]
    assert len(document["added_nodes"]) == 10  # type: ignore[arg-type]


def test_that_comparing_can_be_ended(tmp_path: Path) -> None:
    save_model(a_model(), str(tmp_path / "m.onnx"))
    model, cancel = read_model(tmp_path / "m.onnx"), CancelToken()
    cancel.cancel("enough")
    with pytest.raises(CancelledError):
        compare_models(model, model, checkpoint=cancel.check)


def test_that_a_file_that_changed_since_is_told(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.onnx", "b.onnx")]
    for path in paths:
        save_model(a_model(), str(path))
    first, second = map(read_model, paths)
    paths[1].write_bytes(paths[1].read_bytes() + b"\x1a\x00")
    with pytest.raises(InputError, match="has changed"):
        compare_models(first, second)


@pytest.mark.parametrize("path", real_models(), ids=lambda path: path.stem)
def test_that_real_models_do_not_differ_from_themselves(path: Path) -> None:
    try:
        model = read_model(path)
    except InputError:
        pytest.skip("no model")
    difference = compare_models(model, read_model(path), all_values=True)
    nodes = len(model.graph.nodes)
    assert (only(difference), difference.matched >= nodes) == ({}, True)


def test_that_an_input_of_the_same_name_that_another_node_makes_says_which(tmp_path: Path) -> None:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", 3]) for name in ("x", "y")]
    models = []
    for kind in ("Relu", "Conv"):
        nodes = [
            helper.make_node(kind, ["x"], ["made"], name=kind),
            helper.make_node("Tanh", ["made"], ["y"], name="t"),
        ]
        graph = helper.make_graph(nodes, "graph", values[:1], values[1:])
        models.append(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]))
        save_model(models[-1], str(tmp_path / f"{kind}.onnx"))
    found = compare_models(*(read_model(tmp_path / f"{kind}.onnx") for kind in ("Relu", "Conv")))
    (changed,) = found.changed_nodes
    assert changed.changes == (change("input 0", "output 0 of Relu Relu", "output 0 of Conv Conv"),)
