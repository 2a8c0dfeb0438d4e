"""Elements of every ONNX type from their stored bytes, as NumPy numbers that hold each value exactly.

Types that NumPy lacks become wider ones: bfloat16, float8, float6 and float4 float32; int4 and int2 int8; uint4 and
uint2 uint8.
Source: "IEEE 754-2019" section 3.4 for the form; ONNX "Float stored in 8 bits", "4 bits", "6 bits" (docs/docsgen) and
OCP "Microscaling Formats" 1.0, section 5.3, for bias, infinities and NaN of the small types.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from opstudio.model.graph.element_types import ElementType

Values: TypeAlias = npt.NDArray[Any]

_NATIVE = {
    "float32": "<f4",
    "uint8": "<u1",
    "int8": "<i1",
    "uint16": "<u2",
    "int16": "<i2",
    "int32": "<i4",
    "int64": "<i8",
    "float16": "<f2",
    "float64": "<f8",
    "uint32": "<u4",
    "uint64": "<u8",
    "complex64": "<c8",
    "complex128": "<c16",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _SmallFloat:
    """A float of ``1 + exponent_bits + mantissa_bits`` bits. ``nan_codes`` are those beside the NaN of IEEE 754."""

    exponent_bits: int
    mantissa_bits: int
    bias: int
    infinities: bool = False
    nan_codes: tuple[int, ...] = ()


_SMALL_FLOATS = {
    "float8e4m3fn": _SmallFloat(exponent_bits=4, mantissa_bits=3, bias=7, nan_codes=(0x7F, 0xFF)),
    "float8e4m3fnuz": _SmallFloat(exponent_bits=4, mantissa_bits=3, bias=8, nan_codes=(0x80,)),
    "float8e5m2": _SmallFloat(exponent_bits=5, mantissa_bits=2, bias=15, infinities=True),
    "float8e5m2fnuz": _SmallFloat(exponent_bits=5, mantissa_bits=2, bias=16, nan_codes=(0x80,)),
    "float4e2m1": _SmallFloat(exponent_bits=2, mantissa_bits=1, bias=1),
    "float6e2m3": _SmallFloat(exponent_bits=2, mantissa_bits=3, bias=1),
    "float6e3m2": _SmallFloat(exponent_bits=3, mantissa_bits=2, bias=3),
}


def decoded(kind: ElementType, content: bytes, count: int) -> Values:
    """Return ``count`` elements that are stored as ``content``, whole groups of them.

    Shapes: (count,). The type is not string.
    """
    native = _NATIVE.get(kind.name)
    if native is not None:
        return np.frombuffer(content, dtype=native)[:count]
    stored = np.frombuffer(content, dtype=np.uint8)
    if kind.name == "bool":
        return stored[:count].astype(np.bool_)
    if kind.name == "bfloat16":
        return (np.frombuffer(content, dtype="<u2").astype(np.uint32) << 16).view(np.float32)[:count]
    codes = _unpacked(kind, stored)[:count]
    if kind.name in ("int4", "int2"):
        bits = 4 if kind.name == "int4" else 2
        return np.where(codes >= 1 << (bits - 1), codes.astype(np.int8) - (1 << bits), codes).astype(np.int8)
    if not kind.name.startswith("float"):
        return codes
    table = _table(kind.name)
    return np.take(table, codes & (len(table) - 1))


def _unpacked(kind: ElementType, stored: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the codes of elements of which several share a byte; the first one has the lowest bits."""
    if kind.group_elements == 1:
        return stored
    groups = np.pad(stored, (0, -len(stored) % kind.group_bytes)).reshape(-1, kind.group_bytes)
    bits = 8 * kind.group_bytes // kind.group_elements
    joined = sum(groups[:, index].astype(np.uint32) << (8 * index) for index in range(kind.group_bytes))
    shifts = np.arange(kind.group_elements, dtype=np.uint32) * bits
    codes = (np.asarray(joined)[:, None] >> shifts) & ((1 << bits) - 1)
    return codes.astype(np.uint8).reshape(-1)


@functools.cache
def _table(name: str) -> npt.NDArray[np.float32]:
    """Return the values of all codes of a small float."""
    if name == "float8e8m0":
        # Powers of two alone; 2^-127 is the smallest of float32's subnormal ones that is needed.
        return np.array([2.0 ** (code - 127) for code in range(255)] + [np.nan], dtype=np.float32)
    form = _SMALL_FLOATS[name]
    bits = 1 + form.exponent_bits + form.mantissa_bits
    values = np.array([_value(form, code) for code in range(1 << bits)], dtype=np.float32)
    values[list(form.nan_codes)] = np.nan
    return values


def _value(form: _SmallFloat, code: int) -> float:
    mantissa = code & ((1 << form.mantissa_bits) - 1)
    exponent = (code >> form.mantissa_bits) & ((1 << form.exponent_bits) - 1)
    sign = -1.0 if code >> (form.mantissa_bits + form.exponent_bits) else 1.0
    if form.infinities and exponent == (1 << form.exponent_bits) - 1:
        return float("nan") if mantissa else sign * float("inf")
    fraction = mantissa / (1 << form.mantissa_bits)
    if exponent == 0:
        return sign * fraction * 2.0 ** (1 - form.bias)
    return sign * (1.0 + fraction) * 2.0 ** (exponent - form.bias)
