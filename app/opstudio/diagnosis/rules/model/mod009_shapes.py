"""Shapes at a node do not fit together.

## What it finds
Nodes that the runtime refuses for the shapes that reach them: sizes that do not multiply, a rank that the operator does
not take, an axis that is not there. The shapes of all inputs are told as far as they are known.

## Why it happens
A shape was edited or a weight replaced, two models were joined that do not fit, or a size was fixed at export that the
rest of the model does not share.

## How to fix
Follow the input whose shape is not the one you expect back to where it is made; correct the shape there, or export
again with that axis dynamic.

## Source
The runtime's own inference, asked of each node with the shapes that reach it; no session of the model is made.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext, NodeGroup, count_nodes, groups, node_title
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Step

_MESSAGE = r"Node \(([^)]*)\) Op \((\w+)\) \[ShapeInferenceError\] (.+)"


def check(evidence: GraphEvidence | RuntimeMessage, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator and refusal once."""
    if isinstance(evidence, RuntimeMessage):
        yield from _told(evidence, context)
        return
    for group in groups(evidence, lambda _item, fault: fault.step is Step.SHAPES):
        yield group.finding(
            RULE,
            context,
            title=f"Shapes do not fit at {group.operator}",
            cause=f"{count_nodes(group.nodes)}: {group.fault.reason}{_where(group)}",
            fix="Correct the shape where the input that is not as expected is made, or export again",
        )


def _told(message: RuntimeMessage, context: Context) -> Iterable[Finding]:
    for match in message.find(_MESSAGE):
        yield RULE.finding(
            context,
            title=f"Shapes do not fit at {match[2]}",
            cause=match[3],
            fix="Hold the file against the runtime: opstudio graph MODEL tells the shapes that reach the node",
            places=[Place(node=match[1])] if match[1] else [],
        )


def _where(group: NodeGroup) -> str:
    """Return the shapes at the first of the nodes."""
    remark = group.nodes[0].remark
    which = f"at {node_title(group.nodes[0])}, " if len(group.nodes) > 1 else ""
    return f" ({which}{remark})" if remark else ""


RULE = Rule(
    id="MOD009", title="Shapes at a node do not fit together", needs=(GraphEvidence, RuntimeMessage), check=check
)
