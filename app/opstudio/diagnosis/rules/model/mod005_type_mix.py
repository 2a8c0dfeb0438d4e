"""Types at a node do not fit together.

## What it finds
An input of a type that the operator does not take at its opset, two inputs of different types where the operator asks
for one, or an output that the file declares with another type than the node makes. Also what the call of a function
makes, where neither the file declares its type nor the function's own imports tell it: ONNX Runtime infers it from
these, and they know no operator of a library.

## Why it happens
Part of a model was converted to half precision and the rest was not, or only what it declares; a constant kept the type
that it had in Python.

## How to fix
One Cast at the cheaper place, before the node; or convert the whole model.

## Source
The types in the file, followed through the nodes, against the runtime's definition of the operator; and the runtime's
own inference, node by node.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext, count_nodes, groups
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.fixes.cast_losses import loses_fractions
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Step, Unresolved

_SHOWN_TYPES = 6
_TYPE = re.compile(r"tensor\(\w+\)")

_MIXED = r"Optype \((\w+)\) bound to different types \((\S+) and (\S+) in node \((.*?)\)"
_NOT_TAKEN = r"Type '(.+?)' of input parameter \((.*?)\) of operator \((.+?)\) in node \((.*?)\) is invalid"


def check(evidence: GraphEvidence | RuntimeMessage, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator and mixture once."""
    if isinstance(evidence, RuntimeMessage):
        yield from _told(evidence, context)
        return
    for group in groups(evidence, lambda _item, fault: fault.step is Step.TYPES and not fault.library):
        yield group.finding(
            RULE,
            context,
            title=f"Types do not fit at {group.operator}",
            cause=f"{count_nodes(group.nodes)}: {group.fault.reason}",
            fix=_fix(group.fault),
        )


def _told(message: RuntimeMessage, context: Context) -> Iterable[Finding]:
    for kind, first, second, name in (match.groups() for match in message.find(_MIXED)):
        yield RULE.finding(
            context,
            title=f"Types do not fit at {kind}",
            cause=f"inputs are {first} and {second}; the operator takes one type for both",
            fix=f"Put a Cast to {_wider(first, second)} before the node",
            places=[Place(node=name)] if name else [],
        )
    for type_, value, kind, name in (match.groups() for match in message.find(_NOT_TAKEN)):
        yield RULE.finding(
            context,
            title=f"Types do not fit at {kind}",
            cause=f"the input {value} is {type_}, which the operator does not take at the opset of the file",
            fix="Put a Cast before the node; opstudio graph MODEL tells the types that the operator takes",
            places=[Place(node=name or None, tensor=value or None)],
        )


def _fix(fault: Unresolved) -> str:
    if fault.tensor:
        return f"Declare {fault.tensor} with the type that the node makes, or put a Cast behind the node"
    if not fault.candidates:
        return "Put a Cast before the node, to the type that its operator takes"
    given = _TYPE.findall(fault.reason)
    # Of two types that stand against each other, the candidate is the first.
    if len(given) > 1 and fault.candidates == (given[0],):
        return f"Put a Cast to {_wider(*given[:2])} before the node"
    kept = [text for text in fault.candidates if not (given and loses_fractions(given[0], text))]
    shown = " or ".join((kept or fault.candidates)[:_SHOWN_TYPES])
    more = " …" if len(kept or fault.candidates) > _SHOWN_TYPES else ""
    if not kept:
        return f"Make the value {shown}{more} where it comes from; a Cast would lose its fractions"
    return f"Put a Cast to {shown}{more} before the node"


def _wider(first: str, second: str) -> str:
    """Return the one of two types to which the other is cast: never from fractions to whole numbers."""
    return second if loses_fractions(second, first) else first


RULE = Rule(
    id="MOD005", title="Types at a node do not fit together", needs=(GraphEvidence, RuntimeMessage), check=check
)
