"""Several nodes of a graph have one name.

## What it finds
Names that more than one node of the main graph has. ONNX Runtime refuses the file.

## Why it happens
Two models were joined, or a tool copied nodes with their names.

## How to fix
Give each node a name of its own, or none.

## Source
The names in the file.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.file_checks import FileProblemKind

_MOST_PLACES = 20

_MESSAGE = r"two nodes with same node name \((.*?)\)\."


def check(evidence: GraphEvidence | RuntimeMessage, context: ModelContext) -> Iterable[Finding]:
    """Tell all names at once."""
    if isinstance(evidence, RuntimeMessage):
        yield from _told(evidence, context)
        return
    names = [problem for problem in evidence.problems if problem.kind is FileProblemKind.NODE_NAMES]
    if names:
        more = f", and {len(names) - 1} more names occur several times" if len(names) > 1 else ""
        yield RULE.finding(
            context,
            cause=f"{names[0].reason}{more}",
            fix="Give each node a name of its own, or none",
            places=[Place(file=context.file, node=problem.subject) for problem in names[:_MOST_PLACES]],
        )


def _told(message: RuntimeMessage, context: Context) -> Iterable[Finding]:
    for match in message.find(_MESSAGE):
        yield RULE.finding(
            context,
            cause=f"two nodes have the name {match[1]}",
            fix="Give each node a name of its own: opstudio fix MODEL --apply unique-names -o NEW.onnx",
            places=[Place(node=match[1])],
        )


RULE = Rule(id="MOD008", title="Nodes share a name", needs=(GraphEvidence, RuntimeMessage), check=check)
