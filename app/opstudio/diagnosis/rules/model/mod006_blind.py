"""Shapes are not known behind a custom operator.

## What it finds
The first nodes of operator libraries from which on ranks are unknown although everything before them is known, and how
many nodes behind them are affected. The model runs; what looks at shapes before it runs does not get far.

## Why it happens
The operator registers no shape inference, and the file declares nothing of its output. Optimisers, quantisers, memory
planners and converters stop at such a node or treat what follows as unknown.

## How to fix
Set ``InferOutputShapeFn`` of the operator, or declare the shape of its output in the file (``value_info``). Libraries
that the studio generates infer shapes by the rules of the contract.

## Source
The runtime's own inference, node by node, with the libraries registered.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Origin, Resolved, ResolvedNode

_MOST_PLACES = 20


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator once, at its first nodes."""
    behind = dict(evidence.shapes.blind) if evidence.shapes is not None else {}
    found: dict[tuple[str, str, str], list[ResolvedNode]] = {}
    for item in evidence.nodes:
        match item.resolution:
            case Resolved(origin=Origin.LIBRARY, library=library) if item.node.offset in behind:
                found.setdefault((item.node.domain, item.node.type, library), []).append(item)
    for (domain, kind, library), nodes in found.items():
        count = sum(behind[item.node.offset] for item in nodes)
        affected = f"{count} node{'' if count == 1 else 's'} behind it" if count else "the outputs of the model"
        yield RULE.finding(
            context,
            title=f"Shapes are not known behind {domain}:{kind}",
            cause=f"{library} infers no shape for it, which leaves {affected} without one",
            fix="Set InferOutputShapeFn of the operator, or declare the shape of its output in the file",
            places=[context.place(item, tensor=next(iter(item.node.outputs), "")) for item in nodes[:_MOST_PLACES]],
            evidence={"domain": domain, "type": kind, "behind": count},
        )


RULE = Rule(
    id="MOD006",
    title="Shapes are not known behind a custom operator",
    needs=GraphEvidence,
    check=check,
    severity=Severity.WARNING,
)
