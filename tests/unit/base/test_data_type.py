"""Element types against the packages that define them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from opstudio.base.data_type import DataType

EVERY_TYPE = pytest.mark.parametrize("data_type", DataType, ids=lambda item: item.value)


def numpy_type(data_type: DataType) -> np.dtype[Any]:
    result: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16 if data_type is DataType.BFLOAT16 else data_type.value)
    return result


@EVERY_TYPE
def test_that_the_number_is_that_of_onnx(data_type: DataType) -> None:
    import onnx

    assert onnx.helper.np_dtype_to_tensor_dtype(numpy_type(data_type)) == data_type.onnx_code


@EVERY_TYPE
def test_that_the_size_is_that_of_numpy(data_type: DataType) -> None:
    assert numpy_type(data_type).itemsize == data_type.size_bytes


@EVERY_TYPE
def test_that_name_and_family_are_those_of_pytorch(data_type: DataType) -> None:
    import torch

    assert getattr(torch, data_type.value).is_floating_point == data_type.is_floating


@EVERY_TYPE
def test_that_every_type_has_a_name_in_cpp(data_type: DataType) -> None:
    exact = {DataType.FLOAT32: "float", DataType.FLOAT64: "double", DataType.BOOL: "bool"}
    integers = {item: f"{item.value}_t" for item in DataType if "int" in item.value}
    halves = {item: f"opstudio::{item.value}" for item in (DataType.FLOAT16, DataType.BFLOAT16)}

    assert {**exact, **integers, **halves}[data_type] == data_type.cpp_name
