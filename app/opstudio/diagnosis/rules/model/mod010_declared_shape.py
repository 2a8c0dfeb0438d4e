"""The file declares another shape of a value than its node makes.

## What it finds
Values whose declared rank or size contradicts what the runtime infers, the first of them in the order of the nodes.

## Why it happens
A tool changed the graph and left the old declarations, or a shape was written down for one size of input. ONNX Runtime
warns, forgets the sizes that differ and goes on; converters and planners of memory believe the file.

## How to fix
Drop the declarations (``value_info``) and infer them again, or correct the one of an output of the model.

## Source
The runtime's own inference, node by node, against what the file declares.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.shapes.records import shape_text

_MOST_PLACES = 20


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell the first value, and where the others are."""
    found = evidence.shapes.contradictions if evidence.shapes is not None else ()
    if not found:
        return
    first, nodes = found[0], {item.node.offset: item for item in evidence.nodes}
    more = f"; so it is with {len(found) - 1} more" if len(found) > 1 else ""
    declared, inferred = shape_text(first.declared), shape_text(first.inferred)
    yield RULE.finding(
        context,
        cause=f"the file says {declared} of {first.tensor}, its node makes {inferred}{more}",
        fix="Infer the shapes of the file again, or correct the declared one",
        places=[
            context.place(nodes[item.node], tensor=item.tensor) for item in found[:_MOST_PLACES] if item.node in nodes
        ],
        evidence={"values": len(found)},
    )


RULE = Rule(
    id="MOD010",
    title="A declared shape contradicts the node that makes the value",
    needs=GraphEvidence,
    check=check,
    severity=Severity.WARNING,
)
