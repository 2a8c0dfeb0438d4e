"""Element types, and their names and numbers on every side.

Source: ``onnx.TensorProto.DataType`` for the numbers (also ``ONNXTensorElementDataType`` of ONNX Runtime
and the ``type`` field of ``opstudio_view`` in ``kernels/include/opstudio/abi.h``).
"""

from __future__ import annotations

import enum


class DataType(enum.Enum):
    """An element type; the value is its name in contracts, NumPy and PyTorch alike."""

    FLOAT32 = "float32"
    FLOAT64 = "float64"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    BOOL = "bool"

    @property
    def onnx_code(self) -> int:
        """The number of this type in ONNX, ONNX Runtime and the kernel ABI."""
        return _ONNX_CODES[self]

    @property
    def size_bytes(self) -> int:
        """The size of one element."""
        return _SIZES[self]

    @property
    def is_floating(self) -> bool:
        """Whether values of this type have gradients, infinities and NaN."""
        return self in _FLOATING

    @property
    def cpp_name(self) -> str:
        """The C++ type of one element in a kernel."""
        return _CPP_NAMES[self]


_FLOATING = frozenset({DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT16, DataType.BFLOAT16})
_ONNX_CODES = {
    DataType.FLOAT32: 1,
    DataType.UINT8: 2,
    DataType.INT8: 3,
    DataType.INT16: 5,
    DataType.INT32: 6,
    DataType.INT64: 7,
    DataType.BOOL: 9,
    DataType.FLOAT16: 10,
    DataType.FLOAT64: 11,
    DataType.BFLOAT16: 16,
}
_SIZES = {
    DataType.FLOAT32: 4,
    DataType.FLOAT64: 8,
    DataType.FLOAT16: 2,
    DataType.BFLOAT16: 2,
    DataType.INT8: 1,
    DataType.INT16: 2,
    DataType.INT32: 4,
    DataType.INT64: 8,
    DataType.UINT8: 1,
    DataType.BOOL: 1,
}
_CPP_NAMES = {
    DataType.FLOAT32: "float",
    DataType.FLOAT64: "double",
    DataType.FLOAT16: "opstudio::float16",
    DataType.BFLOAT16: "opstudio::bfloat16",
    DataType.INT8: "int8_t",
    DataType.INT16: "int16_t",
    DataType.INT32: "int32_t",
    DataType.INT64: "int64_t",
    DataType.UINT8: "uint8_t",
    DataType.BOOL: "bool",
}
