"""Tensors as arrays."""

from __future__ import annotations

import numpy as np
import pytest

from opstudio.parity.arrays import to_numpy


@pytest.mark.parametrize("name", ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"])
def test_that_a_tensor_keeps_its_type_and_values(name: str) -> None:
    import torch

    expected = np.array([[0, 1, 2], [3, 4, 5]]).astype(name)

    array = to_numpy(torch.tensor([[0, 1, 2], [3, 4, 5]]).to(getattr(torch, name)))

    assert (name, expected.tolist()) == (array.dtype.name, array.tolist())


def test_that_bfloat16_becomes_float32_without_loss() -> None:
    import torch

    numbers = [1.0078125, -3.0e38, 9.2e-41, float("inf"), 0.0]
    tensor = torch.tensor(numbers, dtype=torch.bfloat16)

    array = to_numpy(tensor)

    # The bits of a bfloat16 are the upper half of those of the float32.
    upper = tensor.view(torch.int16).numpy().view(np.uint16).astype(np.uint32) << 16
    assert upper.tolist() == array.view(np.uint32).tolist()


@pytest.mark.parametrize("form", ["transposed", "sliced", "expanded", "scalar", "empty"])
def test_that_a_tensor_of_any_layout_becomes_a_contiguous_array(form: str) -> None:
    import torch

    base = torch.arange(24.0).reshape(4, 6)
    tensor = {
        "transposed": base.t(),
        "sliced": base[::2, 1::3],
        "expanded": base[:1].expand(3, 6),
        "scalar": base[0, 5],
        "empty": base[:0],
    }[form]

    array = to_numpy(tensor)

    assert (tuple(tensor.shape), tensor.tolist()) == (array.shape, array.tolist())
    assert array.flags.c_contiguous


def test_that_a_tensor_that_requires_a_gradient_is_read() -> None:
    import torch

    assert to_numpy(torch.ones(2, requires_grad=True)).tolist() == [1.0, 1.0]
