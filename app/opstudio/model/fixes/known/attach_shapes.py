"""Describes type and shape of what nodes of an operator make, by its contract; shape inference would end there.

## When it is offered
Nodes of an operator that a contract of the workspace describes, where the contract says more of what they make than the
file does.

## What it changes
Type and shape of these values are written into the main graph's descriptions.

## What it never touches
Nodes; values in nested graphs and functions; descriptions that say as much already; weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from opstudio.base.finding import Finding
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused
from opstudio.model.fixes.model_places import find_places, find_values, open_fields
from opstudio.model.fixes.parameters import operator_text, split_operator
from opstudio.model.fixes.value_edits import added_value, retyped_value
from opstudio.model.graph.records import NodeRecord
from opstudio.model.graph.value_types import TensorType
from opstudio.model.runtime.element_types import element_type_number
from opstudio.model.shapes.records import ValueOrigin

_ID, _FORM = "attach-shapes", "DOMAIN:TYPE"


class _Described(NamedTuple):
    """A value of which more is known than the file says."""

    node: NodeRecord
    name: str
    type: TensorType


def _offers(target: FixTarget) -> Iterator[Offer]:
    by_operator: dict[tuple[str, str], list[_Described]] = {}
    for item in _describe(target):
        by_operator.setdefault((item.node.domain, item.node.type), []).append(item)
    for (domain, kind), described in by_operator.items():
        operator, count = operator_text(domain, kind), len(described)
        yield Offer(
            id=f"{_ID}:{operator}",
            title=f"Describe what nodes of {operator} make, by its contract: {count} value{'s' if count > 1 else ''}",
            solves=_solved(target, domain, kind, described),
            notes=("tools that do not know the operator cannot infer shapes behind it",),
        )


def _solved(target: FixTarget, domain: str, kind: str, described: Iterable[_Described]) -> tuple[Finding, ...]:
    """Return the findings about unknown shapes behind an operator, where each of the nodes is described.

    Nodes in nested graphs and functions, and shapes that the contract cannot tell, stay as they are.
    """
    blind = {node for node, _ in target.evidence.shapes.blind} if target.evidence.shapes is not None else set()
    shaped = {(item.node.offset, item.name) for item in described if item.type.shape is not None}
    nodes = [item.node for item in target.nodes_of(domain) if item.node.type == kind and item.node.offset in blind]
    if not nodes or not all((node.offset, name) in shaped for node in nodes for name in node.outputs if name):
        return ()
    return tuple(
        finding
        for finding in target.findings
        if "behind" in finding.evidence
        and (finding.evidence.get("domain"), finding.evidence.get("type")) == (domain, kind)
    )


def _describe(target: FixTarget) -> Iterator[_Described]:
    """Yield the values of the main graph that contracts say more of than the file."""
    graph = target.model.graph
    declared = {value.name: value.type for value in (*graph.value_infos, *graph.outputs)}
    for node in graph.nodes:
        if target.contract(node.domain, node.type) is None:
            continue
        for slot, name in enumerate(node.outputs):
            known = target.evidence.inferred(node, slot)
            if not name or known is None or known.origin is not ValueOrigin.CONTRACT:
                continue
            kind = TensorType(element_type=element_type_number(known.type), shape=known.shape)
            if kind.element_type and _says_more(kind, declared.get(name)):
                yield _Described(node, name, kind)


def _says_more(kind: TensorType, declared: object) -> bool:
    if not isinstance(declared, TensorType) or not declared.element_type:
        return True
    return kind.shape is not None and declared.shape is None


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    domain, operator = split_operator(_ID, parameters, _FORM)
    if target.contract(domain, operator) is None:
        raise refused(
            f"No contract describes {operator_text(domain, operator)}",
            cause="the workspace has no operator of that domain and ONNX name",
            fix="Choose the workspace that has it: -C DIR",
        )
    chosen = [item for item in _describe(target) if (item.node.domain, item.node.type) == (domain, operator)]
    if not chosen:
        raise refused(
            f"There is nothing to describe behind {operator_text(domain, operator)}",
            cause="the file says as much as the contract can, or the types of the inputs are not known",
            fix="Take an id that opstudio fix lists",
        )
    graph = find_places(target.model).graph
    present = {place.name: place for place in find_values(target.model, graph)}
    with open_fields(target.model) as reader:
        for item in chosen:
            place = present.get(item.name)
            if place is None:
                yield added_value(graph, item.name, item.type)
            else:
                yield retyped_value(reader, place, item.type)


FIX = Fix(
    id=_ID, title="Describe what nodes make, by the contract of the operator", form=_FORM, offers=_offers, edits=_edits
)
