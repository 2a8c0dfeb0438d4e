"""The runtime could not be asked about all nodes: it ended at one of them, or there are too many different ones.

## What it finds
The node at which the runtime, or an operator library in it, ended its process; and how many nodes were not asked about
because the model has more different ones than the studio asks for.

## Why it happens
An operator library crashes when a kernel of it is made; the file was made to break the runtime.

## How to fix
Mend the library where the signal is told; do not load the file elsewhere before you know where it comes from.

## Source
A process of its own in which the runtime is asked about one node after the other.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place, Severity
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell how it ended, or what was left out."""
    shapes = evidence.shapes
    if shapes is None:
        return
    if shapes.ended:
        yield RULE.finding(
            context,
            cause=f"while it was asked about the nodes one by one ({shapes.ended})",
            fix="Mend the operator library, or leave out the node; a session would end as well",
            places=[Place(file=context.file)],
        )
    elif shapes.left_out:
        yield RULE.finding(
            context,
            title="Not all nodes were asked about",
            cause=f"the model has many different nodes: the shapes of {shapes.left_out:,} are not known",
            fix="Their types were checked; load the model to be sure",
            places=[Place(file=context.file)],
            severity=Severity.NOTE,
        )


RULE = Rule(id="ORT021", title="The runtime ended", needs=GraphEvidence, check=check)
