"""directional_pool2d against numbers worked out by hand and against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.unit.kernels.conftest import CallKernel
from tests.unit.kernels.kernel_process import TYPES, Array, Attributes, KernelCall, Tensor

INFINITY, NAN = np.inf, np.nan
DIRECTIONS = ("horizontal", "vertical")


def output_shape(shape: tuple[int, ...], direction: str, kernel: int, stride: int) -> tuple[int, ...]:
    sides = list(shape)
    axis = 2 if direction == "vertical" else 3
    sides[axis] = (sides[axis] - kernel) // stride + 1
    return tuple(sides)


def pool(
    call: CallKernel, x: Array, direction: str, kernel: int, stride: int = 1, data_type: str = "float32", **layout: Any
) -> Array:
    output = Tensor(np.zeros(output_shape(x.shape, direction, kernel, stride)), data_type)
    attributes: Attributes = {"direction": direction, "kernel": kernel, "stride": stride}
    result = call(KernelCall("directional_pool2d", {"x": Tensor(x, data_type, **layout)}, {"y": output}, attributes))
    assert isinstance(result, dict), result
    return result["y"]


def pool_gradient(  # noqa: PLR0913 - the attributes of the operator
    call: CallKernel,
    x: Array,
    grad_y: Array,
    direction: str,
    kernel: int,
    *,
    stride: int = 1,
    data_type: str = "float32",
    **layout: Any,
) -> Array:
    inputs = {"grad_y": Tensor(grad_y, data_type), "x": Tensor(x, data_type, **layout)}
    output = {"grad_x": Tensor(np.zeros(x.shape), data_type)}
    attributes: Attributes = {"direction": direction, "kernel": kernel, "stride": stride}
    result = call(KernelCall("directional_pool2d", inputs, output, attributes, backward=True))
    assert isinstance(result, dict), result
    return result["grad_x"]


def expected_pool(
    x: Array, direction: str, kernel: int, stride: int, grad_y: Array | None = None, data_type: str = "float64"
) -> Array:
    """Return PyTorch's result, or its gradient, in float64 of numbers that the type can hold."""
    import torch

    values = torch.from_numpy(x).to(getattr(torch, data_type)).double().requires_grad_()
    sizes = ((1, kernel), (1, stride)) if direction == "horizontal" else ((kernel, 1), (stride, 1))
    y = torch.nn.functional.max_pool2d(values, *sizes)
    if grad_y is None:
        return np.asarray(y.detach().numpy())
    weights = torch.from_numpy(grad_y).to(getattr(torch, data_type)).double()
    return np.asarray(torch.autograd.grad(y, values, weights)[0].numpy())


def image(values: list[float], direction: str) -> Array:
    """Return one line of numbers as an image that is one element wide in the other direction."""
    return np.array(values).reshape((1, 1, 1, -1) if direction == "horizontal" else (1, 1, -1, 1))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(
    ("kernel", "stride", "expected"),
    [
        (1, 1, [3, 1, 4, 1, 5, 9, 2]),
        (2, 1, [3, 4, 4, 5, 9, 9]),
        (3, 2, [4, 5, 9]),
        (7, 1, [9]),
        (2, 4, [3, 9]),  # the stride leaves elements out
        (3, 3, [4, 9]),  # the last element is in no whole window
        (1, 100, [3]),
    ],
)
def test_that_windows_give_their_largest_element(
    call: CallKernel, direction: str, kernel: int, stride: int, expected: list[float]
) -> None:
    x = image([3, 1, 4, 1, 5, 9, 2], direction)

    assert pool(call, x, direction, kernel, stride).reshape(-1).tolist() == expected


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(
    ("shape", "kernel", "stride"),
    [
        ((1, 1, 1, 1), 1, 1),
        ((2, 3, 17, 19), 3, 1),
        ((2, 3, 17, 19), 4, 3),
        ((1, 2, 9, 600), 5, 2),  # several blocks of lanes
        ((1, 2, 600, 9), 5, 2),
        ((3, 2, 40, 300), 9, 12),
    ],
)
def test_that_values_and_gradients_are_those_of_pytorch(
    call: CallKernel, shape: tuple[int, ...], kernel: int, stride: int, direction: str, data_type: str
) -> None:
    generator = np.random.default_rng(1)
    x = generator.integers(-20, 20, shape).astype(np.float64)  # with many ties
    # Multiples of 1/8 whose sums every type holds exactly.
    grad_y = generator.integers(-4, 5, output_shape(shape, direction, kernel, stride)) / 8

    y = pool(call, x, direction, kernel, stride, data_type)
    grad_x = pool_gradient(call, x, grad_y, direction, kernel, stride=stride, data_type=data_type)

    np.testing.assert_array_equal(y, expected_pool(x, direction, kernel, stride))
    np.testing.assert_array_equal(grad_x, expected_pool(x, direction, kernel, stride, grad_y))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(
    ("values", "maximum", "place"),
    [
        ([1, 5, 3, 5, 2], 5, 1),  # the first of equal ones
        ([0.0, -0.0, 0.0], 0, 0),
        ([1, NAN, 3], NAN, 1),
        ([NAN, NAN, 3], NAN, 1),  # the last NaN
        ([INFINITY, NAN, INFINITY], NAN, 1),
        ([-INFINITY, -INFINITY], -INFINITY, 0),
        ([-INFINITY, -1, INFINITY], INFINITY, 2),
    ],
)
def test_that_one_element_wins_its_window(
    call: CallKernel, values: list[float], maximum: float, place: int, direction: str
) -> None:
    x, one = image(values, direction), np.ones((1, 1, 1, 1))
    expected = np.zeros(len(values))
    expected[place] = 1
    np.testing.assert_array_equal(expected_pool(x, direction, len(values), 1, one).reshape(-1), expected)

    for data_type in TYPES:
        y = pool(call, x, direction, len(values), data_type=data_type)
        grad_x = pool_gradient(call, x, one, direction, len(values), data_type=data_type)

        np.testing.assert_array_equal(y.reshape(-1), [maximum])
        np.testing.assert_array_equal(grad_x.reshape(-1), expected)


def test_that_half_gradients_are_summed_before_they_are_rounded(call: CallKernel) -> None:
    # One element is the maximum of 64 windows. In bfloat16 (1 + 1/128 is the next number after 1) a sum that is rounded
    # at every step stays at 1.
    x = np.zeros((1, 1, 1, 127))
    x[..., 63] = 1
    grad_y = np.full((1, 1, 1, 64), 2.0**-9)
    grad_y[..., 0] = 1

    grad_x = pool_gradient(call, x, grad_y, "horizontal", 64, data_type="bfloat16")

    assert grad_x[0, 0, 0, 63] == 1 + 16 / 128  # 1 + 63/512, rounded once
    assert np.count_nonzero(grad_x) == 1


@pytest.mark.parametrize("data_type", ["float32", "float16"])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(
    "layout",
    [
        {"order": (3, 2, 1, 0)},
        {"order": (0, 2, 3, 1)},  # channels last
        {"gap": 1},
        {"repeated": (0,)},
        {"repeated": (2,)},
        {"repeated": (3,)},
    ],
)
def test_that_any_strides_give_what_contiguous_data_gives(
    call: CallKernel, layout: dict[str, Any], direction: str, data_type: str
) -> None:
    generator = np.random.default_rng(2)
    x = generator.integers(-20, 20, (2, 3, 11, 13)).astype(np.float64)
    for repeated in layout.get("repeated", ()):
        x = np.repeat(np.take(x, [0], repeated), x.shape[repeated], repeated)
    grad_y = generator.integers(-4, 5, output_shape(x.shape, direction, 4, 2)) / 8

    y = pool(call, x, direction, 4, 2, data_type, **layout)
    grad_x = pool_gradient(call, x, grad_y, direction, 4, stride=2, data_type=data_type, **layout)

    np.testing.assert_array_equal(y, expected_pool(x, direction, 4, 2))
    np.testing.assert_array_equal(grad_x, expected_pool(x, direction, 4, 2, grad_y))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_strided_outputs_are_filled_and_nothing_beside_them(call: CallKernel, direction: str) -> None:
    x = np.random.default_rng(3).integers(-20, 20, (2, 3, 11, 13)).astype(np.float64)
    shape = output_shape(x.shape, direction, 3, 2)
    attributes: Attributes = {"direction": direction, "kernel": 3, "stride": 2}
    for data_type in TYPES:
        y = Tensor(np.zeros(shape), data_type, order=(1, 3, 0, 2), gap=1)
        grad_x = Tensor(np.zeros(x.shape), data_type, order=(3, 2, 1, 0), gap=2)
        inputs = {"x": Tensor(x, data_type), "grad_y": Tensor(np.ones(shape), data_type)}

        forward = call(KernelCall("directional_pool2d", inputs, {"y": y}, attributes))
        backward = call(KernelCall("directional_pool2d", inputs, {"grad_x": grad_x}, attributes, backward=True))

        assert isinstance(forward, dict)
        assert isinstance(backward, dict)
        np.testing.assert_array_equal(forward["y"], expected_pool(x, direction, 3, 2))
        np.testing.assert_array_equal(backward["grad_x"], expected_pool(x, direction, 3, 2, np.ones(shape)))


@pytest.mark.parametrize("shape", [(0, 2, 5, 5), (2, 0, 5, 5), (2, 2, 0, 5), (2, 2, 5, 0)])
def test_that_images_without_elements_are_left_alone(call: CallKernel, shape: tuple[int, ...]) -> None:
    direction = "horizontal" if shape[3] else "vertical"

    assert pool(call, np.zeros(shape), direction, 3).size == 0
    empty = np.zeros(output_shape(shape, direction, 3, 1))
    assert pool_gradient(call, np.zeros(shape), empty, direction, 3).shape == shape


@pytest.mark.parametrize(
    ("direction", "kernel", "stride", "words"),
    [
        ("horizontal", 0, 1, "kernel is 0, but a window has at least one element"),
        ("vertical", -2, 1, "kernel is -2, but a window has at least one element"),
        ("horizontal", 1, 0, "stride is 0, but windows move by at least one element"),
        ("vertical", 1, -1, "stride is -1, but windows move by at least one element"),
        ("horizontal", 8, 1, "kernel is 8, but x has only 7 columns"),
        ("vertical", 6, 1, "kernel is 6, but x has only 5 rows"),
    ],
)
@pytest.mark.parametrize("backward", [False, True])
def test_that_windows_that_make_no_sense_are_refused(
    call: CallKernel, direction: str, kernel: int, stride: int, words: str, *, backward: bool
) -> None:
    x = Tensor(np.zeros((1, 1, 5, 7)))
    attributes: Attributes = {"direction": direction, "kernel": kernel, "stride": stride}
    inputs, outputs = {"x": x, "grad_y": x}, {"grad_x": x} if backward else {"y": x}

    assert call(KernelCall("directional_pool2d", inputs, outputs, attributes, backward=backward)) == words
