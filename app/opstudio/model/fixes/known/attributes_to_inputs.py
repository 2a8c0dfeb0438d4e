"""Makes attributes inputs, where an operator took them as attributes before the opset that the file imports.

## When it is offered
Nodes of standard operators with attributes that became inputs before the opset that the file imports (axes of
ReduceSum, min and max of Clip), where it is certain that the node is right afterwards.

## What it changes
A Constant with the attribute's value is put before the node, its output becomes the input, and the attribute goes.

## What it never touches
The value itself; other attributes; nodes in functions, where the types of a call decide; the import of the opset.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused
from opstudio.model.fixes.model_places import find_places, open_fields
from opstudio.model.fixes.moved_attributes import MOVED, constant_of
from opstudio.model.fixes.new_nodes import FreshNames, NewTensor, constant_node, node_behind, with_inputs
from opstudio.model.fixes.node_context import FaultGroup, fault_groups, function_of, is_call, would_be
from opstudio.model.fixes.node_places import find_nodes
from opstudio.model.fixes.parameters import operator_text, split_operator
from opstudio.model.resolution.records import Resolved, ResolvedNode, Step
from opstudio.model.runtime.element_types import element_type_text

_ID, _FORM = "attributes-to-inputs", "DOMAIN:TYPE"


class _Move(NamedTuple):
    """An attribute, the input that it becomes, and the constant for it."""

    attribute: str
    slot: int
    tensor: NewTensor


def _offers(target: FixTarget) -> Iterator[Offer]:
    by_operator: dict[str, list[FaultGroup]] = {}
    for group in fault_groups(target):
        if not group.domain and group.operator in MOVED and group.fault.step is Step.FORM:
            by_operator.setdefault(group.operator, []).append(group)
    for operator, groups in by_operator.items():
        mended = [group for group in groups if all(_moves(target, item) for item in group.nodes)]
        if mended:
            names = dict.fromkeys(move.attribute for move in _moves(target, mended[0].nodes[0]))
            yield Offer(
                id=f"{_ID}:{operator_text('', operator)}",
                title=f"Give nodes of {operator} {', '.join(names)} as input{'s' if len(names) > 1 else ''}, as the "
                "imported opset has it",
                solves=tuple(finding for group in mended for finding in target.findings_of("", operator, group.fault)),
            )


def _moves(target: FixTarget, item: ResolvedNode) -> tuple[_Move, ...]:
    """Return what is to be moved of a node; nothing where it is not certain that the node is right afterwards.

    In a function, the types of a call decide: nodes there stay as they are.
    """
    node = item.node
    table = {} if node.domain else MOVED.get(node.type, {})
    version = target.model.opsets.get("", 0)
    schema = target.catalogue.schema(node.domain, node.type, version) if table else None
    if schema is None or isinstance(item.resolution, Resolved) or function_of(item) or is_call(target, node):
        return ()
    known = {attribute.name for attribute in schema.attributes}
    slots = {parameter.name: slot for slot, parameter in enumerate(schema.inputs)}
    data_type = next(iter(item.input_types), "")
    found: list[_Move] = []
    for attribute in node.attributes:
        if attribute.name in known:
            continue
        moved = table.get(attribute.name)
        slot = slots.get(moved.input) if moved is not None else None
        if moved is None or slot is None or (slot < len(node.inputs) and node.inputs[slot]):
            return ()
        tensor = constant_of(moved, attribute, data_type)
        if tensor is None or slot in (move.slot for move in found):
            return ()
        found.append(_Move(attribute.name, slot, tensor))
    found.sort(key=lambda move: move.slot)
    return tuple(found) if found and _resolves(target, item, found) else ()


def _resolves(target: FixTarget, item: ResolvedNode, moves: Iterable[_Move]) -> bool:
    """Whether somebody would implement the node after the move."""
    types = {move.slot: element_type_text(move.tensor.element_type) for move in moves}
    gone = {move.attribute for move in moves}
    node = dataclasses.replace(
        item.node,
        inputs=with_inputs(item.node.inputs, dict.fromkeys(types, "constant")),
        attributes=tuple(attribute for attribute in item.node.attributes if attribute.name not in gone),
    )
    changed = dataclasses.replace(item, node=node, input_types=with_inputs(item.input_types, types))
    return isinstance(would_be(target, changed), Resolved)


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    domain, operator = split_operator(_ID, parameters, _FORM)
    chosen = [
        (item, moves)
        for item in target.evidence.nodes
        if (item.node.domain, item.node.type) == (domain, operator) and (moves := _moves(target, item))
    ]
    if not chosen:
        raise refused(
            f"No attribute of {operator_text(domain, operator)} can be made an input",
            cause="no node of it has an attribute that the imported opset has as an input, or its value or the type of "
            "the node's data is not known here",
            fix="Take an id that opstudio fix lists",
        )
    names = FreshNames(target.model)
    graph = find_places(target.model).graph
    with open_fields(target.model) as reader:
        places = find_nodes(reader, graph, (item.node for item, _ in chosen))
        return [
            node_behind(
                reader,
                places[item.node.offset],
                item,
                {
                    move.slot: constant_node(names.take(f"{_title(item)}_{move.attribute}"), move.tensor)
                    for move in moves
                },
                words=_words([move.attribute for move in moves]),
                without={move.attribute for move in moves},
            )
            for item, moves in chosen
        ]


def _words(names: Sequence[str]) -> str:
    return f"{', '.join(names)} become{'s an input' if len(names) == 1 else ' inputs'}"


def _title(item: ResolvedNode) -> str:
    return item.node.name or next((name for name in item.node.outputs if name), item.node.type)


FIX = Fix(id=_ID, title="Make attributes inputs, as a later opset has them", form=_FORM, offers=_offers, edits=_edits)
