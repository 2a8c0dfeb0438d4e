"""Gives nodes of the main graph that share a name names of their own; the first one keeps it.

## When it is offered
Nodes of the main graph that share a name.

## What it changes
The second and every further one get a number behind the name.

## What it never touches
The first node of each name; names of values, so that nothing is wired otherwise; nodes in nested graphs and functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused, wrong_parameters
from opstudio.model.fixes.model_places import open_fields
from opstudio.model.fixes.node_edits import renamed_node
from opstudio.model.resolution.file_checks import FileProblemKind
from opstudio.model.resolution.records import ResolvedNode

_ID = "unique-names"


def _offers(target: FixTarget) -> Iterator[Offer]:
    problems = [item for item in target.evidence.problems if item.kind is FileProblemKind.NODE_NAMES]
    if problems:
        yield Offer(
            id=_ID,
            title="Give nodes that share a name names of their own",
            solves=tuple(
                finding
                for finding in target.findings
                if finding.cause.startswith(problems[0].reason) and any(place.node for place in finding.places)
            ),
        )


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    if parameters:
        raise wrong_parameters(_ID, parameters, "written without parameters")
    new_names = list(_new_names([item for item in target.evidence.nodes if not item.path]))
    if not new_names:
        raise refused("No nodes share a name", cause="all names differ", fix="Take an id that opstudio fix lists")
    with open_fields(target.model) as reader:
        return [renamed_node(reader, item, name) for item, name in new_names]


def _new_names(items: list[ResolvedNode]) -> Iterator[tuple[ResolvedNode, str]]:
    taken = {item.node.name for item in items}
    seen: set[str] = set()
    last: dict[str, int] = {}
    for item in items:
        name = item.node.name
        if not name:
            continue
        if name not in seen:
            seen.add(name)
            continue
        number = last.get(name, 1) + 1
        while f"{name}_{number}" in taken:
            number += 1
        last[name] = number
        taken.add(f"{name}_{number}")
        yield item, f"{name}_{number}"


FIX = Fix(id=_ID, title="Give nodes names of their own", form="", offers=_offers, edits=_edits)
