"""Which orders of axes explain wrong results, and where nothing can be told; operators are PyTorch's own."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch  # noqa: TID253 - what operators compute with, and what axes are moved with

from opstudio.checks.axis_orders import find_axis_orders
from opstudio.checks.cases import Case, make_case
from opstudio.checks.reference_call import run_reference
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Layer, OperatorContract
from opstudio.contract.toml_file import read_contract
from opstudio.parity.axis_order import AxisOrder, AxisOrderSearch, SearchOutcome, Side
from opstudio.worker.context import WorkerContext
from opstudio.worker.fault_page import FaultPage
from tests.support.contracts import contract_text, write_contract

IMAGE = '[[input]]\nname = "x"\ntypes = ["float32"]\nshape = "[N, C, H, W]"\n'
IMAGES = "[samples]\nsingle = { x = [1, 1, 1, 1] }\ntypical = { x = [2, 3, 4, 5] }\nextreme = { x = [1, 64, 1, 1] }\n"
MATRIX = '[[input]]\nname = "x"\ntypes = ["float32"]\nshape = "[N, C]"\n'
PAIRS = '[[output]]\nname = "y"\nshape = "[N, C, C]"\n'
ROWS = "[samples]\nsingle = { x = [1, 1] }\ntypical = { x = [4, 5] }\nextreme = { x = [1, 64] }\n"
CENTRED = "def op(x):\n    return x - x.mean(1, keepdim=True)\n"
SUMMED = "def op(x):\n    return x.cumsum(3) + x.sum(1, keepdim=True)\n"
DIFFERENCES = "def op(x):\n    return x[:, :, None] - x[:, None, :]\n"

Operator = Callable[[torch.Tensor], torch.Tensor]


def centred(x: torch.Tensor) -> torch.Tensor:
    return x - x.mean(1, keepdim=True)


def summed(x: torch.Tensor) -> torch.Tensor:
    return x.cumsum(3) + x.sum(1, keepdim=True)


@pytest.fixture
def descriptor() -> Iterator[int]:
    opened = os.open(os.devnull, os.O_WRONLY)
    yield opened
    os.close(opened)


class Bench:
    """A contract with its reference, against which operators are held."""

    def __init__(self, folder: Path, descriptor: int, contract: str, reference: str) -> None:
        self.contract: OperatorContract = read_contract(write_contract(folder, contract))
        (folder / "reference.py").write_text(reference)
        context = WorkerContext(descriptor, FaultPage())
        self.subject = Subject(context=context, contract=self.contract, folder=folder, operator=None, library=None)

    def search(self, operator: Operator) -> AxisOrderSearch:
        """Look at what an operator returns for all samples."""
        self.subject.operator = operator
        reference = self.subject.load_reference()
        cases: list[tuple[Case, tuple[Any, ...], bool]] = []
        for sample, types in itertools.product(self.contract.samples, self.contract.type_combinations()):
            case = make_case(self.contract, sample, sample.shapes, types)
            expected = run_reference(self.contract, reference, case)
            value = self.subject.call(case)[0]
            good = value.shape == expected[0].shape and torch.allclose(value, expected[0], rtol=1e-5, atol=1e-6)
            cases.append((case, expected, good))
        assert not all(good for _, _, good in cases)
        return find_axis_orders(self.subject, "value", cases, self.subject.call, Layer.KERNEL)


@pytest.fixture
def images(tmp_path: Path, descriptor: int) -> Callable[..., Bench]:
    def make(reference: str, *, inputs: str = IMAGE, outputs: str | None = None, samples: str = IMAGES) -> Bench:
        given = {} if outputs is None else {"outputs": outputs}
        return Bench(tmp_path, descriptor, contract_text(inputs=inputs, samples=samples, **given), reference)

    return make


def pixels(x: torch.Tensor) -> torch.Tensor:
    """Return the memory of images taken as [N, H, W, C], in the places of [N, C, H, W]."""
    n, c, h, w = x.shape
    return x.reshape(n, h, w, c).permute(0, 3, 1, 2).contiguous()


def planes_to_pixels(y: torch.Tensor) -> torch.Tensor:
    """Return images whose memory is filled as [N, H, W, C]."""
    return y.permute(0, 2, 3, 1).contiguous().reshape(y.shape)


@pytest.mark.parametrize(
    ("operator", "order"),
    [
        (lambda x: centred(pixels(x)), AxisOrder(side=Side.INPUT, tensor="x", axes=(0, 2, 3, 1))),
        (lambda x: planes_to_pixels(centred(x)), AxisOrder(side=Side.OUTPUT, tensor="y", axes=(0, 2, 3, 1))),
        (lambda x: planes_to_pixels(centred(pixels(x))), AxisOrder(side=Side.BOTH, tensor="x", axes=(0, 2, 3, 1))),
        (
            lambda x: x - x.mean(3, keepdim=True),
            AxisOrder(side=Side.BOTH, tensor="x", axes=(0, 3, 1, 2), is_memory=False),
        ),
        (
            lambda x: centred(x).permute(0, 2, 3, 1),
            AxisOrder(side=Side.OUTPUT, tensor="y", axes=(0, 2, 3, 1), is_memory=False),
        ),
    ],
    ids=["read", "written", "read and written", "sizes of other axes", "shape of the output"],
)
def test_that_the_order_that_was_assumed_is_found(
    images: Callable[..., Bench], operator: Operator, order: AxisOrder
) -> None:
    found = images(CENTRED).search(operator)

    assert found.outcome is SearchOutcome.EXPLAINED, found
    assert order in found.orders
    assert {item.side for item in found.orders} == {order.side}


def test_that_one_order_alone_is_found_where_no_other_gives_the_same(images: Callable[..., Bench]) -> None:
    found = images(SUMMED).search(lambda x: summed(pixels(x)))
    assert found.orders == (AxisOrder(side=Side.INPUT, tensor="x", axes=(0, 2, 3, 1)),)
    assert set(found.cases) == {"single (float32)", "typical (float32)", "extreme (float32)"}


def test_that_reading_and_writing_are_both_named_where_all_sizes_are_equal(images: Callable[..., Bench]) -> None:
    samples = IMAGES.replace("[2, 3, 4, 5]", "[2, 3, 3, 3]")
    found = images("def op(x):\n    return x * x\n", samples=samples).search(lambda x: pixels(x) ** 2)
    assert {
        AxisOrder(side=Side.INPUT, tensor="x", axes=(0, 2, 3, 1)),
        AxisOrder(side=Side.OUTPUT, tensor="y", axes=(0, 3, 1, 2)),
    } <= set(found.orders)


@pytest.mark.parametrize(
    "operator",
    [
        lambda x: x - x.mean(2, keepdim=True) * 0.5,
        lambda x: x.flip(3) - x.mean(1, keepdim=True),
        lambda x: x - x.mean(1, keepdim=True) + torch.arange(x.shape[3]),
    ],
    ids=["wrong mean", "flipped", "position added"],
)
def test_that_a_wrong_formula_is_explained_by_no_order(images: Callable[..., Bench], operator: Operator) -> None:
    found = images(CENTRED).search(operator)
    assert (found.outcome, found.orders) == (SearchOutcome.NOT_EXPLAINED, ())


def test_that_a_sample_that_an_order_does_not_explain_speaks_against_it(images: Callable[..., Bench]) -> None:
    samples = IMAGES.replace("extreme", "other = { x = [2, 4, 3, 6] }\nextreme")
    bench = images(CENTRED, samples=samples)
    assert bench.search(lambda x: centred(pixels(x))).outcome is SearchOutcome.EXPLAINED
    # Wrong or right: the second sample is not what the order makes of it.
    wrong = bench.search(lambda x: centred(pixels(x)) if x.shape[1] == 3 else centred(x) + 1 + x * x)
    right = bench.search(lambda x: centred(pixels(x)) if x.shape[1] == 3 else centred(x))
    assert [item.outcome for item in (wrong, right)] == [SearchOutcome.NOT_EXPLAINED] * 2


def test_that_a_wrong_sign_of_differences_is_not_taken_for_their_transposition(images: Callable[..., Bench]) -> None:
    bench = images(DIFFERENCES, inputs=MATRIX, outputs=PAIRS, samples=ROWS)
    found = bench.search(lambda x: x[:, None, :] - x[:, :, None])
    assert (found.outcome, found.orders) == (SearchOutcome.CANNOT_TELL, ())
    assert found.reason == "a wrong sign, factor or offset explains the values as well"


def test_that_no_order_explains_what_is_wrong_where_all_elements_are_equal(images: Callable[..., Bench]) -> None:
    alike = IMAGE + "range = [2.0, 2.00000001]\n"
    found = images("def op(x):\n    return x * x\n", inputs=alike).search(lambda x: x**3 + torch.rand_like(x))
    assert (found.outcome, found.orders) == (SearchOutcome.NOT_EXPLAINED, ())


def test_that_few_elements_are_no_proof(images: Callable[..., Bench]) -> None:
    samples = IMAGES.replace("[2, 3, 4, 5]", "[1, 2, 2, 1]")
    found = images(CENTRED, samples=samples).search(lambda x: planes_to_pixels(centred(x)))
    assert (found.outcome, found.reason[:12]) == (SearchOutcome.CANNOT_TELL, "too few elem")


def test_that_large_tensors_are_not_looked_at(images: Callable[..., Bench]) -> None:
    samples = IMAGES.replace("[2, 3, 4, 5]", "[2, 64, 64, 64]")
    found = images(CENTRED, samples=samples).search(lambda x: planes_to_pixels(centred(x)))
    assert (found.outcome, found.cases) == (SearchOutcome.CANNOT_TELL, ())
    assert "too large" in found.reason
