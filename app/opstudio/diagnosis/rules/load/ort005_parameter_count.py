"""A node has another number of inputs or outputs than the operator of the library.

## What it finds
Nodes of an operator that a library registers, and the numbers on both sides.

## Why it happens
Model and library are of different releases, or an optional input was exported that the library does not know.

## How to fix
Build the library from the contract that the model was exported with, or export again.

## Source
The library's own description of the operator.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.models import ModelContext, groups
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Step


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator once."""
    for group in groups(evidence, lambda _item, fault: bool(fault.library) and fault.step is Step.FORM):
        yield group.finding(
            RULE,
            context,
            cause=f"{group.operator}: {group.fault.reason} ({group.fault.library})",
            fix="Build the library from the contract that the model was exported with, or export again",
        )


RULE = Rule(
    id="ORT005", title="A node and its library differ in the number of inputs", needs=GraphEvidence, check=check
)
