"""Timings that can be trusted: warm-ups first, contenders in turn, the median and the spread.

On a shared machine only ratios of things measured beside each other mean much; that is why contenders alternate.
"""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

WARM_UPS = 10
MOST_RUNS = 100
FEWEST_RUNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long one contender took, in seconds: median, and the 10th and 90th percentile of its runs."""

    name: str
    warm_ups: int
    runs: int
    median: float
    low: float
    high: float
    peak_bytes: int | None = None


def time_alternating(
    contenders: Mapping[str, Callable[[], object]],
    *,
    budget_seconds: float,
    on_progress: Callable[[str], None] = lambda _label: None,
) -> tuple[Timing, ...]:
    """Time contenders in turn, A B C A B C …, until each ran 100 times or the budget is used up."""
    for name, call in contenders.items():
        on_progress(f"warm up {name}")
        for _ in range(WARM_UPS):
            call()
    peaks = {name: peak_growth(call) for name, call in contenders.items()}
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    deadline = time.perf_counter() + budget_seconds
    for run in range(MOST_RUNS):
        if run >= FEWEST_RUNS and time.perf_counter() > deadline:
            break
        on_progress(f"run {run + 1}")
        for name, call in contenders.items():
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return tuple(_timing(name, values, peaks[name]) for name, values in seconds.items())


def _timing(name: str, values: list[float], peak: int | None) -> Timing:
    ordered = sorted(values)
    return Timing(
        name=name,
        warm_ups=WARM_UPS,
        runs=len(ordered),
        median=statistics.median(ordered),
        low=ordered[len(ordered) // 10],
        high=ordered[-1 - len(ordered) // 10],
        peak_bytes=peak,
    )


def peak_growth(call: Callable[[], object]) -> int | None:
    """Return by how many bytes the process grew at most during a call; ``None`` where the system does not tell.

    Source: proc(5), ``/proc/self/clear_refs`` (5 resets the peak) and ``VmHWM`` of ``/proc/self/status``.
    """
    with contextlib.suppress(OSError, ValueError, StopIteration):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before = _status_bytes("VmRSS")
        call()
        return max(_status_bytes("VmHWM") - before, 0)
    return None


def _status_bytes(field: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(f"{field}:"))) * 1024
