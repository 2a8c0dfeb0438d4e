"""A host of kernels in a process of its own, written against the C interface alone: neither PyTorch nor the studio's
hosts stand between a test and the kernel.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from opstudio.contract.toml_file import read_contract
from tests.support.workspaces import KERNELS

Array = npt.NDArray[Any]
Attributes = Mapping[str, int | float | str | tuple[float, ...]]

TYPES = ("float32", "float64", "float16", "bfloat16")
"""Those of the bundled kernels."""
_NUMBERS = {"float32": 1, "float64": 11, "float16": 10, "bfloat16": 16, "int32": 6, "uint8": 2}  # in abi.h
_STORED = {
    "float32": np.float32,
    "float64": np.float64,
    "float16": np.float16,
    "bfloat16": np.uint16,
    "int32": np.int32,
    "uint8": np.uint8,
}
_CANARY = 0xA5
_INT, _FLOAT, _STRING, _FLOATS = 0, 1, 3, 5


@dataclass(frozen=True)
class Tensor:
    """Values as float64, the type that the kernel sees them in, and how they lie in memory.

    ``order`` lists the axes from the slowest to the fastest; ``gap`` elements lie unused behind every element;
    ``repeated`` axes have a stride of zero (the values along them must be equal).
    """

    values: Array
    type: str = "float32"
    order: Sequence[int] | None = None
    gap: int = 0
    repeated: Sequence[int] = ()


@dataclass(frozen=True)
class KernelCall:
    """One call. ``outputs`` are tensors whose values do not matter."""

    name: str
    inputs: Mapping[str, Tensor]
    outputs: Mapping[str, Tensor]
    attributes: Attributes = field(default_factory=dict)
    backward: bool = False


def build_kernel(name: str, folder: Path, compiler: str, *flags: str) -> Path:
    """Compile a bundled kernel with its contract's own flags."""
    contract = read_contract(KERNELS / name / "contract.toml")
    library = folder / f"{name}.so"
    sources = [str(KERNELS / name / source) for source in contract.kernel.sources]
    strict = ("-std=c++17", "-O3", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", *contract.kernel.flags, *flags)
    subprocess.run([compiler, *strict, f"-I{KERNELS / 'include'}", *sources, "-o", str(library)], check=True)
    return library


def call_kernel(library: str, call: KernelCall) -> dict[str, Array] | str:
    """Return the outputs as float64, or the words with which the kernel refused.

    Raises:
        AssertionError: the kernel wrote between the elements of an output.
    """
    host = _Host()
    entry = ctypes.CDLL(library).opstudio_kernel_entry
    entry.restype = ctypes.POINTER(_Kernel)
    kernel = entry().contents
    inputs = [(name, _Placed(tensor)) for name, tensor in call.inputs.items()]
    outputs = [(name, _Placed(tensor, is_output=True)) for name, tensor in call.outputs.items()]
    attributes = (_Attribute * max(len(call.attributes), 1))(*map(_attribute, call.attributes.items()))
    raw = _Call(
        ctypes.sizeof(_Call),
        ctypes.pointer(host.raw),
        _arguments(inputs),
        len(inputs),
        _arguments(outputs),
        len(outputs),
        attributes,
        len(call.attributes),
    )
    status = (kernel.backward if call.backward else kernel.forward)(ctypes.byref(raw))
    return host.message if status else {name: placed.read() for name, placed in outputs}


class _View(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("rank", ctypes.c_int32),
        ("type", ctypes.c_int32),
    )


class _Argument(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("views", ctypes.POINTER(_View)), ("count", ctypes.c_int64))


class _Attribute(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int32),
        ("count", ctypes.c_int64),
        ("integers", ctypes.POINTER(ctypes.c_int64)),
        ("numbers", ctypes.POINTER(ctypes.c_double)),
        ("text", ctypes.c_char_p),
    )


_RANGE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_PARALLEL_FOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, _RANGE, ctypes.c_void_p)
_ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_FAIL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


class _RawHost(ctypes.Structure):
    _fields_ = (
        ("abi_version", ctypes.c_uint32),
        ("size", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("parallel_for", _PARALLEL_FOR),
        ("allocate", _ALLOCATE),
        ("fail", _FAIL),
        ("stream", ctypes.c_void_p),
    )


class _Call(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_uint32),
        ("host", ctypes.POINTER(_RawHost)),
        ("inputs", ctypes.POINTER(_Argument)),
        ("input_count", ctypes.c_int64),
        ("outputs", ctypes.POINTER(_Argument)),
        ("output_count", ctypes.c_int64),
        ("attributes", ctypes.POINTER(_Attribute)),
        ("attribute_count", ctypes.c_int64),
    )


_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_Call))


class _Kernel(ctypes.Structure):
    _fields_ = (
        ("abi_version", ctypes.c_uint32),
        ("size", ctypes.c_uint32),
        ("forward", _FUNCTION),
        ("backward", _FUNCTION),
    )


class _Host:
    """Runs the pieces of a loop last first: a kernel must not count on their order."""

    def __init__(self) -> None:
        self.message = ""
        self._scratch: list[Any] = []
        self._callbacks = (_PARALLEL_FOR(self._parallel_for), _ALLOCATE(self._allocate), _FAIL(self._fail))
        self.raw = _RawHost(1, ctypes.sizeof(_RawHost), None, *self._callbacks, None)

    def _parallel_for(self, _context: Any, count: int, grain: int, run: Any, argument: Any) -> None:
        for begin in reversed(range(0, count, grain)):
            run(argument, begin, min(begin + grain, count))

    def _allocate(self, _context: Any, size: int) -> int:
        self._scratch.append(ctypes.create_string_buffer(size + 64))
        ctypes.memset(self._scratch[-1], _CANARY, size + 64)  # scratch memory holds anything
        return (ctypes.addressof(self._scratch[-1]) + 63) // 64 * 64

    def _fail(self, _context: Any, message: bytes) -> None:
        self.message = message.decode()


class _Placed:
    """A tensor in memory of its own, with canaries wherever no element lies."""

    def __init__(self, tensor: Tensor, *, is_output: bool = False) -> None:
        shape = tensor.values.shape
        self._type = tensor.type
        self._strides = [0] * len(shape)
        extent = 1 + tensor.gap
        for axis in reversed(range(len(shape)) if tensor.order is None else tensor.order):
            if axis not in tensor.repeated:
                self._strides[axis] = extent
                extent *= max(shape[axis], 1)
        stored = np.dtype(_STORED[tensor.type])
        self._memory = np.full((extent + 8) * stored.itemsize, _CANARY, np.uint8).view(stored)
        elements = self._elements(shape)
        if not is_output:
            elements[...] = _narrow(tensor.values, tensor.type)
        self._free = np.ones(self._memory.size, bool)
        self._free[self._index(shape)] = False
        sizes, steps = (
            (ctypes.c_int64 * max(len(shape), 1))(*shape),
            (ctypes.c_int64 * max(len(shape), 1))(*self._strides),
        )
        self.view = _View(self._memory.ctypes.data, sizes, steps, len(shape), _NUMBERS[tensor.type])
        self._shape = shape

    def read(self) -> Array:
        bytes_of = self._memory[self._free].view(np.uint8)
        assert (bytes_of == _CANARY).all(), "the kernel wrote between the elements of an output"
        return _widen(self._elements(self._shape).copy(), self._type)

    def _elements(self, shape: tuple[int, ...]) -> Array:
        size = self._memory.itemsize
        return np.lib.stride_tricks.as_strided(self._memory, shape, [size * stride for stride in self._strides])

    def _index(self, shape: tuple[int, ...]) -> Array:
        index = np.zeros(shape, np.int64)
        for axis, stride in enumerate(self._strides):
            index += (
                np.arange(shape[axis]).reshape([-1 if other == axis else 1 for other in range(len(shape))]) * stride
            )
        return index.reshape(-1)


def _arguments(placed: Sequence[tuple[str, _Placed]]) -> Any:
    return (_Argument * max(len(placed), 1))(
        *(_Argument(name.encode(), ctypes.pointer(item.view), 1) for name, item in placed)
    )


def _attribute(item: tuple[str, int | float | str | tuple[float, ...]]) -> _Attribute:
    name, value = item
    result = _Attribute(name.encode(), _INT, 1)
    if isinstance(value, str):
        result.kind, result.text = _STRING, value.encode()
    elif isinstance(value, tuple):
        result.kind, result.count, result.numbers = _FLOATS, len(value), (ctypes.c_double * max(len(value), 1))(*value)
    elif isinstance(value, float):
        result.kind, result.numbers = _FLOAT, (ctypes.c_double * 1)(value)
    else:
        result.integers = (ctypes.c_int64 * 1)(value)
    return result


def _narrow(values: Array, data_type: str) -> Array:
    """Round to a type as PyTorch does, which makes half types from float32; NumPy has no bfloat16."""
    if data_type == "bfloat16":
        import torch

        return np.asarray(torch.from_numpy(values).to(torch.bfloat16).view(torch.int16).numpy().view(np.uint16))
    with np.errstate(over="ignore"):
        return values.astype(np.float32 if data_type == "float16" else np.float64).astype(_STORED[data_type])


def _widen(stored: Array, data_type: str) -> Array:
    if data_type != "bfloat16":
        return np.asarray(stored.astype(np.float64))
    return np.asarray((stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64))
