"""Blocks that a model repeats."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.layout.repeats import RepeatedRun, find_repeated_runs, find_repeated_scopes
from tests.unit.layout.drawings import edges_of

Edge = tuple[int, int, int, int]


class Model:
    """Nodes with scopes and types, each reading outputs 0 of others."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.types: list[str] = []
        self.edges: list[Edge] = []

    def add(self, path: str, kind: str, *inputs: int) -> int:
        node = len(self.types)
        self.paths.append(path)
        self.types.append(kind)
        self.edges.extend((source, 0, node, port) for port, source in enumerate(inputs))
        return node


def encoder(layers: int, *, other: int = -1, swapped: int = -1) -> Model:
    """Layers of five nodes; ``other`` has another type in it, ``swapped`` reads its inputs in another order."""
    model = Model()
    x = model.add("embed", "Gather")
    for layer in range(layers):
        scope = f"encoder/layer.{layer}"
        y = model.add(f"{scope}/attention", "MatMul", x)
        y = model.add(f"{scope}/attention", "Tanh" if layer == other else "Softmax", y)
        x = model.add(scope, "Add", y, x) if layer == swapped else model.add(scope, "Add", x, y)
        y = model.add(f"{scope}/output", "Gelu", x)
        x = model.add(scope, "Mul", x, y)
    model.add("head", "MatMul", x)
    return model


def scopes(model: Model) -> list[tuple[str, ...]]:
    return [found.groups for found in find_repeated_scopes(model.paths, model.types, edges_of(model.edges))]


def layers(*numbers: int) -> tuple[str, ...]:
    return tuple(f"encoder/layer.{number}" for number in numbers)


def test_that_equal_layers_are_one_block_with_a_label() -> None:
    model = encoder(12)

    found = find_repeated_scopes(model.paths, model.types, edges_of(model.edges))

    assert [repeated.groups for repeated in found] == [layers(*range(12))]
    assert found[0].label == "layer.0 … 11"


@pytest.mark.parametrize("difference", ["other", "swapped"])
def test_that_a_layer_of_other_types_or_edges_parts_the_repetition(difference: str) -> None:
    assert scopes(encoder(6, **{difference: 2})) == [layers(0, 1), layers(3, 4, 5)]


def test_that_numbers_that_do_not_follow_each_other_are_no_repetition() -> None:
    model = Model()
    for number in (0, 2, 3, 5):
        model.add(f"block{number}", "Relu")

    assert scopes(model) == [("block2", "block3")]


def test_that_repetitions_within_repeated_scopes_are_found_in_each() -> None:
    model = Model()
    for stage in range(2):
        for block in range(3):
            model.add(f"net/stage{stage}/block{block}/conv", "Conv")

    assert scopes(model) == [
        ("net/stage0", "net/stage1"),
        ("net/stage0/block0", "net/stage0/block1", "net/stage0/block2"),
        ("net/stage1/block0", "net/stage1/block1", "net/stage1/block2"),
    ]


def test_that_layers_without_scopes_are_found_by_their_types() -> None:
    model = encoder(12)

    assert find_repeated_runs(model.types, edges_of(model.edges)) == [RepeatedRun(start=1, length=5, count=12)]


@pytest.mark.parametrize("difference", ["other", "swapped"])
def test_that_a_run_ends_where_types_or_edges_differ(difference: str) -> None:
    model = encoder(8, **{difference: 3})

    runs = find_repeated_runs(model.types, edges_of(model.edges))

    # Within a layer there is a second place at which one value is handed on, before Gelu: blocks begin at the first.
    start = {"other": 19, "swapped": 21}[difference]
    assert runs == [RepeatedRun(start=1, length=5, count=3), RepeatedRun(start=start, length=5, count=4)]


def test_that_blocks_begin_where_the_fewest_edges_lead_in() -> None:
    # The stem ends like a block, so that types alone repeat from its last node on.
    model = Model()
    x = model.add("", "Relu", model.add("", "Conv"))
    for _ in range(5):
        y = model.add("", "Norm", model.add("", "Conv", x))
        x = model.add("", "Relu", model.add("", "Add", y, x))

    assert find_repeated_runs(model.types, edges_of(model.edges)) == [RepeatedRun(start=2, length=4, count=5)]


def test_that_nodes_without_edges_between_them_are_no_blocks() -> None:
    assert find_repeated_runs(["Constant", "Shape"] * 10, edges_of([])) == []


@settings(deadline=None)
@given(st.lists(st.sampled_from("ab"), max_size=24))
def test_that_runs_hold_equal_blocks_and_do_not_overlap(types: list[str]) -> None:
    edges = edges_of((node - 1, 0, node, 0) for node in range(1, len(types)))

    runs = find_repeated_runs(types, edges)

    ends = [0]
    for run in runs:
        blocks = {tuple(types[start : start + run.length]) for start in range(run.start, run.end, run.length)}
        assert len(blocks) == 1
        assert run.length > 1
        assert run.count > 1
        assert run.start >= ends[-1]
        ends.append(run.end)
    assert ends[-1] <= len(types)
    # Nothing is found only where no two neighbouring parts of the same length are equal.
    if not runs:
        pairs = [
            (start, length) for length in range(2, len(types) // 2 + 1) for start in range(len(types) - 2 * length + 1)
        ]
        assert all(types[s : s + n] != types[s + n : s + 2 * n] for s, n in pairs)
