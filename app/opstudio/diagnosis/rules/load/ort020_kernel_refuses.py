"""A kernel exists and does not let itself be made for the node.

## What it finds
Nodes that pass every check of their definition and that the kernel refuses all the same, in the kernel's words: it asks
for an attribute that the definition leaves open, or for a value that it can work with.

## Why it happens
The definition calls an attribute optional and the kernel does not, as with some operators of ``com.microsoft`` and with
operators of libraries that read attributes without a default.

## How to fix
Give the node the attribute that the message names. In a library of your own, read it with a default.

## Source
A session of the runtime with a model that has this node alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.models import ModelContext, count_nodes, groups
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Step

_ATTRIBUTE = re.compile(r"GetAttrs?(?:<.*?>)?\(\"(\w+)\"|[Aa]ttribute with name:'(\w+)'")


def check(evidence: GraphEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator and refusal once."""
    for group in groups(evidence, lambda _item, fault: fault.step is Step.CREATION):
        whose = f"the library {group.fault.library}" if group.fault.library else "the runtime"
        yield group.finding(
            RULE,
            context,
            title=f"The kernel of {group.operator} refuses the node",
            cause=f"{count_nodes(group.nodes)}: the kernel of {whose} says: {group.fault.reason}",
            fix=_fix(group.fault.reason),
        )


def _fix(reason: str) -> str:
    names = list(dict.fromkeys(name for match in _ATTRIBUTE.finditer(reason) for name in match.groups() if name))
    if not names:
        return "Give the node the attributes that its kernel asks for"
    return f"Give the node the attribute {' or '.join(names)}"


RULE = Rule(id="ORT020", title="A kernel refuses a node", needs=GraphEvidence, check=check)
