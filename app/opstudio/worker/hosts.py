"""The C++ hosts as Python sees them: describe an operator from its contract, register it, put kernels behind it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from opstudio.base.errors import ToolError
from opstudio.contract.operator import AttributeKind, OperatorContract
from opstudio.contract.shape_program import ProgramBuilder, letter_indices
from opstudio.contract.shape_syntax import Number, Star
from opstudio.contract.torch_schema import render_backward_schema, render_schema
from opstudio.worker.context import WorkerContext

_ATTRIBUTE_KINDS = (
    AttributeKind.INT,
    AttributeKind.FLOAT,
    AttributeKind.BOOL,
    AttributeKind.STRING,
    AttributeKind.INTS,
    AttributeKind.FLOATS,
)
"""In the order of their numbers in ``abi.h``."""

_REQUIRED, _OPTIONAL, _VARIADIC = 0, 1, 2
_LETTER, _NUMBER, _STAR = 0, 1, 2


class Host:
    """One of the two hosts, loaded into this process."""

    def __init__(self, path: str, prefix: str) -> None:
        """Load a host library; ``prefix`` starts the names of its functions."""
        self.path = path
        self._library = ctypes.CDLL(path)
        self._library.opstudio_describe.restype = ctypes.c_void_p
        self._register = getattr(self._library, f"{prefix}_register")
        self._register.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
        self._register.restype = ctypes.c_char_p
        self._set_kernel = getattr(self._library, f"{prefix}_set_kernel")
        self._set_kernel.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._set_kernel.restype = ctypes.c_char_p
        self._set_check_mode = getattr(self._library, f"{prefix}_set_check_mode")

    def register(self, contract: OperatorContract) -> int:
        """Register an operator and return its handle.

        Raises:
            ToolError: the framework refuses it.
        """
        handle = ctypes.c_void_p()
        refusal = self._register(_describe(self._library, contract), ctypes.byref(handle))
        if refusal is not None or handle.value is None:
            raise ToolError.of(
                f"{contract.qualified_name} cannot be registered",
                cause=(refusal or b"the host gave no handle").decode("utf-8", "replace"),
                fix="Correct the contract",
                stage="register",
            )
        return handle.value

    def set_kernel(self, handle: int, kernel: int) -> None:
        """Put a kernel (the address of its ``opstudio_kernel``) behind an operator.

        Raises:
            ToolError: the kernel does not fit the contract.
        """
        if (refusal := self._set_kernel(handle, kernel)) is not None:
            raise ToolError.of(
                "The kernel does not fit its contract",
                cause=refusal.decode("utf-8", "replace"),
                fix="Mend the kernel or the contract",
                stage="register",
            )

    def set_check_mode(self, *arguments: Any) -> None:
        """Choose how calls run while checks watch them."""
        self._set_check_mode(*arguments)


def torch_host(path: str) -> Host:
    """Load the dispatcher host. PyTorch must have been imported."""
    return Host(path, "opstudio_torch")


def onnxruntime_host(path: str) -> Host:
    """Load the ONNX Runtime host."""
    return Host(path, "opstudio_onnxruntime")


def load_kernel(path: str, context: WorkerContext) -> int:
    """Load a kernel library and return the address of its ``opstudio_kernel``.

    Raises:
        ToolError: it cannot be loaded or exports no kernel.
    """
    try:
        library = ctypes.CDLL(path)
        entry = library.opstudio_kernel_entry
    except (OSError, AttributeError) as error:
        raise ToolError.of(
            "The kernel library cannot be loaded",
            cause=str(error),
            fix="End the kernel's source with OPSTUDIO_KERNEL(forward) and define everything that it uses",
            stage="register",
        ) from error
    context.loaded(path)
    entry.restype = ctypes.c_void_p
    return int(entry())


def _describe(library: ctypes.CDLL, contract: OperatorContract) -> ctypes.c_void_p:
    backward = render_backward_schema(contract) if contract.gradient is not None else ""
    operator = ctypes.c_void_p(
        library.opstudio_describe(
            _text(contract.domain),
            _text(contract.name),
            _text(contract.onnx_type),
            contract.version,
            _text(render_schema(contract)),
            _text(backward),
            int(contract.kernel.strided),
        )
    )
    _add_inputs(library, operator, contract)
    _add_attributes(library, operator, contract)
    _add_outputs(library, operator, contract)
    if contract.gradient is not None:
        names = [item.name for item in contract.inputs]
        tensors = names + [item.name for item in contract.outputs]
        differentiated = [names.index(name) for name in contract.gradient.inputs]
        saved = [tensors.index(name) for name in contract.gradient.saved]
        library.opstudio_set_gradient(
            operator,
            _array(ctypes.c_int32, differentiated),
            len(differentiated),
            _array(ctypes.c_int32, saved),
            len(saved),
        )
    return operator


def _add_inputs(library: ctypes.CDLL, operator: ctypes.c_void_p, contract: OperatorContract) -> None:
    names = [item.name for item in contract.inputs]
    letters = letter_indices(contract)
    for item in contract.inputs:
        arity = _VARIADIC if item.variadic else _OPTIONAL if item.optional else _REQUIRED
        types = [data_type.onnx_code for data_type in item.types]
        pattern: list[int] = []
        for element in item.pattern.elements if item.pattern else ():
            if isinstance(element, Number):
                pattern += [_NUMBER, element.value]
            else:
                pattern += [_STAR if isinstance(element, Star) else _LETTER, letters[element.name]]
        library.opstudio_add_input(
            operator,
            _text(item.name),
            arity,
            -1 if item.same_type_as is None else names.index(item.same_type_as),
            _array(ctypes.c_int32, types),
            len(types),
            _array(ctypes.c_int64, pattern),
            -1 if item.pattern is None else len(pattern) // 2,
        )


def _add_attributes(library: ctypes.CDLL, operator: ctypes.c_void_p, contract: OperatorContract) -> None:
    for item in contract.attributes:
        integers: list[int] = []
        numbers: list[float] = []
        text = ""
        match item.default:
            case bool() | int():
                integers = [int(item.default)]
            case float():
                numbers = [item.default]
            case str():
                text = item.default
            case tuple():
                if item.kind is AttributeKind.INTS:
                    integers = [int(value) for value in item.default]
                else:
                    numbers = [float(value) for value in item.default]
        library.opstudio_add_attribute(
            operator,
            _text(item.name),
            _ATTRIBUTE_KINDS.index(item.kind),
            int(item.default is not None),
            _array(ctypes.c_int64, integers),
            len(integers),
            _array(ctypes.c_double, numbers),
            len(numbers),
            _text(text),
        )


def _add_outputs(library: ctypes.CDLL, operator: ctypes.c_void_p, contract: OperatorContract) -> None:
    names = [item.name for item in contract.inputs]
    builder = ProgramBuilder(contract)
    for item in contract.outputs:
        rule = contract.output_rule(item)
        program = builder.output_program(item)
        library.opstudio_add_output(
            operator,
            _text(item.name),
            item.type.onnx_code if item.type else 0,
            -1 if item.same_type_as is None else names.index(item.same_type_as),
            -1 if rule.same_as is None else names.index(rule.same_as),
            _array(ctypes.c_int64, program),
            len(program),
        )
    texts = (ctypes.c_char_p * len(builder.texts))(*map(_text, builder.texts))
    library.opstudio_set_shape_constants(operator, len(letter_indices(contract)), texts, len(texts))


def _text(value: str) -> bytes:
    return value.encode("utf-8")


def _array(kind: type[Any], values: Sequence[Any]) -> Any:
    return (kind * len(values))(*values)
