"""The element types of ONNX by their numbers: names, and how many elements take how many bytes.

Source: ``TensorProto.DataType`` in ``onnx.proto`` of IR version 14.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementType:
    """An element type. Elements are stored in groups, for example two of four bits in one byte.

    ``typed_field`` is the field of a ``TensorProto`` that holds values which are not stored as raw bytes.
    """

    code: int
    name: str
    group_elements: int
    group_bytes: int
    typed_field: str

    def stored_bytes(self, elements: int) -> int:
        """Return how many bytes so many elements take; a last group that is not full is cut to whole bytes."""
        return -(-elements * self.group_bytes // self.group_elements)


STRING = 8
COMPLEX64 = 14
COMPLEX128 = 15

_ROWS = (
    (1, "float32", 1, 4, "float_data"),
    (2, "uint8", 1, 1, "int32_data"),
    (3, "int8", 1, 1, "int32_data"),
    (4, "uint16", 1, 2, "int32_data"),
    (5, "int16", 1, 2, "int32_data"),
    (6, "int32", 1, 4, "int32_data"),
    (7, "int64", 1, 8, "int64_data"),
    (STRING, "string", 1, 0, "string_data"),
    (9, "bool", 1, 1, "int32_data"),
    (10, "float16", 1, 2, "int32_data"),
    (11, "float64", 1, 8, "double_data"),
    (12, "uint32", 1, 4, "uint64_data"),
    (13, "uint64", 1, 8, "uint64_data"),
    (COMPLEX64, "complex64", 1, 8, "float_data"),
    (COMPLEX128, "complex128", 1, 16, "double_data"),
    (16, "bfloat16", 1, 2, "int32_data"),
    (17, "float8e4m3fn", 1, 1, "int32_data"),
    (18, "float8e4m3fnuz", 1, 1, "int32_data"),
    (19, "float8e5m2", 1, 1, "int32_data"),
    (20, "float8e5m2fnuz", 1, 1, "int32_data"),
    (21, "uint4", 2, 1, "int32_data"),
    (22, "int4", 2, 1, "int32_data"),
    (23, "float4e2m1", 2, 1, "int32_data"),
    (24, "float8e8m0", 1, 1, "int32_data"),
    (25, "uint2", 4, 1, "int32_data"),
    (26, "int2", 4, 1, "int32_data"),
    (27, "float6e2m3", 4, 3, "int32_data"),
    (28, "float6e3m2", 4, 3, "int32_data"),
)

ELEMENT_TYPES = {
    code: ElementType(code=code, name=name, group_elements=elements, group_bytes=size, typed_field=field)
    for code, name, elements, size, field in _ROWS
}


def element_type_name(code: int) -> str:
    """Return the name of an element type; one that ONNX does not know is told by its number."""
    known = ELEMENT_TYPES.get(code)
    return known.name if known else f"type {code}"
