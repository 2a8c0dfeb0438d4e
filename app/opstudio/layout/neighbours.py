"""What each strand is linked with, as lists: they are read one by one, for which arrays are slow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opstudio.layout.arrays import Floats, Integers, starts_of

Order = list[list[int]]
"""For each level its strands from left to right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """The strands that each strand is linked with on one side.

    Those of strand ``s`` are ``strand[first[s]:first[s + 1]]``; ``offset`` says where on them the links end.
    """

    first: list[int]
    strand: list[int]
    offset: list[float]

    @classmethod
    def of(cls, strand: Integers, other: Integers, offset: Floats, count: int) -> Neighbours:
        """Return for each of ``count`` strands what it is linked with.

        Shapes: strand, other: (links,), both ends; offset: (links,), where on the other one the link ends.
        """
        by_strand = np.argsort(strand, kind="stable")
        return cls(
            first=starts_of(strand, count).tolist(),
            strand=other[by_strand].tolist(),
            offset=offset[by_strand].tolist(),
        )
