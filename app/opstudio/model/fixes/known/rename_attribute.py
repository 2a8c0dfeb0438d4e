"""Renames an attribute of nodes: a name that the definition of the operator, or its contract, does not have.

## When it is offered
An attribute that the operator's definition, or its contract in the workspace, does not have, where one of a name that
comes near is free and the node is right with it.

## What it changes
The name of the attribute, in all nodes of the operator.

## What it never touches
The attribute's value; nodes that have both names; calls of functions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from opstudio.base.finding import Finding
from opstudio.base.names import nearest_names
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused, wrong_parameters
from opstudio.model.fixes.model_places import open_fields
from opstudio.model.fixes.node_context import fault_groups, is_call, would_be
from opstudio.model.fixes.node_edits import renamed_attribute
from opstudio.model.fixes.parameters import operator_text, split_operator, split_pair
from opstudio.model.graph.records import NodeRecord
from opstudio.model.resolution.contracts import differences
from opstudio.model.resolution.records import ContractDifference, Resolved, ResolvedNode, Step

_ID, _FORM = "rename-attribute", "DOMAIN:TYPE.OLD=NEW"


def _offers(target: FixTarget) -> Iterator[Offer]:
    for group in fault_groups(target):
        if group.fault.step is not Step.FORM or group.fault.library:
            continue
        node = group.nodes[0].node
        known = _defined(target, group.nodes[0])
        for old in (item.name for item in node.attributes if item.name not in known):
            free = known - {item.name for item in node.attributes}
            for new in dict.fromkeys((*group.fault.candidates, *nearest_names(old, free))):
                if _fits(target, group.nodes, old, new):
                    operator = operator_text(group.domain, group.operator)
                    yield Offer(
                        id=f"{_ID}:{operator}.{old}={new}",
                        title=f"Call the attribute {old} of {operator} {new}",
                        solves=target.findings_of(group.domain, group.operator, group.fault),
                    )
    yield from _by_contract(target)


def _by_contract(target: FixTarget) -> Iterator[Offer]:
    """Yield the names that a contract of the workspace nearly has: runtimes pass over such attributes in silence."""
    seen: set[str] = set()
    for item in target.evidence.nodes:
        contract = target.contract(item.node.domain, item.node.type)
        if contract is None:
            continue
        given = {attribute.name for attribute in item.node.attributes}
        free = {attribute.name for attribute in contract.attributes} - given
        for old in sorted(given - {attribute.name for attribute in contract.attributes}):
            operator = operator_text(item.node.domain, item.node.type)
            for new in nearest_names(old, free, most=1):
                identifier = f"{_ID}:{operator}.{old}={new}"
                if identifier not in seen:
                    seen.add(identifier)
                    yield Offer(
                        id=identifier,
                        title=f"Call the attribute {old} of {operator} {new}, as the contract does",
                        solves=_solved_by_contract(target, item.node.domain, item.node.type, old, new),
                        notes=("ONNX Runtime passes over attributes that an operator of a library does not know",),
                    )


def _solved_by_contract(target: FixTarget, domain: str, operator: str, old: str, new: str) -> tuple[Finding, ...]:
    """Return the findings about differences from a contract that are gone when an attribute has another name.

    A finding is about all nodes with one difference: it is gone where none of them keeps it or gets another one.
    """
    known = target.catalogue.contract(domain, operator)
    kept: set[ContractDifference] = set()
    found: set[ContractDifference] = set()
    for item, difference in target.evidence.differences:
        if known is None or (item.node.domain, item.node.type) != (domain, operator):
            continue
        found.add(difference)
        before = set(differences(known, item.node, item.input_types))
        after = set(differences(known, _renamed_once(item.node, old, new), item.input_types))
        if difference in after or after - before:
            kept.add(difference)
    return tuple(
        finding
        for finding in target.findings
        if any(
            finding.evidence.get("contract") == difference.contract and finding.cause.endswith(f": {difference.reason}")
            for difference in found - kept
        )
    )


def _renamed_once(node: NodeRecord, old: str, new: str) -> NodeRecord:
    """Return a node with an attribute of another name, unless it has both: then it stays as it is."""
    names = {item.name for item in node.attributes}
    return _renamed(node, old, new) if new not in names else node


def _defined(target: FixTarget, item: ResolvedNode) -> set[str]:
    newest = target.catalogue.tables.newest_opsets.get(item.node.domain, 1)
    version = target.model.opsets.get(item.node.domain, newest)
    schema = target.catalogue.schema(item.node.domain, item.node.type, version)
    return {attribute.name for attribute in schema.attributes} if schema else set()


def _fits(target: FixTarget, items: Iterable[ResolvedNode], old: str, new: str) -> bool:
    return all(
        old in {attribute.name for attribute in item.node.attributes}
        and new not in {attribute.name for attribute in item.node.attributes}
        and isinstance(would_be(target, item, node=_renamed(item.node, old, new)), Resolved)
        for item in items
    )


def _renamed(node: NodeRecord, old: str, new: str) -> NodeRecord:
    attributes = (dataclasses.replace(item, name=new) if item.name == old else item for item in node.attributes)
    return dataclasses.replace(node, attributes=tuple(attributes))


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    first, new = split_pair(_ID, parameters, _FORM)
    operator, _, old = first.rpartition(".")
    domain, name = split_operator(_ID, operator, _FORM)
    if not old or old == new:
        raise wrong_parameters(_ID, parameters, _FORM)
    items = [
        item
        for item in target.evidence.nodes
        if (item.node.domain, item.node.type) == (domain, name)
        and not is_call(target, item.node)
        and any(attribute.name == old for attribute in item.node.attributes)
    ]
    twice = [item for item in items if any(attribute.name == new for attribute in item.node.attributes)]
    if not items or twice:
        raise refused(
            f"The attribute {old} of {operator_text(domain, name)} cannot be called {new}",
            cause=f"{len(twice)} nodes have both" if twice else f"no node of it has an attribute {old}",
            fix="Take an id that opstudio fix lists",
        )
    with open_fields(target.model) as reader:
        return [renamed_attribute(reader, item, old, new) for item in items]


FIX = Fix(id=_ID, title="Rename an attribute of nodes", form=_FORM, offers=_offers, edits=_edits)
