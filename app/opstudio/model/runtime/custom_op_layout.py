"""How an operator library describes an operator to ONNX Runtime: the structure ``OrtCustomOp``, read through ctypes.

Source: the documentation of ONNX Runtime's C interface. Each function entered with an API version; a structure that was
compiled for an older one ends before it. Versions: optional parameters 8, variadic ones 14, shape inference and ranges
of versions 17.
"""

from __future__ import annotations

import ctypes

from opstudio.model.runtime.element_types import element_type_text
from opstudio.model.runtime.records import LATEST, Arity, LibraryOperator, LibraryParameter

_POINTER = ctypes.c_void_p
_TEXT_OF = ctypes.CFUNCTYPE(ctypes.c_char_p, _POINTER)
_NUMBER_OF = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER)
_COUNT_OF = ctypes.CFUNCTYPE(ctypes.c_size_t, _POINTER)
_NUMBER_AT = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_size_t)

_ARITIES = (Arity.SINGLE, Arity.OPTIONAL, Arity.VARIADIC)
_OPTIONAL_SINCE, _VARIADIC_SINCE, _RANGES_SINCE = 8, 14, 17
_MOST_PARAMETERS = 1024
"""More than any operator has: a library with a broken structure is not followed into the woods."""


class CustomOp(ctypes.Structure):
    """``OrtCustomOp``, in the order of its fields; those of newer versions stand at the end."""

    _fields_ = (
        ("version", ctypes.c_uint32),
        ("create_kernel", _POINTER),
        ("get_name", _TEXT_OF),
        ("get_provider", _TEXT_OF),
        ("get_input_type", _NUMBER_AT),
        ("get_input_count", _COUNT_OF),
        ("get_output_type", _NUMBER_AT),
        ("get_output_count", _COUNT_OF),
        ("compute", _POINTER),
        ("destroy_kernel", _POINTER),
        ("get_input_characteristic", _NUMBER_AT),
        ("get_output_characteristic", _NUMBER_AT),
        ("get_input_memory_type", _NUMBER_AT),
        ("get_least_inputs", _NUMBER_OF),
        ("get_inputs_homogeneous", _NUMBER_OF),
        ("get_least_outputs", _NUMBER_OF),
        ("get_outputs_homogeneous", _NUMBER_OF),
        ("create_kernel_v2", _POINTER),
        ("compute_v2", _POINTER),
        ("infer_output_shapes", _POINTER),
        ("get_start_version", _NUMBER_OF),
        ("get_end_version", _NUMBER_OF),
    )


def read_custom_op(address: int, domain: str) -> LibraryOperator:
    """Read what the structure at an address says of its operator.

    Raises:
        ValueError: it cannot be an operator.
    """
    op = CustomOp.from_address(address)
    name = op.get_name(address)
    if not name:
        raise ValueError("an operator without a name was registered")
    has_ranges = op.version >= _RANGES_SINCE
    since = op.get_start_version(address) if has_ranges and op.get_start_version else 1
    until = op.get_end_version(address) if has_ranges and op.get_end_version else LATEST
    return LibraryOperator(
        domain=domain,
        type=name.decode("utf-8", "replace"),
        since=since,
        until=until,
        provider=(op.get_provider(address) or b"").decode("utf-8", "replace"),
        inputs=_parameters(op, address, is_input=True),
        outputs=_parameters(op, address, is_input=False),
        infers_shapes=has_ranges and bool(op.infer_output_shapes),
        version=op.version,
    )


def _parameters(op: CustomOp, address: int, *, is_input: bool) -> tuple[LibraryParameter, ...]:
    count = (op.get_input_count if is_input else op.get_output_count)(address)
    if count > _MOST_PARAMETERS:
        raise ValueError(f"an operator with {count} {'inputs' if is_input else 'outputs'} was registered")
    return tuple(_parameter(op, address, index, is_input=is_input) for index in range(count))


def _parameter(op: CustomOp, address: int, index: int, *, is_input: bool) -> LibraryParameter:
    type_of = op.get_input_type if is_input else op.get_output_type
    characteristic = op.get_input_characteristic if is_input else op.get_output_characteristic
    arity = Arity.SINGLE
    if op.version >= _OPTIONAL_SINCE and characteristic:
        number = characteristic(address, index)
        if number not in range(len(_ARITIES)):
            raise ValueError(f"parameter {index} has the unknown characteristic {number}")
        arity = _ARITIES[number]
    least, is_homogeneous = int(arity is Arity.SINGLE), True
    if arity is Arity.VARIADIC and op.version >= _VARIADIC_SINCE:
        least = (op.get_least_inputs if is_input else op.get_least_outputs)(address)
        is_homogeneous = bool((op.get_inputs_homogeneous if is_input else op.get_outputs_homogeneous)(address))
    return LibraryParameter(
        type=element_type_text(type_of(address, index)), arity=arity, least=least, homogeneous=is_homogeneous
    )
