"""What a benchmark returns, and what the machine is."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

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
    """Describe the machine in one line."""
    models = [
        line.partition(":")[2].strip()
        for line in _lines(Path("/proc/cpuinfo"))
        if line.startswith(("model name", "Model"))
    ]
    memory = next((line.split()[1] for line in _lines(Path("/proc/meminfo")) if line.startswith("MemTotal")), "0")
    cores = len(os.sched_getaffinity(0))
    return (
        f"{models[0] if models else platform.processor()}, {cores} cores, {round(int(memory) / 2**20)} GiB, "
        f"{platform.system()} {platform.release().split('-')[0]}, Python {platform.python_version()}"
    )


def load_average() -> float:
    """Return the load of the last minute: a busy machine spoils every figure."""
    return os.getloadavg()[0]


def _lines(path: Path) -> Sequence[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else ()
