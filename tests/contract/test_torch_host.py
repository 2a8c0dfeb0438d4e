"""Operators that the dispatcher host registered, called as anybody calls them."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tests.support.loaded_operators import LoadedOperators


@pytest.fixture
def pick(loaded: LoadedOperators) -> Any:
    return loaded.subjects["affine_pick"].operator


@pytest.fixture
def total(loaded: LoadedOperators) -> Any:
    return loaded.subjects["weighted_sum"].operator


def test_that_the_dispatcher_knows_the_schema_of_the_contract(pick: Any, total: Any) -> None:
    assert str(pick.default._schema) == (
        "testops::affine_pick(Tensor x, Tensor? bias, int[] picks, float scale=1.) -> Tensor"
    )
    assert str(total.default._schema) == (
        'testops::weighted_sum(Tensor[] xs, float[] weights, str mode="sum", bool keep=True) -> '
        "(Tensor total, Tensor number)"
    )


def test_that_an_optional_input_may_be_given_or_left_out(pick: Any) -> None:
    x, bias = torch.randn(3, 4, 5), torch.randn(5)

    assert torch.equal(pick(x, bias, [4, 0, 4]), (x + bias)[..., [4, 0, 4]])
    assert torch.equal(pick(x, None, [1], 3.0), x[..., [1]] * 3)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_that_a_variadic_input_takes_any_number_of_tensors(total: Any, count: int) -> None:
    xs = [torch.randn(2, 3, dtype=torch.float64) for _ in range(count)]
    weights = [0.5 * index for index in range(1, count + 1)]

    result, number = total(xs, weights, "mean", False)

    expected = sum(x * weight for x, weight in zip(xs, weights, strict=True)).sum(-1, keepdim=True) / count
    torch.testing.assert_close(result, expected)
    assert number.tolist() == [count]


def test_that_numbers_are_those_that_onnx_can_store(pick: Any) -> None:
    x = torch.ones(1, dtype=torch.float64)

    assert pick(x, None, [0], 0.1).item() == torch.tensor(0.1, dtype=torch.float32).item()


def test_that_strided_inputs_of_a_contiguous_kernel_are_copied(pick: Any) -> None:
    x = torch.randn(5, 4).t()

    assert torch.equal(pick(x, None, [2]), x[:, [2]])


def test_that_a_strided_kernel_sees_the_strides(total: Any) -> None:
    wide = torch.randn(4, 6)
    xs = [wide[:, ::2], wide.t()[:3].t()]

    result, _ = total(xs, [1.0, 1.0])

    assert torch.equal(result, wide[:, ::2] + wide[:, :3])


def test_that_gradients_flow_to_every_input_that_has_one(pick: Any, total: Any) -> None:
    x, bias = torch.randn(2, 3, requires_grad=True), torch.randn(3, requires_grad=True)
    pick(x, bias, [2, 2, 0], 0.5).sum().backward()

    assert x.grad is not None
    assert bias.grad is not None
    assert x.grad.tolist() == [[0.5, 0.0, 1.0]] * 2
    assert bias.grad.tolist() == [1.0, 0.0, 2.0]

    xs = [torch.randn(2, 2, requires_grad=True), torch.randn(2, 2)]
    result, number = total(xs, [3.0, 5.0])
    result.sum().backward()

    assert xs[0].grad is not None
    assert xs[0].grad.tolist() == [[3.0, 3.0]] * 2
    assert not number.requires_grad


def test_that_an_absent_input_has_no_gradient(pick: Any) -> None:
    x = torch.randn(2, 3, requires_grad=True)

    pick(x, None, [1]).sum().backward()

    assert x.grad is not None
    assert x.grad.tolist() == [[0.0, 1.0, 0.0]] * 2


def test_that_second_derivatives_are_refused_rather_than_wrong(pick: Any) -> None:
    x = torch.randn(2, 3, requires_grad=True)
    (gradient,) = torch.autograd.grad(pick(x, None, [1]).pow(2).sum(), x, create_graph=True)

    with pytest.raises(RuntimeError, match="testops::affine_pick has a gradient but no second derivative"):
        torch.autograd.grad(gradient.sum(), x)


def test_that_the_shape_rule_is_followed_on_the_meta_device(pick: Any, total: Any) -> None:
    x = torch.empty(7, 9, device="meta")

    assert pick(x, None, [0, 1, 2]).shape == (7, 3)
    assert total([x, x], [1.0, 2.0], "sum", False)[0].shape == (7, 1)
    assert total([x, x], [1.0, 2.0])[1].dtype == torch.int64


def test_that_symbolic_sizes_survive_export(pick: Any) -> None:
    class Module(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.as_tensor(pick(x, None, [0, 2]))

    batch = torch.export.Dim("batch")
    program = torch.export.export(Module(), (torch.randn(4, 3),), dynamic_shapes=({0: batch},))

    (shape,) = [node.meta["val"].shape for node in program.graph.nodes if "affine_pick" in str(node.target)]
    assert isinstance(shape[0], torch.SymInt)
    assert shape[1] == 2
    assert program.module()(torch.randn(11, 3)).shape == (11, 2)


@pytest.mark.parametrize(
    ("x", "bias", "picks", "words"),
    [
        (torch.ones(2, 3, dtype=torch.int32), None, [0], "x is Int"),
        (torch.ones(2, 3), torch.ones(3, dtype=torch.float64), [0], "bias is Double"),
        (torch.ones(2, 3), torch.ones(4), [0], "bias has shape"),
        (torch.ones(2, 3), torch.ones(3, 1), [0], "bias has shape"),
        (torch.ones(2, 3), None, [3], "pick 3 is outside of 3 columns"),
    ],
)
def test_that_what_does_not_fit_is_refused_by_name(
    pick: Any, x: torch.Tensor, bias: torch.Tensor | None, picks: list[int], words: str
) -> None:
    with pytest.raises((RuntimeError, ValueError), match=words):
        pick(x, bias, picks)


def test_that_errors_name_the_operator(total: Any) -> None:
    with pytest.raises(RuntimeError, match=r"testops::weighted_sum.*2 tensors and 1 weights"):
        total([torch.ones(1), torch.ones(1)], [1.0])


def test_that_tensors_of_one_variadic_input_share_a_shape(total: Any) -> None:
    with pytest.raises((RuntimeError, ValueError), match="xs has shape"):
        total([torch.ones(2, 3), torch.ones(2, 4)], [1.0, 1.0])


@pytest.mark.parametrize("threads", [1, 3])
def test_that_a_kernel_runs_on_pytorchs_own_threads(loaded: LoadedOperators, threads: int) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        numbers = loaded.subjects["thread_numbers"].operator(torch.ones(12))
    finally:
        torch.set_num_threads(before)

    assert len(set(numbers.tolist())) == threads
