"""Element types by their numbers in model files and in ONNX Runtime's interface, which are the same.

Source: ``TensorProto.DataType`` of ONNX.
"""

from __future__ import annotations

_NAMES = (
    *("", "float", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16", "double"),
    *("uint32", "uint64", "complex64", "complex128", "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2"),
    *("float8e5m2fnuz", "uint4", "int4", "float4e2m1", "float8e8m0", "uint2", "int2"),
)


def element_type_text(number: int) -> str:
    """Return a type as ONNX writes it, ``tensor(float)``; empty for 0, which means any."""
    if number == 0:
        return ""
    name = _NAMES[number] if 0 < number < len(_NAMES) else f"element type {number}"
    return f"tensor({name})"
