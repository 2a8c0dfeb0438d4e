"""Types as ONNX writes them in definitions of operators: ``tensor(float)``, ``seq(tensor(int64))``."""

from __future__ import annotations

from opstudio.model.graph.value_types import MapType, OptionalType, SequenceType, TensorType, ValueType
from opstudio.model.runtime.element_types import element_type_text

_SEQUENCE, _OPTIONAL = "seq(", "optional("


def type_text(value: ValueType | None) -> str:
    """Return the text of a type; empty where it is not known."""
    match value:
        case TensorType(element_type=element, is_sparse=is_sparse):
            text = element_type_text(element)
            return f"sparse_{text}" if is_sparse and text else text
        case SequenceType(element=inner):
            return sequence_of(type_text(inner))
        case OptionalType(element=inner):
            return f"{_OPTIONAL}{text})" if (text := type_text(inner)) else ""
        case MapType(key_type=key, value=inner):
            text = type_text(inner)
            return f"map({element_type_text(key)[len('tensor(') : -1]},{text})" if text else ""
        case _:
            return ""


def sequence_of(text: str) -> str:
    """Return the type of a sequence of a type; empty for one that is not known."""
    return f"{_SEQUENCE}{text})" if text else ""


def element_of(text: str) -> str:
    """Return the type of the elements of a sequence or optional; empty for anything else."""
    for start in (_SEQUENCE, _OPTIONAL):
        if text.startswith(start):
            return text[len(start) : -1]
    return ""
