"""swish against numbers worked out by hand and against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.unit.kernels.conftest import CallKernel
from tests.unit.kernels.kernel_process import TYPES, Array, KernelCall, Tensor

INFINITY, NAN = np.inf, np.nan
LARGEST = {
    "float32": (2 - 2.0**-23) * 2.0**127,
    "float64": np.finfo(np.float64).max,
    "float16": 65504.0,
    "bfloat16": (2 - 2.0**-7) * 2.0**127,
}
ROUNDING = {"float32": 2.0**-24, "float64": 2.0**-53, "float16": 2.0**-11, "bfloat16": 2.0**-8}
"""Half a unit in the last place of numbers from one on, relative."""


def run(call: CallKernel, x: Array, beta: float = 1.0, grad_y: Array | None = None, **how: Any) -> Array:
    """Return y, or the gradient of x where one of y is given."""
    inputs, name = {"x": Tensor(x, **how)}, "y"
    if grad_y is not None:
        inputs, name = {**inputs, "grad_y": Tensor(grad_y, how.get("type", "float32"))}, "grad_x"
    output = {name: Tensor(np.zeros(x.shape), how.get("type", "float32"))}
    result = call(KernelCall("swish", inputs, output, {"beta": beta}, backward=grad_y is not None))
    assert isinstance(result, dict), result
    return result[name]


def rounded(values: Array, data_type: str) -> Any:
    """Return a tensor of numbers that the type can hold, as float64."""
    import torch

    return torch.from_numpy(values).to(getattr(torch, data_type)).double()


def exact_swish(x: Array) -> Any:
    """Return x / (1 + exp(-x)) of float64 numbers with 64 significant bits."""
    z = x.astype(np.longdouble)
    e = np.exp(-np.abs(z))
    return np.where(z < 0, z * e, z) / (1 + e)


def exact_derivative(x: Array) -> Any:
    z = x.astype(np.longdouble)
    e = np.exp(-np.abs(z))
    return (np.where(z < 0, e, 1) * (1 + e) + z * e) / (1 + e) ** 2


def units_apart(values: Array, exact: Any, data_type: str) -> float:
    """Return the largest difference in units of the last place of the exact numbers, denormal ones included."""
    spacing = np.spacing(np.abs(exact).astype(data_type)).astype(np.longdouble)
    return float(np.max(np.abs(values.astype(np.longdouble) - exact) / spacing))


def test_that_the_value_at_the_logarithm_of_three_is_three_quarters_of_it(call: CallKernel) -> None:
    x = np.array([np.log(3.0), -np.log(3.0), 0.0])

    y = run(call, x, type="float64")

    assert y.tolist() == pytest.approx([0.75 * np.log(3.0), -0.25 * np.log(3.0), 0.0], rel=1e-15)


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize(
    ("beta", "expected"),
    [
        (1.0, [0.0, 0.0, 0.0, 1.0, INFINITY, NAN]),
        (-1.0, [-INFINITY, -1.0, 0.0, 0.0, 0.0, NAN]),
        (0.0, [-INFINITY, -0.5, 0.0, 0.5, INFINITY, NAN]),
    ],
)
def test_that_the_ends_give_their_limits(call: CallKernel, beta: float, expected: list[float], data_type: str) -> None:
    largest = LARGEST[data_type]
    x = np.array([-INFINITY, -largest, 0.0, largest, INFINITY, NAN])
    factors = np.array([1.0, largest, 1.0, largest, 1.0, 1.0])

    y = run(call, x, beta, type=data_type)

    np.testing.assert_array_equal(y, np.array(expected) * factors)


def test_that_the_plain_formula_has_no_limit() -> None:
    import torch

    assert torch.isnan(torch.nn.functional.silu(torch.tensor(-INFINITY)))


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize(
    ("beta", "expected"),
    [
        (1.0, [0.0, 0.0, 0.5, 1.0, 1.0, NAN]),
        (-1.0, [1.0, 1.0, 0.5, 0.0, 0.0, NAN]),
        (0.0, [0.5, 0.5, 0.5, 0.5, 0.5]),
    ],
)
def test_that_gradients_at_the_ends_are_their_limits(
    call: CallKernel, beta: float, expected: list[float], data_type: str
) -> None:
    largest = LARGEST[data_type]
    x = np.array([-INFINITY, -largest, 0.0, largest, INFINITY, NAN][: len(expected)])

    gradient = run(call, x, beta, np.full(x.shape, -2.0), type=data_type)

    np.testing.assert_array_equal(gradient, -2 * np.array(expected))


@pytest.mark.parametrize(("data_type", "lowest"), [("float32", -110.0), ("float64", -755.0)])
def test_that_values_are_exact_to_three_units_in_the_last_place(
    call: CallKernel, data_type: str, lowest: float
) -> None:
    # From where nothing is left of the smallest denormal number to where x is all that counts.
    x = np.concatenate(
        [np.linspace(lowest, -lowest, 400_001), np.geomspace(1e-30, 1, 1000), -np.geomspace(1e-30, 1, 99)]
    )
    x = x.astype(data_type).astype(np.float64)

    y = run(call, x, type=data_type)

    assert units_apart(y, exact_swish(x), data_type) <= 3


@pytest.mark.parametrize(("data_type", "lowest"), [("float32", -110.0), ("float64", -755.0)])
def test_that_gradients_are_exact_to_two_units_in_the_last_place_of_one(
    call: CallKernel, data_type: str, lowest: float
) -> None:
    x = np.linspace(lowest, -lowest, 400_001).astype(data_type).astype(np.float64)

    gradient = run(call, x, 1.0, np.ones(x.shape), type=data_type)

    assert float(np.max(np.abs(gradient - exact_derivative(x)))) <= 2 * np.finfo(data_type).eps


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize("beta", [1.0, 1.702, -0.5, 40.0, 1e-30])
def test_that_values_and_gradients_are_those_of_pytorch(call: CallKernel, beta: float, data_type: str) -> None:
    import torch

    generator = np.random.default_rng(1)
    beta = float(np.float32(beta))
    x = rounded(generator.uniform(-8, 8, 5000), data_type).requires_grad_()
    weights = rounded(generator.uniform(-1, 1, 5000), data_type)
    expected = torch.nn.functional.silu(x) if beta == 1 else x * torch.sigmoid(beta * x)
    (slopes,) = torch.autograd.grad(expected, x, weights)
    # The rounding of the product in the wide types, repeated by the exponential; x itself is up to 8.
    tolerance = 8 * ROUNDING[data_type] + 8 * abs(beta) * ROUNDING["float64" if data_type == "float64" else "float32"]

    y = run(call, x.detach().numpy(), beta, type=data_type)
    gradient = run(call, x.detach().numpy(), beta, weights.numpy(), type=data_type)

    np.testing.assert_allclose(y, expected.detach().numpy(), rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(gradient, slopes.numpy(), rtol=tolerance, atol=8 * tolerance)


def test_that_large_numbers_with_small_factors_do_not_overflow(call: CallKernel) -> None:
    x = np.array([-3e38, 3e38, -1e32, -3e38])
    beta = float(np.float32(1e-38))
    z = x * beta

    y = run(call, x, beta)

    np.testing.assert_allclose(y, x / (1 + np.exp(-z)), rtol=1e-6)


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize(
    "layout", [{}, {"order": (2, 1, 0)}, {"order": (1, 0, 2), "gap": 3}, {"repeated": (1,)}, {"repeated": (0, 2)}]
)
def test_that_any_strides_give_what_contiguous_data_gives(
    call: CallKernel, layout: dict[str, Any], data_type: str
) -> None:
    x = np.random.default_rng(2).uniform(-4, 4, (30, 40, 50))
    for repeated in layout.get("repeated", ()):
        x = np.repeat(np.take(x, [0], repeated), x.shape[repeated], repeated)

    np.testing.assert_array_equal(run(call, x, type=data_type, **layout), run(call, x, type=data_type))


@pytest.mark.parametrize("shape", [(), (1,), (3, 0, 2), (17,)])
def test_that_shapes_of_any_rank_are_taken(call: CallKernel, shape: tuple[int, ...]) -> None:
    x = np.full(shape, np.log(3.0))

    np.testing.assert_allclose(run(call, x, type="float64"), 0.75 * x, rtol=1e-15)


def test_that_a_type_without_code_is_refused(call: CallKernel) -> None:
    tensor = Tensor(np.zeros(3), "int32")

    refused = call(KernelCall("swish", {"x": tensor}, {"y": tensor}, {"beta": 1.0}))

    assert refused == "the kernel has no code for int32"
