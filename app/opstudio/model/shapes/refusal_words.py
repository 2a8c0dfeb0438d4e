"""What the runtime's refusal of one node says, in words, and of which kind it is."""

from __future__ import annotations

import re

from opstudio.model.shapes.records import RefusalKind

_MARKS = re.compile(r"^.*\[(?:Shape|Type)InferenceError\]\s*(?:\(op_type:[^)]*\):?\s*)*", re.DOTALL)
_HEAD = re.compile(r"^\[ONNXRuntimeError\] : \d+ : \w+ : (?:Exception during initialization: )?")
_SOURCE = re.compile(r"\S+\.(?:cc|h):\d+ (?:\S.*?\)(?: const)?(?: \[with .*?\])? )?")
"""Where in the runtime's own source it was refused."""
_KINDS = (
    ("[ShapeInferenceError]", RefusalKind.SHAPES),
    ("[TypeInferenceError]", RefusalKind.TYPES),
    ("Type Error", RefusalKind.TYPES),
    ("Could not find an implementation", RefusalKind.KERNEL),
    ("NOT_IMPLEMENTED", RefusalKind.KERNEL),
)
_LONGEST_REASON = 400
_LONG_WORD = re.compile(r"(\S{300})\S+")
"""A name in what the runtime says; to look for places in it takes the square of its length."""
_NOBODY = re.compile(r":(\w+)\(-?\d+\) is not a registered|No Op registered for (\w+) |No opset import for domain")


def refusal_of(message: str, operator: str) -> tuple[str, RefusalKind | None]:
    """Return what a refusal says, and its kind; of an operator that nobody has, others say more: the kind is open."""
    nobody = _NOBODY.search(message)
    if nobody is not None and operator == (nobody[1] or nobody[2] or operator):
        return message[:_LONGEST_REASON], None
    kind = next((kind for mark, kind in _KINDS if mark in message), RefusalKind.CREATION)
    words = _LONG_WORD.sub(r"\1…", message)
    for pattern in (_MARKS, _HEAD, _SOURCE, _HEAD):
        words = pattern.sub("", words)
    return (words.strip() or message)[:_LONGEST_REASON], kind
