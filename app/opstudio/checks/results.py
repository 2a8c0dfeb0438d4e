"""Records that several stages use as evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from opstudio.checks.cases import Case
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Layer
from opstudio.parity.arrays import to_numpy
from opstudio.parity.comparison import Comparison, compare


@dataclass(frozen=True, slots=True, kw_only=True)
class CallError:
    """A call that raised. ``thrown_from`` is where the kernel threw, as ``(library, offset)`` pairs."""

    message: str
    thrown_from: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One case of a check: how each output compares, or the error of the call."""

    name: str
    sample: str
    comparisons: tuple[Comparison, ...] = ()
    error: CallError | None = None

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
    """Return an error's text without the frameworks' stack listings."""
    text = str(error).split("\nException raised from")[0].strip()
    return f"{type(error).__name__}: {text}"


def compare_outputs(
    subject: Subject, case: Case, outputs: tuple[Any, ...], expected: tuple[Any, ...], layer: Layer
) -> tuple[Comparison, ...]:
    """Compare outputs with what is expected, by the tolerance of each output's type."""
    contract = subject.contract
    return tuple(
        compare(
            to_numpy(value),
            to_numpy(reference),
            contract.tolerance(layer, contract.output_type(output, case.types)),
        )
        for output, value, reference in zip(contract.outputs, outputs, expected, strict=True)
    )
