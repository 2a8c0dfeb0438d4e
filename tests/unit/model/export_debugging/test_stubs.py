"""Stubs that exporters take: each is pasted, and the file holds the node with all inputs and attributes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import onnx  # noqa: TID253 - files are what this is about
import pytest
import torch  # noqa: TID253 - the exporters are what this is about
from onnx import helper  # noqa: TID253 - the same

from opstudio.model.export_debugging.eager_calls import record_calls
from opstudio.model.export_debugging.eager_records import CustomCall
from opstudio.model.export_debugging.signature import signature_of
from opstudio.model.export_debugging.stubs.fake import draft_fake
from opstudio.model.export_debugging.stubs.stub import render
from opstudio.model.export_debugging.stubs.symbolic import draft_symbolic
from opstudio.model.export_debugging.stubs.translation import draft_translation, table_lines
from opstudio.model.exportable import Exportable

X = torch.linspace(-1.0, 1.0, 12).reshape(3, 4)

SCHEMAS: dict[str, tuple[str, Any, tuple[Any, ...], tuple[tuple[int, ...], ...], tuple[torch.dtype, ...]]] = {
    "numbers": (
        "(Tensor x, float scale, int axis=-1, bool flag=True, str mode='sum') -> Tensor",
        lambda x, *_: x * 2,
        (X, 0.5, 1, False, "mean"),
        ((3, 4),),
        (torch.float32,),
    ),
    "lists": (
        "(Tensor x, int[] picks, float[] weights) -> Tensor",
        lambda x, *_: x * 2,
        (X, [3, 1], [0.5, 0.25]),
        ((3, 4),),
        (torch.float32,),
    ),
    "absent": (
        "(Tensor x, Tensor? bias, Tensor y, Tensor? last=None) -> Tensor",
        lambda x, _bias, y, _last=None: x + y,
        (X, None, X, None),
        ((3, 4),),
        (torch.float32,),
    ),
    "variadic": (
        "(Tensor[] xs, Tensor y, *, float? limit=None, float? other=None) -> Tensor",
        lambda xs, y, limit=None, other=None: xs[0] + y,  # noqa: ARG005 - the operator's arguments
        ([X, X + 1], X),
        ((3, 4),),
        (torch.float32,),
    ),
    "several": (
        "(Tensor x, int count) -> (Tensor, Tensor)",
        lambda x, count: (x.sum(0), torch.zeros(count, dtype=torch.int64, device=x.device)),
        (X, 7),
        ((4,), (7,)),
        (torch.float32, torch.int64),
    ),
}
"""For each operator: its arguments and results, what it computes, a call, the sizes and types of the results."""
ATTRIBUTES = {
    "numbers": {"scale": 0.5, "axis": 1, "flag": 0, "mode": b"mean"},
    "lists": {"picks": [3, 1], "weights": [0.5, 0.25]},
    "absent": {},
    "variadic": {"limit": 0.5},
    "several": {"count": 7},
}
INPUTS = {"numbers": 1, "lists": 1, "absent": 3, "variadic": 3, "several": 1}


class Caller(torch.nn.Module):
    def __init__(self, operator: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        super().__init__()
        self._operator, self._arguments, self._named = operator, arguments, named

    def forward(self, x: torch.Tensor) -> Any:
        arguments = [
            [x, x + 1] if isinstance(item, list) and isinstance(item[0], torch.Tensor) else item
            for item in self._arguments
        ]
        arguments = [x if isinstance(item, torch.Tensor) else item for item in arguments]
        return self._operator(*arguments, **self._named)


@contextmanager
def defined(name: str, namespace: str, *, fake: bool = True) -> Iterator[Any]:
    """Define an operator in a namespace of this test's own."""
    schema, compute, _, _, _ = SCHEMAS[name]
    library = torch.library.Library(namespace, "FRAGMENT")
    library.define(f"{name}{schema}")
    library.impl(name, compute, "CPU")
    if fake:
        library.impl(name, compute, "Meta")
    yield getattr(getattr(torch.ops, namespace), name)
    library._destroy()


def called(name: str, operator: Any) -> tuple[Caller, CustomCall]:
    _, _, arguments, _, _ = SCHEMAS[name]
    module = Caller(operator, arguments, {"limit": 0.5} if name == "variadic" else {})
    eager = record_calls(
        Exportable(make=lambda: module, inputs=(X,), contracts=(), references={}), Path(__file__).parent
    )
    (call,) = eager.custom
    return module, call


def only_node(path: Path, name: str) -> Any:
    (node,) = [node for node in onnx.load(path).graph.node if node.op_type == name.capitalize()]
    return node


def assert_whole(name: str, node: Any, namespace: str) -> None:
    """The node has all attributes of the call and as many inputs as it has tensors; absent ones between are empty."""
    assert node.domain == namespace
    attributes = {item.name: helper.get_attribute_value(item) for item in node.attribute}
    assert attributes == ATTRIBUTES[name]
    assert len(node.input) == INPUTS[name]
    assert [bool(item) for item in node.input] == [name != "absent" or index != 1 for index in range(INPUTS[name])]


@pytest.mark.parametrize("name", SCHEMAS)
def test_that_a_symbolic_writes_the_node_with_its_type(name: str, tmp_path: Path) -> None:
    _, _, _, sizes, types = SCHEMAS[name]
    path = tmp_path / "model.onnx"
    with defined(name, "stubs_ts") as operator, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module, call = called(name, operator)
        exec(render([draft_symbolic(signature_of(call))]).text, {})  # noqa: S102 - what is pasted

        torch.onnx.export(module, (X,), str(path), dynamo=False, opset_version=18, input_names=["x"])

    assert_whole(name, only_node(path, name), "stubs_ts")
    outputs = onnx.load(path).graph.output
    assert [len(item.type.tensor_type.shape.dim) for item in outputs] == [len(size) for size in sizes]
    codes = {torch.float32: onnx.TensorProto.FLOAT, torch.int64: onnx.TensorProto.INT64}
    assert [item.type.tensor_type.elem_type for item in outputs] == [codes[item] for item in types]


@pytest.mark.parametrize("name", SCHEMAS)
def test_that_a_translation_writes_the_node(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    with defined(name, "stubs_dynamo") as operator, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module, call = called(name, operator)
        drafts = [draft_translation(signature_of(call))]
        space: dict[str, Any] = {}
        exec(render(drafts, table_lines(drafts, has_register=False)).text, space)  # noqa: S102 - what is pasted

        program = torch.onnx.export(
            module,
            (X,),
            dynamo=True,
            opset_version=18,
            custom_translation_table=space["register"](),
            verbose=False,
        )
        program.save(str(path))

    assert_whole(name, only_node(path, name), "stubs_dynamo")


@pytest.mark.parametrize("name", SCHEMAS)
def test_that_a_meta_kernel_says_the_shapes_and_types_of_the_call(name: str) -> None:
    _, _, arguments, sizes, types = SCHEMAS[name]
    with defined(name, "stubs_fake", fake=False) as operator:
        _, call = called(name, operator)
        stub = render([draft_fake(signature_of(call))])
        exec(stub.text, {})  # noqa: S102 - what is pasted
        with torch._subclasses.FakeTensorMode() as mode:
            fakes = torch.utils._pytree.tree_map_only(torch.Tensor, mode.from_tensor, arguments)
            result = operator(*fakes)

    results = result if isinstance(result, tuple) else (result,)
    assert tuple(tuple(item.shape) for item in results) == sizes
    assert tuple(item.dtype for item in results) == types
    # The size that no input has is told to be the example's.
    assert ("7 is of the example" in stub.todo) == (name == "several")


def test_that_a_file_that_registers_already_keeps_its_table() -> None:
    with defined("numbers", "stubs_before") as operator:
        _, call = called("numbers", operator)
        drafts = [draft_translation(signature_of(call))]
        text = "def register():\n    return {'before': 1}\n\n\n"
        space: dict[str, Any] = {}
        exec(text + render(drafts, table_lines(drafts, has_register=True)).text, space)  # noqa: S102 - what is pasted

        assert list(space["register"]()) == ["before", operator.default]


def test_that_an_argument_that_no_node_can_have_is_told() -> None:
    library = torch.library.Library("stubs_other", "FRAGMENT")
    library.define("placed(Tensor x, Device? device=None, int lambda=3) -> Tensor")
    library.impl("placed", lambda x, _device=None, _factor=3: x * 2, "CPU")
    operator = torch.ops.stubs_other.placed
    module = Caller(operator, (X,), {})
    exportable = Exportable(make=lambda: module, inputs=(X,), contracts=(), references={})
    (call,) = record_calls(exportable, Path(__file__).parent).custom

    stub = render([draft_symbolic(signature_of(call))])
    library._destroy()

    assert "no attribute can hold device" in stub.todo
    assert "lambda_i=lambda_" in stub.text
    compile(stub.text, "stub", "exec")
