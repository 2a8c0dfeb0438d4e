"""A node has an input of another type than the operator of the library takes.

## What it finds
The first input whose type differs, and both types.

## Why it happens
The model computes in half or double precision, and the library has a kernel for float only.

## How to fix
Add the type to the contract and build the library again, or put a Cast before the node.

## Source
The library's own description of the operator, and the types in the model.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.models import ModelContext, groups
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Step


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator and type once."""
    for group in groups(evidence, lambda _item, fault: bool(fault.library) and fault.step is Step.TYPES):
        taken = " or ".join(group.fault.candidates)
        yield group.finding(
            RULE,
            context,
            cause=f"{group.operator}: {group.fault.reason} ({group.fault.library})",
            fix=f"Build the library with a kernel for that type, or put a Cast to {taken} before the node",
        )


RULE = Rule(id="ORT006", title="A library has no kernel for the type of an input", needs=GraphEvidence, check=check)
