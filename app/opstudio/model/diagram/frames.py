"""Frames around the boxes of open groups, where these stand together."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from opstudio.layout.arrays import Flags, Floats, Integers
from opstudio.layout.graph import Graph, Layout
from opstudio.layout.groups import SEPARATOR, groups_around
from opstudio.model.diagram.records import Box, Frame

TITLE_ROOM = 12.0
"""What a frame is higher at its upper side, for its title."""
_MARGIN, _STEP, _MOST_STEPS = 6.0, 3.0, 2
"""Between boxes and frame, and for each frame inside of it; rows stand too near for more than a few."""
_FEWEST = 2
_MOST = 1000
"""Of more groups the outermost have frames: of inner ones little is seen in such a picture, and each takes time."""


def find_frames(boxes: Sequence[Box], graph: Graph, layout: Layout) -> tuple[Frame, ...]:
    """Return the frames, outer ones before inner ones.

    A group has one if it holds several boxes, not all there are, and no box of another node stands among them.
    """
    members = _members(boxes)
    half_width, half_height = graph.width / 2, graph.height / 2
    sides = np.stack((layout.x - half_width, layout.y - half_height, layout.x + half_width, layout.y + half_height))
    is_node = np.array([bool(box.nodes) for box in boxes], dtype=np.bool_)
    picture = _Placed(sides, is_node)
    steps = _steps(members)
    found = []
    for group, title in itertools.islice(_worth(members, int(is_node.sum())), _MOST):
        own = np.array(members[group], dtype=np.int64)
        margin = _MARGIN + _STEP * steps[group]
        left, top = sides[:2, own].min(axis=1) - margin
        right, bottom = sides[2:, own].max(axis=1) + margin
        frame = Frame(group=group, title=title, left=left, top=top - TITLE_ROOM, right=right, bottom=bottom)
        if picture.nodes_in(frame) == own.size:
            found.append(frame)
    return tuple(found)


def _members(boxes: Sequence[Box]) -> dict[str, list[int]]:
    """Return the boxes in each open group, those of inner groups included, outer groups before inner ones."""
    known: dict[str, tuple[str, ...]] = {}
    members: dict[str, list[int]] = {}
    for number, box in enumerate(boxes):
        if box.around and box.nodes:
            if box.around not in known:
                known[box.around] = groups_around(box.around)
            for group in known[box.around]:
                members.setdefault(group, []).append(number)
    return members


def _worth(members: Mapping[str, list[int]], count: int) -> Iterator[tuple[str, str]]:
    """Yield the groups that a frame would tell something about, with their titles, outer ones first.

    Of groups around the same boxes the innermost one counts, with the names of all of them.
    """
    titles: dict[str, list[str]] = {}
    by_boxes: dict[tuple[int, int, int], str] = {}
    for group in sorted(members, key=lambda group: group.count(SEPARATOR)):
        own = members[group]
        if not _FEWEST <= len(own) < count:
            continue
        parent = group.rpartition(SEPARATOR)[0]
        same = by_boxes.pop((own[0], own[-1], len(own)), None)
        names = titles.pop(same) if same is not None and group.startswith(same + SEPARATOR) else []
        titles[group] = [*names, group.removeprefix(parent).strip(SEPARATOR)]
        by_boxes[own[0], own[-1], len(own)] = group
    for group in sorted(titles, key=lambda group: group.count(SEPARATOR)):
        yield group, f" {SEPARATOR} ".join(titles[group])


def _steps(members: Mapping[str, list[int]]) -> dict[str, int]:
    """Return how many frames lie within one another in each group."""
    steps = dict.fromkeys(members, 0)
    for group in sorted(members, key=lambda group: -group.count(SEPARATOR)):
        parent = group.rpartition(SEPARATOR)[0]
        if parent in steps and len(members[parent]) > len(members[group]) >= _FEWEST:
            steps[parent] = max(steps[parent], min(steps[group] + 1, _MOST_STEPS))
    return steps


class _Placed:
    """Counts the boxes of nodes in a rectangle. Shapes: sides: (4, boxes); is_node: (boxes,)."""

    def __init__(self, sides: Floats, is_node: Flags) -> None:
        nodes = np.flatnonzero(is_node)
        order: Integers = nodes[np.argsort(sides[1, nodes], kind="stable")]
        self._left, self._top, self._right, self._bottom = sides[:, order]
        self._deepest = float((self._bottom - self._top).max(initial=0.0))

    def nodes_in(self, frame: Frame) -> int:
        """Return how many boxes of nodes meet a frame."""
        first = int(np.searchsorted(self._top, frame.top - self._deepest))
        end = int(np.searchsorted(self._top, frame.bottom))
        part = slice(first, end)
        meets = (self._bottom[part] > frame.top) & (self._right[part] > frame.left) & (self._left[part] < frame.right)
        return int(meets.sum())
