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

from opstudio.base.finding import Finding, Severity
from opstudio.checks.stages.load import LoadEvidence
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: LoadEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first refusal, and the first shape that is not right."""
    contract = context.contract
    refused = [session for session in evidence.sessions if session.error]
    if refused:
        types = ", ".join(kind.value for kind in refused[0].types.values())
        yield RULE.finding(
            context,
            title=f"ONNX Runtime refuses {contract.domain}:{contract.onnx_type} ({types})",
            cause=refused[0].error,
            fix="Compare domain, type, inputs and element types of the library with the contract; letters count",
            places=[context.place_in_contract(("operator", "name"))],
        )
    for session in evidence.sessions:
        if session.error or session.inferred == session.expected:
            continue
        unknown = all(not shape for shape in session.inferred) and any(session.expected)
        yield RULE.finding(
            context,
            title="ONNX Runtime infers no shape" if unknown else "ONNX Runtime infers a wrong shape",
            cause=f"sample {session.sample}: inferred {_shapes(session.inferred)}, it is {_shapes(session.expected)}",
            fix="Set InferOutputShapeFn of the operator; without it everything behind the node has no shape",
            places=[context.place_in_contract(("output", 0, "shape"), at_value=True)],
            severity=Severity.WARNING if unknown else Severity.ERROR,
        )
        return


def _shapes(shapes: tuple[tuple[int | str, ...], ...]) -> str:
    return ", ".join(str(list(shape)) for shape in shapes) or "none"


RULE = Rule(id="ORT019", title="ONNX Runtime refuses the operator", needs=LoadEvidence, check=check)
