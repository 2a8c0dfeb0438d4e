"""Element types as ONNX writes them in definitions of operators: ``tensor(float)``.

Their numbers are the same in model files and in ONNX Runtime's interface.
"""

from __future__ import annotations

from opstudio.model.graph.element_types import ELEMENT_TYPES

_WORDS = {"float32": "float", "float64": "double"}
_TEXTS = {number: f"tensor({_WORDS.get(item.name, item.name)})" for number, item in ELEMENT_TYPES.items()}
_NUMBERS = {text: number for number, text in _TEXTS.items()}


def element_type_number(text: str) -> int:
    """Return the number of the elements of ``tensor(float)`` and the like; 0 for anything else."""
    return _NUMBERS.get(text, 0)


def element_type_text(number: int) -> str:
    """Return the type of a tensor of such elements; empty for 0, which means any."""
    return _TEXTS.get(number, f"tensor(element type {number})") if number else ""
