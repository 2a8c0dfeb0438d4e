"""Finds blocks that a model repeats, so that they can be offered as one block and a number.

Two searches: scopes that are numbered one after the other and hold the same (``layer.0 … 11``), and, for models
without scopes, runs of nodes whose types and edges repeat. Nodes are expected in an order in which a block's nodes
stand together, as those of an ONNX file do.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from opstudio.layout.arrays import Flags, Integers, number_pairs, starts_of
from opstudio.layout.graph import Edges
from opstudio.layout.groups import SEPARATOR, groups_around

LONGEST_BLOCK = 512
"""Nodes of a repeated run at most; a block of a transformer has about fifty."""
_NUMBERED = re.compile(r"(?P<stem>.*?)(?P<number>[0-9]{1,9})", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedScope:
    """Groups that stand one after the other and hold the same nodes, linked in the same way."""

    groups: tuple[str, ...]

    @property
    def label(self) -> str:
        """The name of the first group and the number of the last one, such as ``layer.0 … 11``."""
        first, last = (group.rpartition(SEPARATOR)[2] for group in (self.groups[0], self.groups[-1]))
        return f"{first} … {last.removeprefix(first.rstrip(string.digits))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedRun:
    """``count`` equal blocks of ``length`` nodes each, from node ``start`` on."""

    start: int
    length: int
    count: int

    @property
    def end(self) -> int:
        """The first node behind the run."""
        return self.start + self.length * self.count


@dataclass(slots=True)
class _Content:
    places: dict[int, int] = field(default_factory=dict)
    types: list[tuple[str, str]] = field(default_factory=list)
    edges: list[tuple[int, int, int, int]] = field(default_factory=list)

    def holds_the_same_as(self, other: _Content) -> bool:
        return self.types == other.types and sorted(self.edges) == sorted(other.edges)


def find_repeated_scopes(paths: Sequence[str], types: Sequence[str], edges: Edges) -> list[RepeatedScope]:
    """Return scopes that are numbered one after the other and hold the same, by their first nodes.

    Inner scopes that repeat are found as well, in each outer one.

    Shapes: paths, types: (nodes,), the scope that each node lies in, and its type.
    """
    contents = _contents(paths, types, edges)
    repeated: list[RepeatedScope] = []
    seen: set[str] = set()
    for group in contents:
        if group in seen:
            continue
        groups = list(_equal_ones(group, contents))
        if len(groups) > 1:
            seen.update(groups)
            repeated.append(RepeatedScope(groups=tuple(groups)))
    return repeated


def _equal_ones(group: str, contents: dict[str, _Content]) -> Iterator[str]:
    following: str | None = group
    while following in contents and contents[following].holds_the_same_as(contents[group]):
        yield following
        following = _next_group(following)


def _next_group(group: str) -> str | None:
    scope, separator, name = group.rpartition(SEPARATOR)
    match = _NUMBERED.fullmatch(name)
    return None if match is None else f"{scope}{separator}{match['stem']}{int(match['number']) + 1}"


def _contents(paths: Sequence[str], types: Sequence[str], edges: Edges) -> dict[str, _Content]:
    numbered: dict[str, tuple[str, ...]] = {}
    for path in dict.fromkeys(paths):
        groups = groups_around(path)
        numbered[path] = tuple(group for group in groups if _NUMBERED.fullmatch(group.rpartition(SEPARATOR)[2]))
    contents = {group: _Content() for groups in numbered.values() for group in groups}
    for node, (path, kind) in enumerate(zip(paths, types, strict=True)):
        for group in numbered[path]:
            content = contents[group]
            content.places[node] = len(content.types)
            content.types.append((path[len(group) :], kind))
    ends = (edges.source, edges.source_port, edges.target, edges.target_port)
    for source, source_port, target, target_port in zip(*(end.tolist() for end in ends), strict=True):
        for group in numbered[paths[source]]:
            places = contents[group].places
            if target in places:
                contents[group].edges.append((places[source], source_port, places[target], target_port))
    return contents


def find_repeated_runs(types: Sequence[str], edges: Edges, *, longest: int = LONGEST_BLOCK) -> list[RepeatedRun]:
    """Return runs of two and more equal blocks, by their start; they do not overlap.

    Runs that cover most nodes go first, shorter blocks before longer ones. A block begins where the fewest values
    are handed on from one to the next. Blocks of one node are no blocks.
    """
    _, kinds = np.unique(np.array(types, dtype=np.str_), return_inverse=True)
    ends = np.stack((edges.source, edges.source_port, edges.target, edges.target_port), axis=1)
    links = _Links.of(ends, len(types))
    is_taken = np.zeros(len(types), dtype=np.bool_)
    runs: list[RepeatedRun] = []
    for stretch in sorted(_stretches(kinds, longest), key=lambda stretch: (-stretch.covered, stretch.length)):
        for run in _blocks_of(_free_part(stretch, is_taken), links):
            is_taken[run.start : run.end] = True
            runs.append(run)
    return sorted(runs, key=lambda run: run.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """Nodes from ``start`` to before ``stop`` of which each has the type of the one ``length`` nodes before it."""

    start: int
    stop: int
    length: int

    @property
    def covered(self) -> int:
        """How many nodes whole blocks hold."""
        return (self.stop - self.start) // self.length * self.length


def _stretches(kinds: Integers, longest: int) -> Iterator[_Stretch]:
    """Yield the longest stretches for each length of block, without regard to edges."""
    for length in range(2, min(longest, kinds.size // 2) + 1):
        is_equal = np.concatenate(([False], kinds[length:] == kinds[:-length], [False]))
        change = np.diff(is_equal.astype(np.int8))
        starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
        is_long = ends - starts >= length
        for start, end in zip(starts[is_long].tolist(), ends[is_long].tolist(), strict=True):
            yield _Stretch(start=start, stop=end + length, length=length)


def _free_part(stretch: _Stretch, is_taken: Flags) -> _Stretch:
    """Return the longest part of a stretch in which no node belongs to a run already."""
    taken = np.flatnonzero(is_taken[stretch.start : stretch.stop]) + stretch.start
    borders = np.concatenate(([stretch.start - 1], taken, [stretch.stop]))
    longest = int(np.argmax(np.diff(borders)))
    return _Stretch(start=int(borders[longest]) + 1, stop=int(borders[longest + 1]), length=stretch.length)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Links:
    """Edges by their target, and how many values, or edges, lead over the border before each node.

    Shapes: ends: (edges, 4); starts: (nodes + 1,); values_over, edges_over: (nodes + 1,).
    """

    ends: Integers
    starts: Integers
    values_over: Integers
    edges_over: Integers

    @classmethod
    def of(cls, ends: Integers, count: int) -> _Links:
        ends = ends[np.lexsort((ends[:, 1], ends[:, 0], ends[:, 3], ends[:, 2]))]
        value = number_pairs(ends[:, 0], ends[:, 1])
        first, last = np.zeros(ends.shape[0], dtype=np.int64), np.zeros(ends.shape[0], dtype=np.int64)
        first[value] = ends[:, 0]
        np.maximum.at(last, value, ends[:, 2])
        # An edge that leads back leads over no border.
        last = np.maximum(last, first)
        return cls(
            ends=ends,
            starts=starts_of(ends[:, 2], count),
            values_over=_count_over(first, last, count),
            edges_over=_count_over(ends[:, 0], np.maximum(ends[:, 0], ends[:, 2]), count),
        )

    def within(self, start: int, length: int) -> Integers:
        """Return the edges between nodes of a block, its first node being 0. Shape: (edges, 4)."""
        ends = self.ends[self.starts[start] : self.starts[start + length]]
        ends = ends - np.array((start, 0, start, 0))
        inner: Integers = ends[(ends[:, 0] >= 0) & (ends[:, 0] < length)]
        return inner


def _count_over(first: Integers, last: Integers, count: int) -> Integers:
    change = np.bincount(first + 1, minlength=count + 2) - np.bincount(last + 1, minlength=count + 2)
    return np.cumsum(change)[: count + 1]


def _blocks_of(stretch: _Stretch, links: _Links) -> Iterator[RepeatedRun]:
    """Yield the runs of blocks in a stretch that are linked in the same way."""
    length = stretch.length
    if stretch.stop - stretch.start < 2 * length:
        return
    start = _best_start(stretch, links)
    count = (stretch.stop - start) // length
    blocks = [links.within(start + index * length, length) for index in range(count)]
    first = 0
    for index in range(1, count + 1):
        if index == count or not np.array_equal(blocks[index], blocks[first]):
            if index - first > 1 and blocks[first].size:
                yield RepeatedRun(start=start + first * length, length=length, count=index - first)
            first = index


def _best_start(stretch: _Stretch, links: _Links) -> int:
    """Return where the blocks of a stretch begin: where the fewest values are handed on, to the most readers.

    To begin late costs a block, which is accepted where three are left.
    """
    spare = (stretch.stop - stretch.start) % stretch.length
    is_short = stretch.stop - stretch.start < 4 * stretch.length
    last = min(spare, stretch.length - 1) if is_short else stretch.length - 1
    places = np.arange(stretch.start, stretch.start + last + 1)
    # The first block is handed what comes before the stretch; the second one shows what blocks hand on.
    border = places + stretch.length
    best = np.lexsort((places, -links.edges_over[border], places > stretch.start + spare, links.values_over[border]))
    return int(places[best[0]])
