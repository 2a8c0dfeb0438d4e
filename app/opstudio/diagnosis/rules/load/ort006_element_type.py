"""A node has an input of another type than the operator of the library, or of the contract, takes.

## What it finds
Inputs whose type differs, and both types: against the library that is registered, and against the contract of the
workspace, where it has one for the operator.

## Why it happens
The model computes in half or double precision, and the library has a kernel for float only.

## How to fix
Add the type to the contract and build the library again, or put a Cast before the node.

## Source
The library's own description of the operator, the contract, and the types in the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opstudio.base.finding import Finding
from opstudio.diagnosis.contract_differences import contract_groups
from opstudio.diagnosis.models import ModelContext, groups
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import DifferenceKind, Step


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator and type once."""
    for group in groups(evidence, lambda _item, fault: bool(fault.library) and fault.step is Step.TYPES):
        yield group.finding(
            RULE,
            context,
            cause=f"{group.operator}: {group.fault.reason} ({group.fault.library})",
            fix=f"Build the library with a kernel for that type, or put a Cast{_to(group.fault.candidates)}",
        )
    for differing in contract_groups(evidence, DifferenceKind.TYPE):
        yield differing.finding(
            RULE,
            context,
            title=f"{differing.operator} takes no input of that type by its contract",
            fix=f"Add the type to the contract of {differing.difference.contract} and build it again, or put a "
            f"Cast{_to(differing.difference.candidates)}",
        )


def _to(types: Sequence[str]) -> str:
    return f" to {' or '.join(types)} before the node" if types else " before the node"


RULE = Rule(id="ORT006", title="A library has no kernel for the type of an input", needs=GraphEvidence, check=check)
