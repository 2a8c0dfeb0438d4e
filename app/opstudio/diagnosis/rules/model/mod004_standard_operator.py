"""A node of a standard domain that the standard does not know, or not at this version, or not in this form.

## What it finds
Operators of ONNX's own domains and of ``com.microsoft`` that do not exist, that came with a later opset, that were
taken out, or whose inputs and attributes are those of another opset. ONNX's checker and the runtime may disagree about
such a file; what the runtime says counts here.

## Why it happens
An exporter wrote an operator of its own without a domain, a tool changed the number of the opset and left the nodes,
or a node follows an old example.

## How to fix
Move the operator into a domain of its own and import it, export with the opset that has it, or write the nearest
standard operator.

## Source
The runtime's own definitions of operators, at the version that the file imports.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext, NodeGroup, count_nodes, groups
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import ResolvedNode, Step, Unresolved

_MESSAGE = (
    r"In Node, \(\"([^\"]*)\", .{1,200}?, \"\", -1\).{0,4000}? Error No Op registered for (\S+)"
    r" with domain_version of (\d+)"
)


def check(evidence: GraphEvidence | RuntimeMessage, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator once."""
    if isinstance(evidence, RuntimeMessage):
        yield from _told(evidence, context)
        return
    for group in groups(evidence, _concerns):
        yield group.finding(
            RULE,
            context,
            title=_title(group),
            cause=f"{count_nodes(group.nodes)}: {group.fault.reason}",
            fix=_fix(group),
        )


def _told(message: RuntimeMessage, context: Context) -> Iterable[Finding]:
    for match in message.find(_MESSAGE):
        name, kind, version = match.groups()
        yield RULE.finding(
            context,
            title=f"{kind} is no operator of ONNX at opset {version}",
            cause=f"the standard domain has no operator {kind} at opset {version}, which the file imports",
            fix="opstudio graph MODEL tells whether another opset has it; otherwise give it a domain of its own",
            places=[Place(node=name)] if name else [],
        )


def _concerns(item: ResolvedNode, fault: Unresolved) -> bool:
    if fault.library:
        return False
    return fault.step is Step.FORM or (
        not item.node.domain and fault.step in (Step.DOMAIN, Step.OPERATOR, Step.VERSION)
    )


def _title(group: NodeGroup) -> str:
    if group.fault.step is Step.FORM:
        return f"{group.operator} is written in another form than its opset has"
    if group.fault.step is Step.VERSION:
        return f"{group.operator} does not exist at the opset of the file"
    return f"{group.operator} is no operator of ONNX"


def _fix(group: NodeGroup) -> str:
    candidates = group.fault.candidates
    if group.fault.step is Step.VERSION and candidates:
        return f"Export with an opset that has it (it changed at {', '.join(candidates)}), or write it otherwise"
    if group.fault.step is Step.FORM:
        return f"Did you mean {candidates[0]}?" if candidates else "Write the node as the imported opset has it"
    near = f"; did you mean {' or '.join(candidates[:3])}?" if candidates else ""
    return f"Give it a domain of its own and register a library for that{near}"


RULE = Rule(
    id="MOD004",
    title="A standard operator that the runtime does not know",
    needs=(GraphEvidence, RuntimeMessage),
    check=check,
)
