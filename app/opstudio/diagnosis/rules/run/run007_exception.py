"""The kernel refuses a call that its contract allows: it throws.

## What it finds
An exception of the kernel, on the calling thread or in a piece of ``call.parallel_for``, with the line that threw it.

## Why it happens
``OPSTUDIO_CHECK`` refuses a shape or attribute of a sample; a container of the C++ library is used out of its range;
the kernel asks for an input or attribute by a name that the contract does not have.

## How to fix
Mend the kernel if the call is allowed; otherwise narrow the contract, so that no sample and no person asks for it.

## Source
The message that the kernel handed to its host.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from opstudio.base.finding import Finding
from opstudio.base.names import did_you_mean
from opstudio.checks.results import CallError
from opstudio.checks.stages.alias import AliasEvidence
from opstudio.checks.stages.extreme import ExtremeEvidence
from opstudio.checks.stages.gradient import GradientEvidence
from opstudio.checks.stages.layout import LayoutEvidence
from opstudio.checks.stages.meta import MetaEvidence
from opstudio.checks.stages.parity import ParityEvidence
from opstudio.checks.stages.value import ValueEvidence
from opstudio.contract.operator import AttributeKind
from opstudio.diagnosis.recognition import TYPE_REFUSAL
from opstudio.diagnosis.rule import Rule, RuleContext

_KNOWN_ELSEWHERE = (
    "incorrect number of gradients",
    "invalid gradient at index",
    "returned a gradient different",
    "INTERNAL ASSERT",
    "does not require grad",
    "no autograd formula",
    "Could not run '",
)

_CALLS = {
    AttributeKind.INT: "integer",
    AttributeKind.FLOAT: "number",
    AttributeKind.BOOL: "flag",
    AttributeKind.STRING: "text",
    AttributeKind.INTS: "integers",
    AttributeKind.FLOATS: "numbers",
}
_KIND = re.compile(r"attribute (\w+) is of another kind in the contract")
_ABSENT = re.compile(r"there is no (attribute|input|output) (\w+); the contract has")
"""How call.h refuses."""


def check(evidence: Any, context: RuleContext) -> Iterable[Finding]:
    """Tell the first exception of a stage, and which cases share its message."""
    errors = [(case.name, error) for case in evidence.cases if (error := _error_of(case)) is not None]
    errors = [(name, error) for name, error in errors if not _is_known(name, error, context.stage)]
    if not errors:
        return
    name, first = errors[0]
    same = sum(error.message == first.message for _, error in errors)
    role = "backward" if context.stage == "gradient" else "forward"
    yield RULE.finding(
        context,
        cause=f"{first.message}, in {name}" + (f" and {same - 1} more cases" if same > 1 else ""),
        fix=_fix(first.message, context),
        places=[context.place_of_frames(first.thrown_from) or context.place_of_function(role)],
    )


def _fix(message: str, context: RuleContext) -> str:
    """Return the fix of a call that asks for what the contract does not have, or has otherwise."""
    contract = context.contract
    if (found := _KIND.search(message)) is not None:
        kinds = {item.name: item.kind for item in contract.attributes}
        if (kind := kinds.get(found[1])) is not None:
            return f'{found[1]} has type "{kind.value}" in the contract: read it with call.{_CALLS[kind]}("{found[1]}")'
    if (found := _ABSENT.search(message)) is not None:
        known = {
            "attribute": [item.name for item in contract.attributes],
            "input": [item.name for item in contract.inputs],
            "output": [item.name for item in contract.outputs],
        }[found[1]]
        return f"{did_you_mean(found[2], known).capitalize()} Ask for a name that the contract has"
    return "Mend the kernel if the call is allowed; otherwise narrow the contract"


def _error_of(case: Any) -> CallError | None:
    for name in ("error", "real_error", "meta_error"):
        error = getattr(case, name, None)
        if isinstance(error, CallError):
            return error
    return None


def _is_known(name: str, error: CallError, stage: str) -> bool:
    """Whether another rule says more about an error."""
    if stage == "layout" and name.startswith("no elements"):
        return True
    if stage in ("meta", "value", "extreme") and TYPE_REFUSAL.search(error.message):
        return True
    return any(mark in error.message for mark in _KNOWN_ELSEWHERE)


RULE = Rule(
    id="RUN007",
    title="The kernel refuses a call",
    needs=(
        MetaEvidence,
        ValueEvidence,
        LayoutEvidence,
        ExtremeEvidence,
        AliasEvidence,
        GradientEvidence,
        ParityEvidence,
    ),
    check=check,
)
