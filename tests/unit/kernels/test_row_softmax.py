"""row_softmax against numbers worked out by hand and against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.unit.kernels.conftest import CallKernel
from tests.unit.kernels.kernel_process import TYPES, Array, KernelCall, Tensor

INFINITY, NAN = np.inf, np.nan
TOLERANCE = {"float32": 6e-7, "float64": 1e-15, "float16": 5e-4, "bfloat16": 4e-3}
"""One rounding of numbers up to one in each type. In the wide types more counts: differences from the maximum, up to 16
in these tests, are rounded to 2^-21 (2^-50), which their exponentials repeat as a relative error."""


def softmax(call: CallKernel, x: Array, axis: int = -1, data_type: str = "float32", **layout: Any) -> Array:
    output = Tensor(np.zeros(x.shape), data_type)
    result = call(KernelCall("row_softmax", {"x": Tensor(x, data_type, **layout)}, {"y": output}, {"axis": axis}))
    assert isinstance(result, dict), result
    return result["y"]


def rounded(values: Array, data_type: str) -> Any:
    """Return a tensor of numbers that the type can hold, as float64."""
    import torch

    return torch.from_numpy(values).to(getattr(torch, data_type)).double()


def expected_softmax(values: Array, axis: int, data_type: str) -> Array:
    import torch

    return np.asarray(torch.softmax(rounded(values, data_type), axis).numpy())


def test_that_two_elements_share_as_the_formula_says(call: CallKernel) -> None:
    y = softmax(call, np.array([0.0, np.log(3.0)]), data_type="float64")

    assert y.tolist() == pytest.approx([0.25, 0.75], rel=1e-15)


def test_that_large_numbers_do_not_overflow(call: CallKernel) -> None:
    assert softmax(call, np.array([3e38, 3e38, -3e38])).tolist() == [0.5, 0.5, 0.0]


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([-INFINITY, 0.0, 0.0], [0.0, 0.5, 0.5]),
        ([-INFINITY, -INFINITY], [NAN, NAN]),
        ([INFINITY, 0.0], [NAN, NAN]),
        ([NAN, 0.0, 1.0], [NAN, NAN, NAN]),
        ([0.0, 1.0, NAN], [NAN, NAN, NAN]),
        ([NAN, -INFINITY], [NAN, NAN]),
    ],
)
@pytest.mark.parametrize("axis", [0, 1])
def test_that_infinities_and_nan_end_as_in_pytorch(
    call: CallKernel, row: list[float], expected: list[float], data_type: str, axis: int
) -> None:
    import torch

    # Beside a row of ones, which must not notice.
    rows = np.array([row, np.ones(len(row))])
    y = softmax(call, rows if axis == 1 else rows.T, axis, data_type)

    assert torch.softmax(torch.tensor(row), 0).tolist() == pytest.approx(expected, nan_ok=True)
    np.testing.assert_array_equal((y if axis == 1 else y.T)[0], expected)
    np.testing.assert_allclose((y if axis == 1 else y.T)[1], 1 / len(row), rtol=TOLERANCE[data_type] * len(row))


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((1,), 0),
        ((), -1),
        ((7, 5), 1),
        ((5, 7), 0),
        ((3, 1000), -1),  # several steps of lanes and a rest
        ((2, 128), -1),  # exactly one step
        ((1000, 3), 0),  # columns narrower than a step
        ((300, 70), 0),
        ((9, 300), 0),  # several blocks of columns
        ((2, 3, 4, 33), 1),
        ((2, 33, 4, 3), -3),
        ((2, 3, 4, 5), -4),
        ((1, 1, 50), -1),
        ((300, 20), -1),  # short rows, many of them side by side
        ((4, 1, 6), 1),
    ],
)
def test_that_every_axis_of_every_shape_agrees_with_pytorch(
    call: CallKernel, shape: tuple[int, ...], axis: int, data_type: str
) -> None:
    x = np.random.default_rng(1).uniform(-8, 8, shape)

    y = softmax(call, x, axis, data_type)

    np.testing.assert_allclose(y, expected_softmax(x, axis, data_type), rtol=0, atol=TOLERANCE[data_type])


def test_that_the_exponential_is_exact_to_two_units_in_the_last_place(call: CallKernel) -> None:
    for data_type, lowest, unit in (("float32", -87.0, 2.0**-23), ("float64", -708.0, 2.0**-52)):
        # Beside one large element the sum is that element's, so that the others are the exponentials themselves.
        x = np.concatenate([[0.0], np.linspace(lowest, -60.0, 20001)]).astype(data_type).astype(np.float64)

        y = softmax(call, x, data_type=data_type)

        np.testing.assert_allclose(y[1:], np.exp(x[1:].astype(np.longdouble)).astype(np.float64), rtol=2.5 * unit)


def test_that_long_sums_keep_their_precision(call: CallKernel) -> None:
    for shape, axis in (((1 << 20,), 0), ((1 << 18, 2), 0), ((1 << 14, 200), 0)):
        y = softmax(call, np.zeros(shape), axis)

        np.testing.assert_allclose(y, 1 / shape[0], rtol=2e-6)


@pytest.mark.parametrize("data_type", ["float32", "bfloat16"])
@pytest.mark.parametrize("axis", [0, 1, 2])
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
    call: CallKernel, layout: dict[str, Any], axis: int, data_type: str
) -> None:
    x = np.random.default_rng(2).uniform(-4, 4, (5, 6, 150))
    for repeated in layout.get("repeated", ()):
        x = np.repeat(np.take(x, [0], repeated), x.shape[repeated], repeated)

    y = softmax(call, x, axis, data_type, **layout)

    np.testing.assert_allclose(y, expected_softmax(x, axis, data_type), rtol=0, atol=TOLERANCE[data_type])


@pytest.mark.parametrize("axis", [0, 1])
def test_that_a_strided_output_is_filled_and_nothing_beside_it(call: CallKernel, axis: int) -> None:
    x = np.random.default_rng(3).uniform(-4, 4, (200, 9))
    for data_type in TYPES:
        output = Tensor(np.zeros(x.shape), data_type, order=(1, 0), gap=1)

        result = call(KernelCall("row_softmax", {"x": Tensor(x, data_type)}, {"y": output}, {"axis": axis}))

        assert isinstance(result, dict)
        expected = expected_softmax(x, axis, data_type)
        np.testing.assert_allclose(result["y"], expected, rtol=0, atol=TOLERANCE[data_type])


@pytest.mark.parametrize(("shape", "axis"), [((3, 0), 1), ((0, 3), 1), ((3, 0), 0), ((0,), 0), ((2, 0, 4), 2)])
def test_that_a_tensor_without_elements_is_left_alone(call: CallKernel, shape: tuple[int, ...], axis: int) -> None:
    assert softmax(call, np.zeros(shape), axis).shape == shape


@pytest.mark.parametrize(
    ("shape", "axis", "words"),
    [
        ((2, 3), 2, "axis 2 is outside of a tensor of rank 2"),
        ((2, 3), -3, "axis -3 is outside of a tensor of rank 2"),
        ((), 1, "axis 1 is outside of a tensor of rank 0"),
        ((1,) * 17, 0, "rank 17 is above 16"),
    ],
)
def test_that_an_axis_that_is_not_there_is_refused(
    call: CallKernel, shape: tuple[int, ...], axis: int, words: str
) -> None:
    tensor = Tensor(np.zeros(shape))

    assert call(KernelCall("row_softmax", {"x": tensor}, {"y": tensor}, {"axis": axis})) == words


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize(
    ("shape", "axis", "layout"),
    [
        ((4, 300), 1, {}),
        ((300, 4), 0, {}),
        ((6, 5, 40), 1, {}),
        ((6, 5, 40), 1, {"order": (2, 1, 0)}),
        ((4, 50), 1, {"repeated": (0, 1)}),  # what the sum of all outputs hands back
        ((), -1, {}),
    ],
)
def test_that_the_gradient_is_that_of_pytorch(
    call: CallKernel, shape: tuple[int, ...], axis: int, layout: dict[str, Any], data_type: str
) -> None:
    import torch

    generator = np.random.default_rng(4)
    weights = np.full(shape, 0.75) if "repeated" in layout else generator.uniform(-1, 1, shape)
    x = rounded(generator.uniform(-4, 4, shape), data_type).requires_grad_()
    y = torch.softmax(x, axis)
    (expected,) = torch.autograd.grad(y, x, rounded(weights, data_type))
    inputs = {"grad_y": Tensor(weights, data_type, **layout), "y": Tensor(y.detach().numpy(), data_type)}
    output = {"grad_x": Tensor(np.zeros(shape), data_type)}

    result = call(KernelCall("row_softmax", inputs, output, {"axis": axis}, backward=True))

    assert isinstance(result, dict), result
    np.testing.assert_allclose(result["grad_x"], expected.numpy(), rtol=0, atol=2 * TOLERANCE[data_type])
