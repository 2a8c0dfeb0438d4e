"""What is noted of a model while it runs in PyTorch, as plain records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A line of the person's own files, with its text."""

    file: str
    line: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorNote:
    """A tensor of a call: its argument (empty for results), element type in PyTorch's words, and sizes."""

    argument: str
    type: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomCall:
    """A call of an operator that is not PyTorch's own, seen by the dispatcher, or of an ``autograd.Function``.

    ``schema`` is empty for the latter, whose ``body`` is the file of its ``forward`` with the first and last line, and
    whose ``kinds`` are the types of its arguments in Python's words. ``attributes`` are the values of the arguments
    that are no tensors, as text.
    """

    operator: str
    schema: str
    at: SourceLine | None
    module: str
    attributes: Mapping[str, str]
    kinds: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[TensorNote, ...]
    outputs: tuple[TensorNote, ...]
    body: tuple[str, int, int] = ("", 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCall:
    """A call of a layer's function in training mode."""

    function: str
    at: SourceLine | None
    module: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EagerCalls:
    """What is noted of the model in PyTorch."""

    custom: tuple[CustomCall, ...] = ()
    training: tuple[TrainingCall, ...] = ()
