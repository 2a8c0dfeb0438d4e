"""PyTorch and ONNX Runtime return different values for the same operator.

## What it finds
Three layers are compared on every sample and at sizes that vary within one session: reference, PyTorch operator, ONNX
Runtime operator. This one says that the two runtimes differ from each other.

## Why it happens
Two implementations of the same formula drifted apart; an attribute arrives with another value (ONNX keeps numbers as
float32); the dimension order is assumed differently.

## How to fix
A native operator runs the same kernel in both, so that only its inputs can differ: look at attributes and shapes. For
sources of your own, the finding says which side agrees with the reference; compare the formulas at the element shown.

## Source
The operator in both runtimes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.finding import Finding, Place
from opstudio.base.names import nearest_name
from opstudio.checks.stages.parity import ParityEvidence, ParityResult
from opstudio.diagnosis.recognition import is_axis_order
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.runtime_sources import is_of_the_runtime, place_of_computing
from opstudio.diagnosis.sources import find_lines
from opstudio.diagnosis.wording import axis_order_evidence, comparison_evidence, describe_comparison, join_names

_ASKED = (
    r"\b(?:attribute_\w+|(?:Kernel)?(?:Info)?Get_?[Aa]ttribute\w*)\s*(?:<[^>;]*>)?\s*\((?:[^;\"]*,)?\s*\"([^\"]+)\""
)
"""How sources ask ONNX Runtime for an attribute, with its C, its C++ or the studio's interface."""


def check(evidence: ParityEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first case in which the layers part, and between which two."""
    wrong = [case for case in evidence.cases if not case.good and case.error is None]
    if not wrong or is_axis_order(evidence):
        return
    first = next((case for case in wrong if not _is_single(case)), wrong[0])
    layers = {
        "ONNX Runtime against PyTorch": first.runtime_torch,
        "PyTorch against the reference": first.torch_reference,
        "ONNX Runtime against the reference": first.runtime_reference,
    }
    name, comparison = next(
        (name, item) for name, comparisons in layers.items() for item in comparisons if not item.agrees
    )
    attributes = context.attributes_of(first.sample)
    side = _runtime_side(context) if is_of_the_runtime(first, context) else _Side()
    names = join_names([first.name, *(case.name for case in wrong)])
    yield RULE.finding(
        context,
        title=f"{name}: values differ",
        cause=f"{describe_comparison(comparison, attributes)}, in {names}{side.words}",
        fix=side.fix or "Compare attributes, types and dimension order of both sides at the element shown",
        places=side.places or [context.place_of_function("forward")],
        evidence=comparison_evidence(comparison, attributes) | axis_order_evidence(evidence.axis_orders),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """Which side is wrong, where it is known: words to add, a fix and places."""

    words: str = ""
    fix: str = ""
    places: tuple[Place, ...] = ()


def _runtime_side(context: RuleContext) -> _Side:
    """Look in the sources for ONNX Runtime for attributes that are asked for under another name, or never."""
    sources = set(context.contract.kernel.onnxruntime)
    asked = [
        (place, match[1]) for place, match in find_lines(context, _ASKED) if Path(place.file or "").name in sources
    ]
    known = [item.name for item in context.contract.attributes]
    unread = [name for name in known if name not in {text for _, text in asked}]
    words = "; PyTorch agrees with the reference, so that the sources for ONNX Runtime are wrong"
    foreign = [(place, text) for place, text in asked if text not in known]
    if foreign and unread:
        place, text = foreign[0]
        return _Side(
            words=f"{words}: they ask for an attribute {text}, which the contract does not have",
            fix=f"Ask for {nearest_name(text, unread) or unread[0]} there",
            places=(place,),
        )
    if unread:
        words += f": they never ask for {join_names(unread)}"
    return _Side(words=words, places=(place_of_computing(context),))


def _is_single(case: ParityResult) -> bool:
    """Whether a case has outputs of one element, which show less than others."""
    return all(comparison.count <= 1 for comparison in case.runtime_torch)


RULE = Rule(id="NUM013", title="The runtimes differ", needs=ParityEvidence, check=check)
