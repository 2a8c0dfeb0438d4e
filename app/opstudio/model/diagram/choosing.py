"""Which groups are closed when a picture is shown for the first time, so that it can be read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from opstudio.layout.groups import count_members, groups_around

MOST_BOXES = 150
"""A picture with no more boxes is shown whole."""
FEWEST_BOXES = 12
"""A picture with fewer boxes tells too little: rows of equal blocks are opened in it."""
MOST_OPENED = 40
"""A group with no more nodes is opened whole; of a larger one, inner groups stay closed when it is opened."""
_NUMBER = re.compile(r"[0-9]+")


def choose_closed(paths: Iterable[str], others: int, rows: Collection[str]) -> frozenset[str]:
    """Return the groups to close, those inside of closed ones included.

    A graph with few parts is drawn whole. Of a large one, all groups are closed at first and then opened level by
    level, outer ones first and those that are alike together, while the boxes do not become too many. Rows of equal
    blocks stay closed unless little else is there.

    Args:
        paths: the innermost group of each node that is drawn, empty for none
        others: how many boxes are no nodes
        rows: the groups around rows of equal blocks
    """
    tree = _Tree(paths, rows)
    if tree.node_count + others <= MOST_BOXES:
        return frozenset()
    room = MOST_BOXES - others
    opened = tree.open_levels(room)
    if tree.boxes(opened) + others < FEWEST_BOXES:
        opened = tree.open_rows(opened, room)
    return tree.closed(opened)


class _Tree:
    """Groups within groups. A group of ``members`` is opened into its inner groups and the nodes beside them."""

    def __init__(self, paths: Iterable[str], rows: Collection[str]) -> None:
        counts = Counter(paths)
        self.node_count = counts.total()
        self._members = count_members(counts.elements())
        self._rows = rows
        self._alone: Mapping[str, int] = counts
        self._inner: dict[str, list[str]] = {"": []}
        for group in self._members:
            self._inner[group] = []
            around = groups_around(group)[-2:-1]
            self._inner[around[0] if around else ""].append(group)

    def boxes(self, opened: Collection[str]) -> int:
        """Return how many boxes there are for nodes and groups."""
        return sum(self._alone.get(group, 0) for group in ("", *opened)) + sum(1 for _ in self._frontier(opened))

    def closed(self, opened: Collection[str]) -> frozenset[str]:
        """Return the outermost groups that are not opened, and what stays closed inside when one of them is."""
        closed: set[str] = set()
        pending = list(self._frontier(opened))
        while pending:
            group = pending.pop()
            closed.add(group)
            if self._members[group] > MOST_OPENED:
                pending.extend(self._inner[group])
        return frozenset(closed)

    def open_levels(self, room: int) -> set[str]:
        """Open groups level by level."""
        opened: set[str] = set()
        count = self.boxes(opened)
        level = self._inner[""]
        while level:
            for alike in self._alike(level):
                more = sum(self._gain(group) for group in alike)
                if count + more <= room:
                    count += more
                    opened.update(alike)
            level = [inner for group in level if group in opened for inner in self._inner[group]]
        return opened

    def open_rows(self, opened: set[str], room: int) -> set[str]:
        """Open rows of equal blocks, the blocks stay closed."""
        count = self.boxes(opened)
        for row in [group for group in self._frontier(opened) if group in self._rows]:
            more = self._gain(row)
            if count + more <= room:
                count += more
                opened = opened | {row}
        return opened

    def _gain(self, group: str) -> int:
        return len(self._inner[group]) + self._alone.get(group, 0) - 1

    def _alike(self, level: Sequence[str]) -> Iterator[list[str]]:
        """Yield groups with about the same name and the same number of nodes together; rows are not opened."""
        found: dict[tuple[str, int], list[str]] = {}
        for group in level:
            if group not in self._rows:
                found.setdefault((_NUMBER.sub("#", group), self._members[group]), []).append(group)
        # What becomes few boxes goes first, so that one large group does not keep all others closed.
        yield from sorted(found.values(), key=lambda alike: sum(self._gain(group) for group in alike))

    def _frontier(self, opened: Collection[str]) -> Iterator[str]:
        pending = list(reversed(self._inner[""]))
        while pending:
            group = pending.pop()
            if group in opened:
                pending.extend(reversed(self._inner[group]))
            else:
                yield group
