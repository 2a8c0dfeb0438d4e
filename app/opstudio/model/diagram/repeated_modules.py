"""Modules that are repeated one after the other, as groups of their own around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from opstudio.layout.graph import Edges
from opstudio.layout.groups import SEPARATOR, groups_around
from opstudio.layout.repeats import RepeatedRun, RepeatedScope, find_repeated_runs, find_repeated_scopes

SHORTEST_ROW = 3
"""Blocks in a row that are worth a box of their own."""


@dataclass(slots=True, kw_only=True)
class Grouped:
    """Paths of nodes, with groups around rows of equal blocks.

    ``repeats`` counts the blocks of such groups. ``renamed`` says of groups whose paths became longer what they were
    before, and of a row what its first block was.

    Shapes: paths: (nodes,).
    """

    paths: list[str]
    repeats: dict[str, int] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)


def group_rows_of_modules(paths: Sequence[str], types: Sequence[str], edges: Edges) -> Grouped:
    """Put rows of equal modules, ``encoder/layer.0`` and so on, into groups such as ``encoder/layer.0 … 11``.

    In a row each module hands values on to the next one, and only the last one to nodes outside of the row, so that
    one box stands for it truthfully.

    Shapes: paths, types: (nodes,), the groups that each node lies in, and its type.
    """
    rows = [row for row in find_repeated_scopes(paths, types, edges) if len(row.groups) >= SHORTEST_ROW]
    rows = list(_linked_rows(rows, paths, edges))
    row_of = {group: row for row in rows for group in row.groups}
    grouped = Grouped(paths=[])
    known: dict[str, str] = {"": ""}
    for path in dict.fromkeys(paths):
        known[path] = _with_rows(path, row_of, grouped)
    grouped.paths = [known[path] for path in paths]
    return grouped


def _with_rows(path: str, row_of: Mapping[str, RepeatedScope], grouped: Grouped) -> str:
    longer = ""
    for group in groups_around(path):
        if (row := row_of.get(group)) is not None:
            longer = f"{longer}{SEPARATOR if longer else ''}{row.label}"
            grouped.repeats[longer] = len(row.groups)
            grouped.renamed[longer] = row.groups[0]
        longer = f"{longer}{SEPARATOR if longer else ''}{group.rpartition(SEPARATOR)[2]}"
        if longer != group:
            grouped.renamed[longer] = group
    return longer


def _linked_rows(rows: Sequence[RepeatedScope], paths: Sequence[str], edges: Edges) -> Iterator[RepeatedScope]:
    pairs = zip(edges.source.tolist(), edges.target.tolist(), strict=True)
    between = {(paths[source], paths[target]) for source, target in pairs}
    place_of = {group: (number, place) for number, row in enumerate(rows) for place, group in enumerate(row.groups)}
    places = {
        path: dict(place_of[group] for group in groups_around(path) if group in place_of)
        for path in {path for pair in between for path in pair}
    }
    handed_on: list[set[int]] = [set() for _ in rows]
    is_closed = [True] * len(rows)
    for source, target in between:
        for number, place in places[source].items():
            following = places[target].get(number)
            if following is None:
                is_closed[number] &= place == len(rows[number].groups) - 1
            elif following == place + 1:
                handed_on[number].add(place)
    for number, row in enumerate(rows):
        if is_closed[number] and len(handed_on[number]) == len(row.groups) - 1:
            yield row


def group_blocks(types: Sequence[str], edges: Edges) -> Grouped:
    """Return groups for the blocks that a graph without modules repeats, numbered in their order.

    Shapes: types: (nodes,).
    """
    grouped = Grouped(paths=[""] * len(types))
    for number, run in enumerate(_long_runs(types, edges), 1):
        around = f"repeated {number}"
        grouped.repeats[around] = run.count
        for node in range(run.start, run.end):
            grouped.paths[node] = f"{around}{SEPARATOR}block {number}.{(node - run.start) // run.length + 1}"
    return grouped


def _long_runs(types: Sequence[str], edges: Edges) -> Iterator[RepeatedRun]:
    return (run for run in find_repeated_runs(types, edges) if run.count >= SHORTEST_ROW)
