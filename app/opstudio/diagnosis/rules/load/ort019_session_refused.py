"""ONNX Runtime refuses a model of the operator.

## What it finds
The runtime's own words for a node of the operator that it does not load, or a shape that it infers wrongly.

## Why it happens
The operator library does not register what the model asks for: another domain, name, type or number of inputs; it needs
a newer runtime; or its shape inference is missing or wrong.

## How to fix
Compare domain, operator type, inputs and types of the library with those of the contract; letters count.

## Source
``onnxruntime.InferenceSession``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place, Severity
from opstudio.checks.stages.load import LoadEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines

_BEFORE_NAMES = (
    (
        ("undefined symbol: RegisterCustomOps",),
        r"\bRegisterCustomOps\s*\(",
        'the library does not export RegisterCustomOps: it needs extern "C" and default visibility',
    ),
    (
        ("or newer", "API version"),
        r"(?:->|\.)\s*GetApi\s*\(",
        "the version that the library asks GetApi for is what this runtime lacks",
    ),
)
_DOMAIN = r"(?:\b[Cc]reate_?(?:[Cc]ustom_?[Oo]p_?)?[Dd]omain\s*\(|\bCustomOpDomain\s*(?:\w+\s*)?[({])\s*\"([^\"]*)\""
_NAME = r"\bGetName\b[^;\"]*\"([^\"]*)\""


def check(evidence: LoadEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first refusal, and the first shape that is not right."""
    contract = context.contract
    refused = [session for session in evidence.sessions if session.error]
    if refused:
        written, places = _what_is_written(refused[0].error, context)
        types = ", ".join(kind.value for kind in refused[0].types.values())
        yield RULE.finding(
            context,
            title=f"ONNX Runtime refuses {contract.domain}:{contract.onnx_type} ({types})",
            cause=refused[0].error + (f"; {written}" if written else ""),
            fix="Compare domain, type, inputs and element types of the library with the contract; letters count",
            places=places or [context.place_in_contract(("operator", "name"))],
        )
    for session in evidence.sessions:
        if session.error or session.inferred == session.expected:
            continue
        yield RULE.finding(
            context,
            title="ONNX Runtime infers no shape" if session.is_unknown else "ONNX Runtime infers a wrong shape",
            cause=f"sample {session.sample}: inferred {_shapes(session.inferred)}, it is {_shapes(session.expected)}",
            fix="Set InferOutputShapeFn of the operator; without it everything behind the node has no shape",
            places=[
                *(place for place, _ in find_lines(context, r"\bInferOutputShapeFn\b")),
                context.place_in_contract(("output", 0, "shape"), at_value=True),
            ],
            severity=Severity.WARNING if session.is_unknown else Severity.ERROR,
        )
        return


def _what_is_written(error: str, context: RuleContext) -> tuple[str, list[Place]]:
    """Return what sources that register themselves say otherwise than the contract, and where.

    The order is that in which the runtime asks: is there an entry, does it take this runtime, domain, name.
    """
    contract = context.contract
    for marks, pattern, words in _BEFORE_NAMES:
        if any(mark in error for mark in marks) and (found := find_lines(context, pattern)):
            return words, [place for place, _ in found]
    for pattern, what, wanted in ((_DOMAIN, "domain", contract.domain), (_NAME, "type", contract.onnx_type)):
        found = find_lines(context, pattern)
        if found and all(match[1] != wanted for _, match in found):
            return f"the library registers {what} {found[0][1][1]}, not {wanted}", [place for place, _ in found]
    return "", []


def _shapes(shapes: tuple[tuple[int | str, ...], ...]) -> str:
    return ", ".join(str(list(shape)) for shape in shapes) or "none"


RULE = Rule(id="ORT019", title="ONNX Runtime refuses the operator", needs=LoadEvidence, check=check)
