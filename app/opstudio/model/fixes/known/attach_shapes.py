"""Describes type and shape of what nodes of an operator make, by its contract; shape inference would end there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

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
    by_operator: dict[str, int] = {}
    for item in _describe(target):
        operator = operator_text(item.node.domain, item.node.type)
        by_operator[operator] = by_operator.get(operator, 0) + 1
    for operator, count in by_operator.items():
        yield Offer(
            id=f"{_ID}:{operator}",
            title=f"Describe what nodes of {operator} make, by its contract: {count} value{'s' if count > 1 else ''}",
            notes=("tools that do not know the operator cannot infer shapes behind it",),
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
