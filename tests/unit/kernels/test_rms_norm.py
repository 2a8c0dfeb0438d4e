"""rms_norm against numbers worked out by hand and against PyTorch."""

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
SMALLEST = {"float32": 2.0**-149, "float64": 2.0**-1074, "float16": 2.0**-24, "bfloat16": 2.0**-133}
ROUNDING = {"float32": 2.0**-24, "float64": 2.0**-53, "float16": 2.0**-11, "bfloat16": 2.0**-8}
"""Half a unit in the last place of numbers from one on, relative."""
SUMS = 1e-13
"""What sums in double of some thousand elements lose."""


def norm(
    call: CallKernel, x: Array, weight: Array, epsilon: float = 0.0, data_type: str = "float32", **how: Any
) -> Array:
    inputs = {"x": Tensor(x, data_type, **how), "weight": Tensor(weight, data_type)}
    output = {"y": Tensor(np.zeros(x.shape), data_type)}
    result = call(KernelCall("rms_norm", inputs, output, {"epsilon": epsilon}))
    assert isinstance(result, dict), result
    return result["y"]


def gradients(
    call: CallKernel,
    x: Array,
    weight: Array,
    grad_y: Array,
    epsilon: float = 0.0,
    data_type: str = "float32",
    **how: Any,
) -> tuple[Array, Array]:
    inputs = {
        "x": Tensor(x, data_type, **how),
        "weight": Tensor(weight, data_type),
        "grad_y": Tensor(grad_y, data_type, **how),
    }
    outputs = {"grad_x": Tensor(np.zeros(x.shape), data_type), "grad_weight": Tensor(np.zeros(weight.shape), data_type)}
    result = call(KernelCall("rms_norm", inputs, outputs, {"epsilon": epsilon}, backward=True))
    assert isinstance(result, dict), result
    return result["grad_x"], result["grad_weight"]


def rounded(values: Array, data_type: str) -> Any:
    """Return a tensor of numbers that the type can hold, as float64."""
    import torch

    return torch.from_numpy(values).to(getattr(torch, data_type)).double()


def expected_norm(x: Any, weight: Any, epsilon: float) -> Any:
    import torch

    return torch.nn.functional.rms_norm(x, (x.shape[-1],), weight, epsilon)


def test_that_a_row_is_divided_by_the_root_of_its_mean_square(call: CallKernel) -> None:
    # (1 + 49) / 2 = 25, and with an epsilon of 24: 49
    x = np.array([[1.0, 7.0], [-7.0, 1.0]])

    plain = norm(call, x, np.array([1.0, 2.0]), data_type="float64")
    raised = norm(call, x, np.array([1.0, 2.0]), 24.0, data_type="float64")

    assert plain.reshape(-1).tolist() == pytest.approx([0.2, 2.8, -1.4, 0.4], rel=1e-15)
    assert raised.reshape(-1).tolist() == pytest.approx([1 / 7, 2.0, -1.0, 2 / 7], rel=1e-15)


@pytest.mark.parametrize("data_type", TYPES)
def test_that_the_largest_and_the_smallest_numbers_keep_their_squares(call: CallKernel, data_type: str) -> None:
    for number in (LARGEST[data_type], SMALLEST[data_type]):
        x = np.array([[number, -number, number, number], [number, 0.0, 0.0, 0.0]])

        y = norm(call, x, np.ones(4), data_type=data_type)

        np.testing.assert_allclose(y, [[1, -1, 1, 1], [2, 0, 0, 0]], rtol=2 * ROUNDING[data_type])


@pytest.mark.parametrize("data_type", TYPES)
def test_that_small_numbers_beside_epsilon_stay_small(call: CallKernel, data_type: str) -> None:
    number = 64 * SMALLEST[data_type]

    y = norm(call, np.array([[number, 0.0]]), np.ones(2), 0.25, data_type=data_type)

    if data_type == "float16":
        np.testing.assert_allclose(y, [[2 * number, 0.0]], rtol=2.0**-11)
    else:
        assert y.tolist() == [[2 * number, 0.0]]


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize(
    ("row", "epsilon", "expected"),
    [
        ([INFINITY, 1.0, -2.0], 0.0, [NAN, 0.0, 0.0]),
        ([-INFINITY, INFINITY, 0.0], 0.5, [NAN, NAN, 0.0]),
        ([NAN, 1.0, 2.0], 0.0, [NAN, NAN, NAN]),
        ([1.0, INFINITY, NAN], 0.0, [NAN, NAN, NAN]),
        ([0.0, -0.0, 0.0], 0.5, [0.0, 0.0, 0.0]),
        ([0.0, 0.0, 0.0], 0.0, [NAN, NAN, NAN]),
    ],
)
def test_that_infinities_nan_and_zeros_end_as_the_formula_says(
    call: CallKernel, row: list[float], epsilon: float, expected: list[float], data_type: str
) -> None:
    # Beside a row of ones, which must not notice.
    y = norm(call, np.array([row, np.ones(3)]), np.ones(3), epsilon, data_type)

    np.testing.assert_array_equal(y[0], expected)
    np.testing.assert_allclose(y[1], 1 / np.sqrt(1 + epsilon), rtol=2 * ROUNDING[data_type])


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize(
    "shape",
    [
        (1,),
        (7,),
        (5, 1),
        (3, 32),  # exactly the lanes of a sum
        (4, 511),
        (2, 512),  # exactly a run
        (3, 513),
        (2, 3, 1100),
        (2, 3, 4, 33),
        (300, 20),
    ],
)
def test_that_values_and_gradients_are_those_of_pytorch(
    call: CallKernel, shape: tuple[int, ...], data_type: str
) -> None:
    import torch

    generator = np.random.default_rng(1)
    x = rounded(generator.uniform(-4, 4, shape), data_type).requires_grad_()
    weight = rounded(generator.uniform(-2, 2, shape[-1:]), data_type).requires_grad_()
    grad_y = rounded(generator.uniform(-1, 1, shape), data_type)
    exact = expected_norm(x, weight, 0.125)
    exact_x, exact_weight = (item.numpy() for item in torch.autograd.grad(exact, (x, weight), grad_y))
    arrays = (x.detach().numpy(), weight.detach().numpy())

    y = norm(call, *arrays, 0.125, data_type)
    grad_x, grad_weight = gradients(call, *arrays, grad_y.numpy(), 0.125, data_type)

    # One rounding each, of denormal numbers too; half types are rounded to float32 first.
    rounding = 1.01 * ROUNDING[data_type]
    lost = 0.51 * SMALLEST[data_type] + SUMS
    np.testing.assert_allclose(y, exact.detach().numpy(), rtol=rounding, atol=lost)
    np.testing.assert_allclose(grad_x, exact_x, rtol=rounding, atol=lost)
    np.testing.assert_allclose(grad_weight, exact_weight, rtol=rounding, atol=lost)


def test_that_values_of_float32_are_rounded_once(call: CallKernel) -> None:
    generator = np.random.default_rng(2)
    x, weight = (generator.uniform(-4, 4, shape).astype(np.float32).astype(np.float64) for shape in ((50, 700), 700))
    exact = x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True)) * weight

    y = norm(call, x, weight)

    spacing = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    assert float(np.max(np.abs(y - exact) / spacing)) <= 0.5001


def test_that_long_rows_keep_their_precision(call: CallKernel) -> None:
    for data_type, tolerance in (("float32", 1e-7), ("float64", 1e-14)):
        x = np.full((1, 1 << 20), 0.1)

        y = norm(call, x, np.ones(1 << 20), data_type=data_type)

        np.testing.assert_allclose(y, 1.0, rtol=tolerance)


def test_that_the_gradient_of_the_weights_of_many_rows_keeps_its_precision(call: CallKernel) -> None:
    # In bfloat16 a sum that is rounded at every step would stay at 256.
    x = np.ones((100_000, 3))

    _, grad_weight = gradients(call, x, np.ones(3), np.ones(x.shape), data_type="bfloat16")

    assert grad_weight.tolist() == [99840.0] * 3  # the bfloat16 next to 100,000


@pytest.mark.parametrize("data_type", TYPES)
def test_that_gradients_at_the_largest_numbers_are_finite(call: CallKernel, data_type: str) -> None:
    largest = LARGEST[data_type]
    x, grad_y = np.array([[largest, largest]]), np.array([[2.0, 1.0]])

    grad_x, grad_weight = gradients(call, x, np.ones(2), grad_y, data_type=data_type)

    # dL/dx = (g - mean g) / largest, and x / root is one.
    np.testing.assert_allclose(grad_x, [[0.5 / largest, -0.5 / largest]], rtol=0, atol=SMALLEST[data_type])
    np.testing.assert_allclose(grad_weight, [2.0, 1.0], rtol=1e-15)


@pytest.mark.parametrize("data_type", ["float32", "bfloat16"])
@pytest.mark.parametrize(
    "layout",
    [
        {"order": (2, 1, 0)},
        {"order": (1, 0, 2)},
        {"gap": 1},
        {"order": (0, 2, 1), "gap": 2},
        {"repeated": (0,)},
        {"repeated": (1,)},
        {"repeated": (2,)},
        {"repeated": (0, 1, 2)},
    ],
)
def test_that_any_strides_give_what_contiguous_data_gives(
    call: CallKernel, layout: dict[str, Any], data_type: str
) -> None:
    x = np.random.default_rng(3).uniform(-4, 4, (5, 6, 600))
    for repeated in layout.get("repeated", ()):
        x = np.repeat(np.take(x, [0], repeated), x.shape[repeated], repeated)
    weight = np.random.default_rng(4).uniform(-4, 4, 600)

    y = norm(call, x, weight, 0.5, data_type, **layout)
    found = gradients(call, x, weight, x, 0.5, data_type, **layout)

    np.testing.assert_array_equal(y, norm(call, x, weight, 0.5, data_type))
    for ours, contiguous in zip(found, gradients(call, x, weight, x, 0.5, data_type), strict=True):
        np.testing.assert_array_equal(ours, contiguous)


def test_that_strided_weights_and_outputs_are_followed(call: CallKernel) -> None:
    generator = np.random.default_rng(5)
    x, weight = generator.uniform(-4, 4, (9, 700)), generator.uniform(-4, 4, 700)
    for data_type in TYPES:
        inputs = {
            "x": Tensor(x, data_type),
            "weight": Tensor(weight, data_type, gap=2),
            "grad_y": Tensor(x, data_type),
        }
        strided = {"order": (1, 0), "gap": 1}
        backward = {"grad_x": Tensor(x, data_type, **strided), "grad_weight": Tensor(weight, data_type, gap=3)}

        values = call(KernelCall("rms_norm", inputs, {"y": Tensor(x, data_type, **strided)}, {"epsilon": 0.5}))
        slopes = call(KernelCall("rms_norm", inputs, backward, {"epsilon": 0.5}, backward=True))

        assert isinstance(values, dict)
        assert isinstance(slopes, dict)
        grad_x, grad_weight = gradients(call, x, weight, x, 0.5, data_type)
        np.testing.assert_array_equal(values["y"], norm(call, x, weight, 0.5, data_type))
        np.testing.assert_array_equal(slopes["grad_x"], grad_x)
        np.testing.assert_array_equal(slopes["grad_weight"], grad_weight)


@pytest.mark.parametrize("shape", [(3, 0), (0,), (0, 3), (2, 0, 4)])
def test_that_a_tensor_without_elements_is_left_alone(call: CallKernel, shape: tuple[int, ...]) -> None:
    weight = np.ones(shape[-1])

    grad_x, grad_weight = gradients(call, np.zeros(shape), weight, np.zeros(shape))

    assert norm(call, np.zeros(shape), weight).shape == shape
    assert grad_x.shape == shape
    assert grad_weight.tolist() == [0.0] * shape[-1]  # a sum over no rows


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize(
    ("length", "epsilon", "words"),
    [
        (3, 0.0, "weight has 3 elements, but the last axis of x has 4"),
        (4, -0.5, "epsilon is -0.5, but a mean of squares has no root below zero"),
        (4, NAN, "epsilon is nan, but a mean of squares has no root below zero"),
    ],
)
def test_that_arguments_that_make_no_sense_are_refused(
    call: CallKernel, length: int, epsilon: float, words: str, *, backward: bool
) -> None:
    x, weight = Tensor(np.zeros((2, 4))), Tensor(np.zeros(length))
    outputs = {"grad_x": x, "grad_weight": weight} if backward else {"y": x}

    refused = call(
        KernelCall(
            "rms_norm", {"x": x, "weight": weight, "grad_y": x}, outputs, {"epsilon": epsilon}, backward=backward
        )
    )

    assert refused == words
