"""Puts a Cast before the input of a node whose type is not that of all else at the node.

## When it is offered
Nodes that fail for the types of their inputs, where exactly one Cast makes them right.

## What it changes
A Cast is put before the input of these nodes; what is lost by it is told before.

## What it never touches
The value that is cast and its other readers; nodes in functions; nodes that another cast makes right.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from opstudio.model.fixes.cast_losses import loss_of
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused, wrong_parameters
from opstudio.model.fixes.mixed_types import NeededCast, can_be_cast, needed_cast, scopes_of
from opstudio.model.fixes.model_places import find_places, open_fields
from opstudio.model.fixes.new_nodes import FreshNames, cast_node, node_behind
from opstudio.model.fixes.node_context import FaultGroup, fault_groups
from opstudio.model.fixes.node_places import find_nodes
from opstudio.model.fixes.parameters import operator_text, split_dimension, split_operator, split_pair
from opstudio.model.resolution.records import Step
from opstudio.model.runtime.element_types import element_type_number

_ID, _FORM = "insert-cast", "DOMAIN:TYPE[INPUT]=TYPE"


def _offers(target: FixTarget) -> Iterator[Offer]:
    found: dict[tuple[str, str, NeededCast], list[FaultGroup]] = {}
    groups = [group for group in fault_groups(target) if group.fault.step is Step.TYPES]
    scopes = scopes_of(target) if groups else {}
    for group in groups:
        casts = {needed_cast(target, item, scopes) for item in group.nodes}
        # One of several casts would leave the finding as it is.
        cast = casts.pop() if len(casts) == 1 else None
        if cast is not None:
            found.setdefault((group.domain, group.operator, cast), []).append(group)
    for (domain, operator, cast), mended in found.items():
        name = operator_text(domain, operator)
        yield Offer(
            id=f"{_ID}:{name}[{cast.slot}]={_word(cast.type)}",
            title=f"Cast input {cast.slot} of {name} to {cast.type}, so that the types at the node fit",
            solves=tuple(finding for group in mended for finding in target.findings_of(domain, operator, group.fault)),
        )


def _word(text: str) -> str:
    return text.removeprefix("tensor(").removesuffix(")")


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    first, word = split_pair(_ID, parameters, _FORM)
    operator, slot = split_dimension(_ID, first, _FORM)
    domain, name = split_operator(_ID, operator, _FORM)
    cast = NeededCast(slot, f"tensor({word})")
    if not element_type_number(cast.type):
        raise wrong_parameters(_ID, parameters, f"{_FORM} with a type such as float, float16 or int64")
    fitting = [
        item
        for item in target.evidence.nodes
        if (item.node.domain, item.node.type) == (domain, name) and can_be_cast(target, item, slot, cast.type)
    ]
    if not fitting:
        raise refused(
            f"Input {slot} of {operator_text(domain, name)} cannot be cast to {cast.type}",
            cause="no node of it, outside of functions, fails for its types and has an input of another numeric type "
            "there",
            fix="Take an id that opstudio fix lists",
        )
    scopes = scopes_of(target)
    # Of the nodes that another cast makes right, none is touched, unless a person asks for a cast that none needs.
    chosen = [item for item in fitting if needed_cast(target, item, scopes) == cast] or fitting
    names, graph = FreshNames(target.model), find_places(target.model).graph
    with open_fields(target.model) as reader:
        places = find_nodes(reader, graph, (item.node for item in chosen))
        return [
            dataclasses.replace(
                node_behind(
                    reader,
                    places[item.node.offset],
                    item,
                    {slot: cast_node(names.take(f"{source}_{word}"), source, element_type_number(cast.type))},
                    words=f"input {slot}, {source}, is cast to {cast.type}",
                ),
                notes=(loss,) if loss else (),
            )
            for item in chosen
            for source, loss in ((item.node.inputs[slot], loss_of(item.input_types[slot], cast.type)),)
        ]


FIX = Fix(id=_ID, title="Put a Cast before an input of nodes", form=_FORM, offers=_offers, edits=_edits)
