"""A node has other inputs, outputs or attributes than the operator of its library or contract.

## What it finds
Nodes of an operator that a library registers, and the numbers on both sides; where the workspace has a contract of the
operator, also attributes that are missing, of another kind, or that the contract does not know, which ONNX Runtime
passes over in silence.

## Why it happens
Model and library are of different releases, an optional input was exported that the library does not know, or a
translation wrote attributes under other names.

## How to fix
Build the library from the contract that the model was exported with, or export again.

## Source
The library's own description of the operator, and the contract of the workspace.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.contract_differences import contract_groups
from opstudio.diagnosis.models import ModelContext, groups
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import DifferenceKind, Step


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator once."""
    for group in groups(evidence, lambda _item, fault: bool(fault.library) and fault.step is Step.FORM):
        yield group.finding(
            RULE,
            context,
            cause=f"{group.operator}: {group.fault.reason} ({group.fault.library})",
            fix="Build the library from the contract that the model was exported with, or export again",
        )
    counted = {id(item) for item, fault in evidence.unresolved() if fault.library and fault.step is Step.FORM}
    for kind, what in ((DifferenceKind.COUNT, "inputs or outputs"), (DifferenceKind.ATTRIBUTE, "attributes")):
        for differing in contract_groups(evidence, kind):
            if kind is DifferenceKind.COUNT and all(id(item) in counted for item in differing.nodes):
                continue
            yield differing.finding(
                RULE,
                context,
                title=f"{differing.operator} has other {what} than its contract",
                fix=f"Export again with the contract of {differing.difference.contract} as it is now, or correct the "
                "translation that writes the node",
            )


RULE = Rule(
    id="ORT005", title="A node and its library differ in the number of inputs", needs=GraphEvidence, check=check
)
