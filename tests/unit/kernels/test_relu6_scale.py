"""relu6_scale against numbers worked out by hand and against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.unit.kernels.conftest import CallKernel
from tests.unit.kernels.kernel_process import TYPES, Array, KernelCall, Tensor

INFINITY, NAN = np.inf, np.nan


def run(call: CallKernel, x: Array, scale: float, max_val: float, grad_y: Array | None = None, **how: Any) -> Array:
    """Return y, or the gradient of x where one of y is given."""
    inputs, name = {"x": Tensor(x, **how)}, "y"
    if grad_y is not None:
        inputs, name = {**inputs, "grad_y": Tensor(grad_y, how.get("type", "float32"))}, "grad_x"
    output = {name: Tensor(np.zeros(x.shape), how.get("type", "float32"))}
    attributes = {"scale": scale, "max_val": max_val}
    result = call(KernelCall("relu6_scale", inputs, output, attributes, backward=grad_y is not None))
    assert isinstance(result, dict), result
    return result[name]


@pytest.mark.parametrize("data_type", TYPES)
def test_that_values_are_scaled_and_kept_between_the_limits(call: CallKernel, data_type: str) -> None:
    x = np.array([-INFINITY, -3.0, -0.0, 0.5, 2.0, 3.0, 40.0, INFINITY, NAN])

    y = run(call, x, 2.0, 6.0, type=data_type)

    np.testing.assert_array_equal(y, [0, 0, 0, 1, 4, 6, 6, 6, NAN])


@pytest.mark.parametrize("data_type", TYPES)
def test_that_the_gradient_is_the_factor_between_the_limits_and_zero_elsewhere(
    call: CallKernel, data_type: str
) -> None:
    x = np.array([-INFINITY, -3.0, 0.0, 0.5, 2.0, 3.0, 40.0, INFINITY])

    gradient = run(call, x, 2.0, 6.0, np.array([1.0, 1, 1, 1, -0.5, 1, 1, 1]), type=data_type)

    assert gradient.tolist() == [0, 0, 0, 2, -1, 0, 0, 0]


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize(
    "layout", [{}, {"order": (2, 1, 0)}, {"order": (1, 0, 2), "gap": 3}, {"repeated": (1,)}, {"repeated": (0, 2)}]
)
def test_that_any_strides_agree_with_pytorch(call: CallKernel, layout: dict[str, Any], data_type: str) -> None:
    import torch

    x = np.random.default_rng(1).uniform(-4, 4, (30, 40, 50))
    for repeated in layout.get("repeated", ()):
        x = np.repeat(np.take(x, [0], repeated), x.shape[repeated], repeated)
    kind = getattr(torch, data_type)
    # 1.5 and 2.25 are the same in all types; the product is rounded once.
    exact = torch.clamp(torch.from_numpy(x).to(kind).double() * 1.5, 0, 2.25)
    compute = torch.float64 if data_type == "float64" else torch.float32

    y = run(call, x, 1.5, 2.25, type=data_type, **layout)

    np.testing.assert_array_equal(y, exact.to(compute).to(kind).double().numpy())


def test_that_a_tensor_without_elements_is_left_alone(call: CallKernel) -> None:
    assert run(call, np.zeros((3, 0, 2)), 1.0, 6.0).shape == (3, 0, 2)


def test_that_a_type_without_code_is_refused(call: CallKernel) -> None:
    tensor = Tensor(np.zeros(3), "int32")

    refused = call(KernelCall("relu6_scale", {"x": tensor}, {"y": tensor}, {"scale": 1.0, "max_val": 6.0}))

    assert refused == "the kernel has no code for int32"
