"""Makers and users of values, over the borders of nested graphs and functions."""

from __future__ import annotations

from pathlib import Path

from onnx import TensorProto, helper  # noqa: TID253 - models are what this is about

from opstudio.model.graph.reader import read_model
from opstudio.model.graph.value_index import ModelIndex, Scope, SourceKind, index_model
from tests.unit.model.graph.samples import rich_model, sample, written


def the_index(folder: Path) -> ModelIndex:
    return index_model(read_model(written(folder, rich_model())))


def scope_named(index: ModelIndex, *path: str) -> Scope:
    return next(scope for scope in index.scopes() if scope.path == path)


def users(scope: Scope, name: str) -> list[tuple[tuple[str, ...], str, int]]:
    return [(use.scope.path, use.node.type, use.slot) for use in scope.all_uses(name)]


def test_that_nested_graphs_see_and_use_the_names_around_them(tmp_path: Path) -> None:
    index = the_index(tmp_path)
    deep = scope_named(index, "If outer", "then_branch", "If inner", "else_branch")

    source = deep.source("shifted")
    assert source is not None
    assert source.node is not None
    assert (source.kind, source.node.type, source.slot) == (SourceKind.NODE, "Add", 0)
    assert deep.defining("shifted") is index.main
    assert users(index.main, "shifted") == [(deep.path, "Abs", 0)]
    assert users(index.main, "flag") == [((), "If", 0), (("If outer", "then_branch"), "If", 0)]
    assert str(deep.type_of("shifted")) == "float32[batch, 3, width]"


def test_that_names_of_nested_graphs_are_not_seen_outside(tmp_path: Path) -> None:
    index = the_index(tmp_path)
    assert index.main.source("m") is None
    assert scope_named(index, "If outer", "else_branch").source("n") is None
    assert scope_named(index, "If outer", "then_branch").source("then_weight") is not None


def test_that_functions_see_their_own_inputs_only(tmp_path: Path) -> None:
    function = the_index(tmp_path).functions["local", "Gate", "f32"]
    assert function.source("a") is not None
    assert function.source("x") is None
    assert users(function, "a") == [(("function local:Gate (f32)",), "Everything", 0)]


def test_that_inputs_and_initializers_make_values_and_one_with_a_default_is_one(tmp_path: Path) -> None:
    index = the_index(tmp_path)
    kinds = {name: index.main.sources[name].kind for name in ("x", "w", "thin")}
    assert kinds == {"x": SourceKind.INPUT, "w": SourceKind.INITIALIZER, "thin": SourceKind.INITIALIZER}
    assert [name for scope in index.scopes() for name in scope.repeated] == []
    assert {name for scope in index.scopes() for name in scope.unknown} == set()


def test_that_an_optional_input_left_out_is_no_use(tmp_path: Path) -> None:
    index = the_index(tmp_path)
    assert "" not in index.main.sources
    assert list(index.main.all_uses("")) == []


def test_that_names_made_twice_and_names_nobody_makes_are_told(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="first"),
        helper.make_node("Neg", ["ghost"], ["a"], name="second"),
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "a")]
    model = helper.make_model(helper.make_graph(nodes, "g", values[:1], values[1:]))
    main = index_model(read_model(written(tmp_path, model))).main
    source = main.source("a")
    assert source is not None
    assert source.node is not None
    assert source.node.name == "first"
    assert main.repeated == ["a"]
    assert [(use.node.name, use.slot) for use in main.unknown["ghost"]] == [("second", 0)]


def test_that_nodes_need_not_be_sorted() -> None:
    main = index_model(read_model(sample("open/unsorted_nodes.onnx"))).main
    assert main.unknown == {}


def test_that_nested_graphs_have_paths_of_their_own_whatever_their_nodes_are_called(tmp_path: Path) -> None:
    branch = helper.make_graph(
        [helper.make_node("Neg", ["x"], ["y"])],
        "branch",
        [],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])],
    )
    nodes = [
        helper.make_node("If", ["c"], [f"{number}"], name=name, then_branch=branch, else_branch=branch)
        for number, name in enumerate(("", "", "twice", "twice"))
    ]
    graph = helper.make_graph(nodes, "main", [], [])
    path = written(tmp_path, helper.make_model(graph))
    found = [scope.path[0] for scope in index_model(read_model(path)).scopes() if scope.path]
    assert found == [title for title in ("If", "If #2", "If twice", "If twice #2") for _ in range(2)]
