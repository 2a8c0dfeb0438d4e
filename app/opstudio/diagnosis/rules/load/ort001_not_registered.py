"""Nobody who is loaded implements an operator of a domain of its own.

## What it finds
Nodes whose domain no runtime and no library provides, or provides without an operator of that name. ONNX Runtime says
of one of them only ``is not a registered function/op``. Functions of the file that call themselves, or one another so
often that no memory holds what they expand into, are told here as well.

## Why it happens
The operator library was not registered before the session was made, it is another one, or the names differ in a letter:
domain and operator are compared exactly, capitals included. Of a domain of ONNX Runtime itself, this release has no
such operator: the name is wrong, or it came later or was taken out.

## How to fix
Register the library first: ``SessionOptions.register_custom_ops_library(path)``. Where a name is nearly right, correct
it in the model or in the library. Where a standard operator computes the same, write that. Where the workspace has a
contract of the operator, a release of it is the library. In a domain of the runtime no library helps: correct the name,
or use a release of ONNX Runtime that has the operator.

## Source
The runtime's own list of operators, the operators that the named libraries register, and the workspace's contracts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opstudio.base.finding import Finding
from opstudio.diagnosis.contract_differences import how_to_build
from opstudio.diagnosis.missing_domains import domains_without_library, how_to_register
from opstudio.diagnosis.models import ModelContext, NodeGroup, count_nodes, groups
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.known_domains import how_to_get
from opstudio.model.resolution.records import ResolvedNode, Step, Unresolved
from opstudio.model.resolution.unexpanded import is_unexpanded

_MESSAGE = r"(\S*):(\w+)\(-?\d+\) is not a registered function/op"


def check(evidence: GraphEvidence | RuntimeMessage, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator once."""
    if isinstance(evidence, RuntimeMessage):
        yield from _told(evidence, context)
        return
    together = domains_without_library(evidence)
    for group in groups(evidence, _concerns):
        if group.fault.step is Step.DOMAIN and group.domain in together:
            continue  # ORT002 tells all of them at once
        yield group.finding(
            RULE,
            context,
            title=_title(evidence, group),
            cause=f"{count_nodes(group.nodes)}: {group.fault.reason}{_asked(evidence)}",
            fix=_fix(evidence, group),
        )


def _told(message: RuntimeMessage, context: Context) -> Iterable[Finding]:
    for match in message.find(_MESSAGE):
        domain, kind = match.groups()
        yield RULE.finding(
            context,
            title=f"Nobody implements {domain}:{kind}",
            cause=f"no library that was registered has the operator {kind} of the domain {domain}, to the letter",
            fix=how_to_get(domain, kind) or how_to_register(domain),
        )


def _concerns(item: ResolvedNode, fault: Unresolved) -> bool:
    return bool(item.node.domain) and fault.step in (Step.DOMAIN, Step.OPERATOR, Step.VERSION) and not fault.library


def _asked(evidence: GraphEvidence) -> str:
    libraries = evidence.catalogue.libraries
    return f"; {len(libraries)} operator libraries were asked" if len(libraries) > 1 else ""


def _title(evidence: GraphEvidence, group: NodeGroup) -> str:
    if is_unexpanded(evidence.model, group.nodes[0]):
        return f"The function {group.operator} cannot be expanded"
    return f"Nobody implements {group.operator}"


def _fix(evidence: GraphEvidence, group: NodeGroup) -> str:
    if is_unexpanded(evidence.model, group.nodes[0]):
        return "Correct the functions of the file, which a runtime writes out call by call, or export again"
    if group.fault.contract:
        return how_to_build(evidence, group.domain, group.type)
    near = [name for name in group.fault.candidates if name and name != group.domain]
    if group.domain in evidence.catalogue.runtime_domains:
        return _fix_name(evidence, group, near)
    if group.fault.step is Step.OPERATOR and near:
        return f"Did you mean {' or '.join(near[:3])}? Names are compared letter by letter"
    return how_to_get(group.domain, group.type) or _fix_domain(evidence, group, near)


def _fix_domain(evidence: GraphEvidence, group: NodeGroup, near: Sequence[str]) -> str:
    """Return what to do about an operator of a domain that nobody knows."""
    offering = [name for name in evidence.catalogue.domains_of(group.type) if name != group.domain]
    if offering:
        return f"{group.type} is an operator of {' and of '.join(name or 'ai.onnx' for name in offering)}: is it meant?"
    if group.fault.step is Step.DOMAIN and near:
        otherwise = f"Otherwise register the library that brings {group.domain}"
        return f"Did you mean the domain {near[0]}? {how_to_get(near[0], group.type) or otherwise}"
    return how_to_register(group.domain)


def _fix_name(evidence: GraphEvidence, group: NodeGroup, near: Sequence[str]) -> str:
    """Return what to do about an operator of a domain that is the runtime's own: no library brings it."""
    if group.fault.step is Step.VERSION and near:
        return f"Export with a version of {group.domain} that has it (it changed at {', '.join(near)})"
    if near:
        newer = "otherwise use a newer ONNX Runtime, if one has it"
        return f"Did you mean {' or '.join(near[:3])}? Names are compared letter by letter; {newer}"
    return how_to_get(group.domain, group.type) or (
        f"Correct the name, or use a newer ONNX Runtime than {evidence.catalogue.tables.release}, if one has it"
    )


RULE = Rule(id="ORT001", title="Nobody implements an operator", needs=(GraphEvidence, RuntimeMessage), check=check)
