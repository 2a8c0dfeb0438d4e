"""What a benchmark returns, and what the machine is."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field

from opstudio.base.machine import describe_machine

Say = Callable[[str], None]
"""Tells people what goes on."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """Times of one thing, in seconds, in the order they were taken; warm-ups are left out."""

    name: str
    seconds: tuple[float, ...]
    peak_bytes: int = 0

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def spread(self) -> str:
        """Smallest and largest."""
        return f"{min(self.seconds):.3f}–{max(self.seconds):.3f}"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure to reach and what was reached. ``ratio`` is there where two things are compared."""

    benchmark: str
    work: str
    unit: str
    reached: float
    limit: float
    at_most: bool = True

    @property
    def met(self) -> bool:
        return self.reached <= self.limit if self.at_most else self.reached >= self.limit


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """What one benchmark measured. ``notes`` hold what a reader must know to believe it."""

    id: str
    title: str
    series: tuple[Series, ...]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    details: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much is measured: ``runs`` of each thing after ``warm_ups``."""

    runs: int
    warm_ups: int


def machine() -> str:
    """Describe the machine and the interpreter in one line."""
    return f"{describe_machine()}, Python {platform.python_version()}"


def load_average() -> float:
    """Return the load of the last minute: a busy machine spoils every figure."""
    return os.getloadavg()[0]
