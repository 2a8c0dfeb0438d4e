"""Records that several stages use as evidence."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from opstudio.checks.cases import Case, Shapes, Tensors
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Layer
from opstudio.parity.arrays import to_numpy
from opstudio.parity.comparison import Comparison, Element, compare

_FILL = 0xFB
"""Every byte of an output before the call: kPattern of guarded_memory.h."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallError:
    """A call that raised. ``thrown_from`` is where the kernel threw, as ``(library, offset)`` pairs."""

    message: str
    thrown_from: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One case of a check: how each output compares, or the error of the call. ``inputs`` are their shapes."""

    name: str
    sample: str
    comparisons: tuple[Comparison, ...] = ()
    error: CallError | None = None
    inputs: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        """Whether the call returned what it should."""
        return self.error is None and all(comparison.agrees for comparison in self.comparisons)


def describe_cases(cases: tuple[CaseResult, ...]) -> str:
    """Return one line: how many cases, and the largest error among them."""
    largest = max((comparison.largest_absolute for case in cases for comparison in case.comparisons), default=0.0)
    return f"{len(cases)} cases, largest error {largest:.3g}"


def attempt(subject: Subject, call: Callable[[], tuple[Any, ...]]) -> tuple[tuple[Any, ...], CallError | None]:
    """Call and return the outputs, or what was raised."""
    try:
        return call(), None
    except Exception as error:  # noqa: BLE001 - whatever an operator raises is evidence
        return (), CallError(message=plain_message(error), thrown_from=subject.thrown_from())


def plain_message(error: Exception) -> str:
    """Return an error's text without the frameworks' stack listings.

    The text of a C++ exception need not be UTF-8, for which Python raises another error in its place.
    """
    if isinstance(error, UnicodeDecodeError):
        text = error.object.decode("utf-8", "replace").split("\nException raised from")[0].strip()
        return f"RuntimeError: {text}"
    text = str(error).split("\nException raised from")[0].strip()
    return f"{type(error).__name__}: {text}"


def compare_outputs(
    subject: Subject, case: Case, outputs: tuple[Any, ...], expected: tuple[Any, ...], layer: Layer
) -> tuple[Comparison, ...]:
    """Compare outputs with what is expected, by the tolerance of each output's type."""
    contract = subject.contract
    results: list[Comparison] = []
    for output, value, reference in zip(contract.outputs, outputs, expected, strict=True):
        data_type = contract.output_type(output, case.types)
        tolerance = contract.tolerance(layer, data_type)
        comparison = compare(to_numpy(value), to_numpy(reference), tolerance, type_name=data_type.value)
        results.append(with_unwritten(with_inputs(comparison, case.inputs), value, reference))
    return tuple(results)


def with_inputs(comparison: Comparison, inputs: Tensors) -> Comparison:
    """Add to the elements of a comparison the values of the inputs at the same place.

    Inputs of another shape than the output are left out: the element may come from any of their values.
    """
    if comparison.critical is None:
        return comparison
    alike = {
        name if len(group) == 1 else f"{name}[{position}]": tensor
        for name, group in inputs.items()
        for position, tensor in enumerate(group)
        if tuple(tensor.shape) == comparison.value_shape
    }

    def fill(element: Element) -> Element:
        return dataclasses.replace(
            element, inputs={name: float(tensor[element.index]) for name, tensor in alike.items()}
        )

    return dataclasses.replace(comparison, worst=tuple(map(fill, comparison.worst)), critical=fill(comparison.critical))


def with_unwritten(comparison: Comparison, value: Any, reference: Any) -> Comparison:
    """Tell of the elements of a comparison that disagrees which of them still hold what fresh outputs are filled with.

    One byte alone may be a result like any other, and is never taken for that.
    """
    if not comparison.mismatches or not comparison.shapes_agree or value.element_size() == 1:
        return comparison
    unwritten = _is_fill(value)
    if not unwritten.any():
        return comparison
    unwritten &= ~_is_fill(reference)
    worst = tuple(dataclasses.replace(item, is_written=not bool(unwritten[item.index])) for item in comparison.worst)
    return dataclasses.replace(comparison, worst=worst, unwritten=int(unwritten.sum()))


def _is_fill(tensor: Any) -> Any:
    """Return for each element of a tensor whether it is what fresh outputs are filled with."""
    import torch

    size = tensor.element_size()
    # Whole elements compare many times quicker than their bytes.
    as_integers = tensor.contiguous().view({1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[size])
    return as_integers == int.from_bytes(bytes([_FILL] * size), sys.byteorder, signed=True)


def shapes_of(inputs: Tensors) -> Shapes:
    """Return the shapes of the inputs of a call."""
    return {name: tuple(tuple(tensor.shape) for tensor in group) for name, group in inputs.items()}
