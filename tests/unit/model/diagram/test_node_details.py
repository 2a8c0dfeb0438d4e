"""What boxes say of nodes besides their type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from onnx import TensorProto, helper  # noqa: TID253 - models are what this is about

from opstudio.model.diagram.node_details import NodeDetails
from opstudio.model.diagram.type_details import type_detail
from opstudio.model.graph.value_types import OptionalType, SequenceType, TensorType
from tests.unit.model.diagram.graphs import a_model, a_value, a_weight, opened
from tests.unit.model.graph.samples import a_branch


def detail_of(folder: Path, node: Any, *weights: Any, output: Any = None) -> str:
    _, index = opened(folder, a_model([node], [a_value("x")], [output or a_value("y")], *weights))
    return NodeDetails(index.main).of(index.main.content.nodes[0])


def a_convolution(**attributes: Any) -> Any:
    return helper.make_node("Conv", ["x", "w"], ["y"], **attributes)


@pytest.mark.parametrize(
    ("attributes", "weight", "expected"),
    [
        ({"kernel_shape": [3, 3], "strides": [2, 2]}, (16, 8, 3, 3), "3×3, 8→16, stride 2"),
        ({"strides": [1, 2], "dilations": [4, 4]}, (16, 8, 3, 1), "3×1, 8→16, stride 1×2, dilation 4"),
        ({"kernel_shape": [3, 3], "group": 8}, (8, 1, 3, 3), "3×3, 8→8, 8 groups"),
        ({"kernel_shape": [5]}, (4, 2, 5), "5, 2→4"),
    ],
)
def test_that_a_convolution_tells_window_channels_and_steps(
    tmp_path: Path, attributes: dict[str, Any], weight: tuple[int, ...], expected: str
) -> None:
    assert detail_of(tmp_path, a_convolution(**attributes), a_weight("w", *weight)) == expected


def test_that_a_transposed_convolution_tells_its_channels_in_their_order(tmp_path: Path) -> None:
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2], group=2)
    assert detail_of(tmp_path, node, a_weight("w", 32, 8, 2, 2)) == "2×2, 32→16, stride 2, 2 groups"


def test_that_a_convolution_whose_weight_is_computed_tells_what_is_known(tmp_path: Path) -> None:
    assert detail_of(tmp_path, a_convolution(kernel_shape=[3, 3])) == "3×3"


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (("MaxPool", {"kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 1}), "2×2, stride 2"),
        (("Transpose", {"perm": [0, 2, 1, 3]}), "perm 0 2 1 3"),
        (("Concat", {"axis": 1}), "axis 1"),
        (("Cast", {"to": TensorProto.FLOAT16}), "to float16"),
        (("LeakyRelu", {"alpha": 0.2}), "alpha 0.2"),
        (("Relu", {}), ""),
        (("Shape", {"start": 1}), ""),
    ],
)
def test_that_other_nodes_tell_their_attributes(tmp_path: Path, node: tuple[str, Any], expected: str) -> None:
    assert detail_of(tmp_path, helper.make_node(node[0], ["x"], ["y"], **node[1])) == expected


def test_that_a_multiplication_tells_the_shape_of_its_weight(tmp_path: Path) -> None:
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    assert detail_of(tmp_path, node, a_weight("w", 16, 64)) == "16×64"


def test_that_a_weight_is_told_that_a_node_hands_on(tmp_path: Path) -> None:
    nodes = [helper.make_node("Identity", ["w"], ["v"]), helper.make_node("Gather", ["v", "x"], ["y"])]
    _, index = opened(tmp_path, a_model(nodes, [a_value("x")], [a_value("y")], a_weight("w", 50, 16)))

    assert NodeDetails(index.main).of(index.main.content.nodes[1]) == "50×16"


@pytest.mark.parametrize("kind", ["Reshape", "MatMul"])
def test_that_a_node_that_makes_a_new_shape_tells_it(tmp_path: Path, kind: str) -> None:
    node = helper.make_node(kind, ["x", "s"], ["y"])
    assert detail_of(tmp_path, node, output=a_value("y", "batch", 2, 3)) == "→ batch×2×3"


def test_that_a_node_of_any_domain_tells_its_first_attributes(tmp_path: Path) -> None:
    node = helper.make_node("Conv", ["x"], ["y"], domain="lab", threshold=0.25, mode="hard", zeta=3)
    assert detail_of(tmp_path, node) == "mode hard, threshold 0.25"


def test_that_a_node_with_graphs_tells_their_sizes(tmp_path: Path) -> None:
    branches = {
        name: a_branch(name, helper.make_node("Neg", ["x"], [f"{name}_n"]), output=f"{name}_n")
        for name in ("then_branch", "else_branch")
    }
    assert detail_of(tmp_path, helper.make_node("If", ["x"], ["y"], **branches)) == ("else 1 node, then 1 node")


def test_that_long_values_are_cut_or_left_out(tmp_path: Path) -> None:
    node = helper.make_node("F", ["x"], ["y"], domain="lab", a_list=list(range(9)), b_text="b" * 999, c_control="a\0b")
    detail = detail_of(tmp_path, node)
    assert detail.startswith("b_text bbb")
    assert len(detail) == 48
    assert detail.endswith("…")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (TensorType(element_type=1, shape=(1, "n", None)), "1×n×? float32"),
        (TensorType(element_type=10, shape=()), "scalar float16"),
        (TensorType(element_type=7, shape=None), "int64"),
        (TensorType(element_type=1, shape=(1,) * 20), "1×1×1×1×1×1×1×1×… float32"),
        (SequenceType(element=OptionalType(element=None)), "sequence(optional(?))"),
        (None, ""),
    ],
)
def test_that_types_are_told_in_short(kind: Any, expected: str) -> None:
    assert type_detail(kind) == expected
