"""What is noted of a model in PyTorch: each call of an operator that is not PyTorch's own, with its line and module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch  # noqa: TID253 - its dispatcher is what this is about

from opstudio.model.export_debugging.eager_calls import record_calls
from opstudio.model.export_debugging.eager_records import EagerCalls, TensorNote
from opstudio.model.exportable import Exportable

HERE = Path(__file__)


@pytest.fixture(scope="module", autouse=True)
def operators() -> Iterator[Any]:
    """Define an operator with a kernel, one that is made of others, and one that calls another one itself."""
    library = torch.library.Library("noted", "FRAGMENT")
    library.define("scale(Tensor x, float factor=2.0, int[]? axes=None) -> Tensor")
    library.impl("scale", lambda x, factor=2.0, _axes=None: x * factor, "CPU")
    library.define("composed(Tensor x) -> Tensor")
    library.impl("composed", lambda x: x.relu() + 1, "CompositeImplicitAutograd")
    library.define("outer(Tensor x) -> Tensor")
    library.impl("outer", lambda x: torch.ops.noted.scale(x, 3.0), "CPU")
    yield torch.ops.noted
    library._destroy()


class Doubling(torch.autograd.Function):
    @staticmethod
    def forward(_context: Any, x: torch.Tensor, factor: float) -> torch.Tensor:
        return x * factor


class Inner(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.noted.scale(x, 0.5)  # the inner line


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.ReLU(), Inner())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.ops.noted.outer(torch.ops.noted.composed(self.layers(x)))
        y = torch.nn.functional.dropout(y, 0.0)  # trains by default
        return Doubling.apply(y, 2.0)


@pytest.fixture(scope="module")
def noted() -> EagerCalls:
    exportable = Exportable(make=Net, inputs=(torch.ones(2, 3),), contracts=(), references={})
    return record_calls(exportable, HERE.parent)


def line_of(text: str) -> int:
    (number,) = [number for number, line in enumerate(HERE.read_text().splitlines(), start=1) if line.endswith(text)]
    return number


def test_that_calls_are_noted_in_order_without_those_within_operators(noted: EagerCalls) -> None:
    assert [call.operator for call in noted.custom] == ["noted::scale", "noted::composed", "noted::outer", "Doubling"]


def test_that_a_call_has_its_line_its_module_and_its_values(noted: EagerCalls) -> None:
    call = noted.custom[0]

    assert (call.module, call.attributes) == ("layers.1", {"factor": "0.5"})
    assert call.at is not None
    assert (call.at.file, call.at.line) == (str(HERE), line_of("# the inner line"))
    assert call.at.text.startswith("return torch.ops.noted.scale(x, 0.5)")
    assert call.inputs == (TensorNote(argument="x", type="float32", sizes=(2, 3)),)
    assert call.outputs == (TensorNote(argument="", type="float32", sizes=(2, 3)),)
    assert call.schema == "noted::scale(Tensor x, float factor=2., int[]? axes=None) -> Tensor"


def test_that_a_function_of_autograd_is_noted_with_its_body(noted: EagerCalls) -> None:
    call = noted.custom[-1]

    first = line_of("def forward(_context: Any, x: torch.Tensor, factor: float) -> torch.Tensor:")
    assert (call.schema, call.kinds) == ("", {"x": "Tensor", "factor": "float"})
    assert (call.body[0], call.body[2]) == (str(HERE), first + 1)


def test_that_functions_that_train_are_noted(noted: EagerCalls) -> None:
    (call,) = noted.training

    assert call.function == "dropout"
    assert call.at is not None
    assert call.at.line == line_of("# trains by default")


def test_that_nothing_is_overheard_any_more_afterwards(noted: EagerCalls) -> None:
    count = len(noted.custom)

    Doubling.apply(torch.ones(2), 2.0)
    torch.ops.noted.scale(torch.ones(2))

    assert len(noted.custom) == count
    assert torch.autograd.Function.__dict__["apply"].__func__.__module__ == "torch.autograd.function"
