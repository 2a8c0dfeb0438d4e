"""Values at which formulas break: zeros, infinities, NaN, the smallest and the largest numbers of a type."""

from __future__ import annotations

import math
from typing import Any

from opstudio.base.data_type import DataType
from opstudio.checks.cases import torch_type


def special_values(data_type: DataType) -> list[float]:
    """Return the special values of a floating type."""
    import torch

    limits = torch.finfo(torch_type(data_type))
    smallest_denormal = {
        DataType.FLOAT64: 5e-324,
        DataType.FLOAT32: 2.0**-149,
        DataType.FLOAT16: 2.0**-24,
        DataType.BFLOAT16: 2.0**-133,
    }[data_type]
    positive = [
        0.0,
        smallest_denormal,
        limits.tiny / 2,
        limits.tiny,
        limits.eps,
        1.0,
        88.0,  # near where exp leaves float32
        710.0,  # and float64
        limits.max / 2,
        limits.max,
        float("inf"),
    ]
    return [*positive, *(-value for value in positive), float("nan")]


def special_tensor(shape: tuple[int, ...], data_type: DataType, *, shift: int = 0) -> Any:
    """Return a tensor that cycles through the special values, starting ``shift`` values later."""
    import torch

    values = special_values(data_type)
    cycle = torch.tensor(values, dtype=torch.float64).to(torch_type(data_type))
    return cycle[(torch.arange(math.prod(shape)) + shift) % len(values)].reshape(shape)
