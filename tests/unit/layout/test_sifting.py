"""Moving single strands, against trying every place of every strand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from opstudio.layout.neighbours import Neighbours
from opstudio.layout.sifting import sift
from opstudio.layout.starting_order import Held
from tests.unit.layout.drawings import crossings

# Strands 0 to 4 stand above strands 5 to 9, and these above strands 10 to 14.
LINKS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=25)


def sifted(links: list[tuple[int, int]], middle: list[int], held: Held | None = None) -> list[int]:
    """Return the order of the middle level after sifting; a link leads from a strand to one of the next level."""
    upper = np.array([link[0] for link in links], dtype=np.int64)
    lower = np.array([link[1] + 5 * (link[0] // 5 + 1) for link in links], dtype=np.int64)
    offsets = np.zeros(len(links))
    order = [list(range(5)), middle.copy(), list(range(10, 15))]
    place = [0] * 15
    for row in order:
        for index, strand in enumerate(row):
            place[strand] = index
    sift(order, place, [1], Neighbours.of(lower, upper, offsets, 15), Neighbours.of(upper, lower, offsets, 15), held)
    assert [place[strand] for strand in order[1]] == list(range(5))
    return order[1]


def count(links: list[tuple[int, int]], middle: list[int]) -> int:
    edges = [(upper, lower + 5 * (upper // 5 + 1)) for upper, lower in links]
    place = {strand: index for row in (range(5), middle, range(10, 15)) for index, strand in enumerate(row)}
    return crossings(edges, [strand // 5 for strand in range(15)], [place[strand] for strand in range(15)])


@given(LINKS, st.permutations(range(5, 10)))
def test_that_sifting_never_adds_crossings(links: list[tuple[int, int]], middle: list[int]) -> None:
    assert count(links, sifted(links, middle)) <= count(links, middle)


@given(LINKS, st.permutations(range(5, 10)))
def test_that_after_sifting_no_single_strand_has_a_better_place(
    links: list[tuple[int, int]], middle: list[int]
) -> None:
    order = middle
    for _ in range(3):
        order = sifted(links, order)

    for strand in order:
        others = [other for other in order if other != strand]
        moved = [[*others[:place], strand, *others[place:]] for place in range(5)]
        assert min(count(links, candidate) for candidate in moved) == count(links, order)


def test_that_a_strand_passes_several_others_at_once() -> None:
    # Strand 5 belongs to the right end, but passing one or two of the others only brings new crossings.
    links = [(0, 1), (0, 2), (4, 0), (0, 3)]

    assert count(links, [5, 6, 7, 8, 9]) == 3
    assert count(links, sifted(links, [5, 6, 7, 8, 9])) == 0


def test_that_held_strands_do_not_pass_each_other() -> None:
    links = [(4, 0), (0, 1)]
    held = Held(place=[0.0] * 5 + [10.0, 20.0, 30.0, 40.0, 50.0] + [0.0] * 5, is_held=[True] * 15)

    assert sifted(links, [5, 6, 7, 8, 9], held) == [5, 6, 7, 8, 9]
    assert count(links, sifted(links, [5, 6, 7, 8, 9])) == 0
