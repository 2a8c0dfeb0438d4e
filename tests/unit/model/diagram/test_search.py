"""What is asked for is found, in all graphs of a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper  # noqa: TID253 - models are what this is about

from opstudio.base.errors import InputError
from opstudio.model.diagram.records import Marks, NodeMark, NodeState, ScopePath
from opstudio.model.diagram.search import ModelSearch
from opstudio.model.diagram.search_query import Key, parse_query
from tests.unit.model.diagram.graphs import a_model, a_value, a_weight, opened
from tests.unit.model.graph.samples import rich_model


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> ModelSearch:
    nodes = [
        helper.make_node("Conv", ["image", "w"], ["first"], name="/layer.1/Conv", kernel_shape=[3, 3], pads=[1] * 4),
        helper.make_node("ConvTranspose", ["first", "w"], ["onnx::out_2"], name="/layer.10/Up", group=1),
        helper.make_node("Softmax", ["onnx::out_2"], ["soft"], name="two words", axis=-1),
        helper.make_node("Gate", ["soft"], ["y"], name="gate", domain="lab", gain=0.1, mode="Hard"),
    ]
    model = a_model(nodes, [a_value("image", 1, 3, 8, 8)], [a_value("y", "N", 4)], a_weight("w", 4, 3, 3, 3))
    _, index = opened(tmp_path_factory.mktemp("search"), model)
    return ModelSearch(index)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", [0, 1, 2, 3]),
        ("conv", [0, 1]),
        ("CONV transpose", [1]),
        ("type:conv", [0, 1]),
        ('type:"conv"', [0]),
        ("type:/^conv$/", [0]),
        ("-type:conv", [2, 3]),
        ("-type:conv -gate", [2]),
        ("domain:lab", [3]),
        ("domain:ai.onnx", [0, 1, 2]),
        ("lab", [3]),
        ("name:layer.1", [0, 1]),
        (r"name:/layer\.1\//", [0]),
        ("/layer.1/", [0, 1]),
        ('"two words"', [2]),
        ('name:"two words"', [2]),
        ("two words", [2]),
        ("value:first", [0, 1]),
        ("value:firs -value:out", [0]),
        ("first", [0, 1]),
        ("onnx::out_2", [1, 2]),
        ("attribute:kernel", [0]),
        ("3x3", [0]),
        ("3×3 type:conv", [0]),
        ("4x3x3x3", [0, 1]),
        ("-3x3", [1, 2, 3]),
        ("1x1", []),
        ("attr:axis=-1", [2]),
        ("attribute:axis=1", []),
        ("attribute:gain=0.1", [3]),
        ("attribute:mode=hard", [3]),
        ("attribute:pads=1,1,1,1", [0]),
        ("attribute:kernel_shape=3x3", [0]),
        ("attribute:kernel_shape=3", []),
        ("attribute:/^pa/", [0]),
        ("shape:1x3x8x8", [0]),
        ("shape:[1,3,8,8]", [0]),
        ("shape:*x3x*x*", [0, 1]),
        ("shape:n×4", [3]),
        ("dtype:float32", [0, 1, 3]),
        ("dtype:float", []),
        ("dtype:/^float/", [0, 1, 3]),
        ("unresolved", []),
        ("nothing:like this", []),
    ],
)
def test_that_a_line_finds_its_nodes(search: ModelSearch, line: str, expected: list[int]) -> None:
    assert list(search.find(parse_query(line)).get((), ())) == expected


def test_that_who_implements_nodes_is_asked_for_each_graph(search: ModelSearch) -> None:
    marks: Mapping[ScopePath, Marks] = {
        (): {
            0: NodeMark(state=NodeState.RESOLVED, party="CUDAExecutionProvider"),
            1: NodeMark(state=NodeState.UNKNOWN),
            3: NodeMark(state=NodeState.UNRESOLVED),
        }
    }

    def find(line: str) -> list[int]:
        return list(search.find(parse_query(line), marks.__getitem__).get((), ()))

    assert find("unresolved") == [3]
    assert find("Unresolved -gate") == []
    assert find("-unresolved") == [0, 1, 2]
    assert find("by:cuda") == [0]


def test_that_nodes_of_nested_graphs_and_functions_are_found(tmp_path: Path) -> None:
    _, index = opened(tmp_path, rich_model())

    found = ModelSearch(index).find(parse_query("type:/^(Neg|Abs|Everything)$/"))

    inner = ("If outer", "then_branch", "If inner")
    assert found == {
        (): (2,),
        (*inner, "else_branch"): (0,),
        (*inner, "then_branch"): (0,),
        ("function local:Gate (f32)",): (0,),
    }


def test_that_types_of_values_around_a_nested_graph_are_known(tmp_path: Path) -> None:
    _, index = opened(tmp_path, rich_model())

    found = ModelSearch(index).find(parse_query("shape:batch,3,width -type:Add"))

    assert found == {("If outer", "then_branch", "If inner", "else_branch"): (0,)}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("/conv(/", "missing ), unterminated subpattern"),
        ("type:/[a-/", "unterminated character set"),
        ("x name:/*/", "nothing to repeat"),
    ],
)
def test_that_a_broken_expression_is_explained(line: str, says: str) -> None:
    with pytest.raises(InputError, match="is not a regular expression") as caught:
        parse_query(line)

    assert says in caught.value.findings[0].cause


@pytest.mark.parametrize("word", ["/", "//", "/layers", "a:b", "type:", ":", "-", '"', 'a"b', "x:0"])
def test_that_odd_words_are_plain_text(word: str) -> None:
    (term,) = parse_query(word).terms

    assert term.key is Key.ANY
    assert term.matches(f"before {word} behind") or term.matches(word)


@given(st.text(max_size=40))
def test_that_any_line_is_a_query_or_a_broken_expression(line: str) -> None:
    try:
        query = parse_query(line)
    except InputError:
        return
    assert bool(query.terms) is bool(line.strip())
