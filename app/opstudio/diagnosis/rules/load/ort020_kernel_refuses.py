"""A kernel exists and does not let itself be made for the node.

## What it finds
Nodes that pass every check of their definition and that the kernel refuses all the same, in the kernel's words: it asks
for an attribute that the definition leaves open, or does not know the value of one: ``auto_pad`` with a word that is
mistyped, a size that must be odd.

## Why it happens
The definition calls an attribute optional and the kernel does not, as with some operators of ``com.microsoft`` and with
operators of libraries that read attributes without a default. Which words an attribute takes is no part of a
definition, so that a wrong one is found only where the kernel is made.

## How to fix
Correct the value that the message names, to the letter: words are compared exactly, capitals included. Where an
attribute is missing, give it to the node; in a library of your own, read it with a default.

## Source
A session of the runtime with a model that has this node alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opstudio.base.finding import Finding
from opstudio.diagnosis.models import ModelContext, NodeGroup, count_nodes, groups
from opstudio.diagnosis.refused_values import RefusedValue, lacking_attributes, refused_values
from opstudio.diagnosis.rule import Rule
from opstudio.diagnosis.wording import join_names
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Step

_MOST_NODES = 20
_CONDITION = "was false."


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator and refusal once."""
    for group in groups(evidence, lambda _item, fault: fault.step is Step.CREATION):
        reason = group.fault.reason
        whose = f"the library {group.fault.library}" if group.fault.library else "the runtime"
        lacking = lacking_attributes(group.nodes[0].node, reason)
        refused = [] if lacking else _refused(evidence, group)
        says = f"the kernel of {whose} says: {reason}"
        if refused:
            says = f"the kernel of {whose} does not take that {join_names([_told(item) for item in refused])}"
            # Of words, a condition of the kernel's source says no more than that.
            is_said = reason.endswith(_CONDITION) and any(item.words for item in refused)
            says += "" if is_said else f"; it says: {reason}"
        yield group.finding(
            RULE,
            context,
            title=f"The kernel of {group.operator} refuses the node",
            cause=f"{count_nodes(group.nodes)}: {says}",
            fix=_fix(lacking, refused),
        )


def _refused(evidence: GraphEvidence, group: NodeGroup) -> list[RefusedValue]:
    """Return the values that are refused, of all nodes: those of functions run at the model's opset as well."""
    found: dict[RefusedValue, None] = {}
    for item in group.nodes[:_MOST_NODES]:
        found.update(dict.fromkeys(refused_values(item.node, group.fault.reason, evidence.model.opsets.get(""))))
    return list(found)


def _told(item: RefusedValue) -> str:
    return f"{item.name} is {item.value}"


def _fix(lacking: Sequence[str], refused: Sequence[RefusedValue]) -> str:
    if lacking:
        return f"Give the node the attribute {' or '.join(lacking)}"
    if not refused:
        return "Give the node the attributes that its kernel asks for, with values that it knows"
    parts: dict[str, None] = {}
    for item in refused:
        meant = f", to {item.meant}" if item.meant else ""
        takes = f"; it takes {', '.join(item.words)}" if item.words else ""
        parts[f"the value of {item.name}{meant}{takes}"] = None
    return f"Correct {join_names(list(parts))}"


RULE = Rule(id="ORT020", title="A kernel refuses a node", needs=GraphEvidence, check=check)
