"""How a build compares with the baseline: errors, time and size, and whether it became better."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

from opstudio.base.units import render_bytes
from opstudio.workspace.build_history import ErrorFigure, HistoryRecord, KernelTime

_HUGE_FACTOR = 1000.0
"""Beyond this the number says nothing."""


class Trend(enum.StrEnum):
    """What a change means."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    """Equal, or within the spread where one is known."""
    UNCLEAR = "unclear"
    """No spread is known that would tell a change from noise, or one side is missing."""


class Unit(enum.StrEnum):
    """What a change counts."""

    RATIO = "ratio"
    """Parts of what is allowed."""
    SECONDS = "seconds"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One figure in the baseline and now; less is better. ``None`` where it was not measured."""

    unit: Unit
    before: float | None
    after: float | None
    trend: Trend

    @property
    def factor(self) -> float | None:
        """Now as a multiple of the baseline; 1 where both are zero, ``None`` where it cannot be told."""
        if self.before is None or self.after is None:
            return None
        if self.before == self.after:
            return 1.0
        return self.after / self.before if self.before else math.inf

    @property
    def difference(self) -> float | None:
        """Now less the baseline."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorChange:
    """The largest error of a stage in one type, as a part of what is allowed."""

    stage: str
    type: str
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildDelta:
    """A build against the baseline. ``worst_error`` is the largest of all stages that both were compared in."""

    number: int
    baseline: int
    worst_error: Change
    errors: tuple[ErrorChange, ...]
    kernel_seconds: Change
    build_seconds: Change
    size_bytes: Change


def build_delta(record: HistoryRecord, baseline: HistoryRecord) -> BuildDelta:
    """Return how a record compares with the baseline."""
    before = {(figure.stage, figure.type): figure for figure in baseline.errors}
    after = {(figure.stage, figure.type): figure for figure in record.errors}
    keys = list(dict.fromkeys((*before, *after)))
    both = [key for key in keys if key in before and key in after]
    return BuildDelta(
        number=record.number,
        baseline=baseline.number,
        worst_error=_exact(
            Unit.RATIO,
            max((before[key].largest_ratio for key in both), default=None),
            max((after[key].largest_ratio for key in both), default=None),
        ),
        errors=tuple(
            ErrorChange(
                stage=stage,
                type=data_type,
                change=_exact(
                    Unit.RATIO, _ratio(before.get((stage, data_type))), _ratio(after.get((stage, data_type)))
                ),
            )
            for stage, data_type in keys
        ),
        kernel_seconds=_timed(baseline.kernel_time, record.kernel_time),
        build_seconds=_without_spread(baseline.build_seconds, record.build_seconds),
        size_bytes=_exact(Unit.BYTES, baseline.size_bytes, record.size_bytes),
    )


def render_delta(delta: BuildDelta) -> str:
    """Return a delta as one line: ``error 1.00×, time −12 %, size +0 B``."""
    texts = [f"error {_render_factor(delta.worst_error)}"]
    texts.append(f"time {_render_percent(delta.kernel_seconds)}")
    difference = delta.size_bytes.difference
    if difference is None:
        texts.append("size unknown")
    else:
        texts.append(f"size {'−' if difference < 0 else '+'}{render_bytes(abs(int(difference)))}")
    return ", ".join(texts)


def _ratio(figure: ErrorFigure | None) -> float | None:
    return None if figure is None else figure.largest_ratio


def _exact(unit: Unit, before: float | None, after: float | None) -> Change:
    """Compare figures that are the same in every run of the same build."""
    if before is None or after is None:
        trend = Trend.UNCLEAR
    else:
        trend = Trend.SAME if before == after else Trend.BETTER if after < before else Trend.WORSE
    return Change(unit=unit, before=before, after=after, trend=trend)


def _timed(before: KernelTime | None, after: KernelTime | None) -> Change:
    """Compare medians; where the middle 80 % of the runs of both overlap, they are the same."""
    if before is None or after is None or not _is_same_work(before, after):
        seconds = [None if time is None else time.median for time in (before, after)]
        return Change(unit=Unit.SECONDS, before=seconds[0], after=seconds[1], trend=Trend.UNCLEAR)
    trend = Trend.BETTER if after.high < before.low else Trend.WORSE if after.low > before.high else Trend.SAME
    return Change(unit=Unit.SECONDS, before=before.median, after=after.median, trend=trend)


def _is_same_work(before: KernelTime, after: KernelTime) -> bool:
    return (before.sample, before.type, before.threads) == (after.sample, after.type, after.threads)


def _without_spread(before: float | None, after: float | None) -> Change:
    trend = Trend.SAME if before is not None and before == after else Trend.UNCLEAR
    return Change(unit=Unit.SECONDS, before=before, after=after, trend=trend)


def _render_factor(change: Change) -> str:
    factor = change.factor
    if factor is None:
        return "unknown"
    if math.isinf(factor):
        after = change.after or 0.0
        size = "infinite" if math.isinf(after) else f"{after:.2g}× the tolerance"
        return f"{size}, from none"
    return f"over {_HUGE_FACTOR:,.0f}×" if factor >= _HUGE_FACTOR else f"{factor:.2f}×"


def _render_percent(change: Change) -> str:
    factor = change.factor
    if factor is None or math.isinf(factor) or change.trend is Trend.UNCLEAR:
        return "unknown"
    percent = round((factor - 1.0) * 100)
    text = f"{'−' if percent < 0 else '+'}{abs(percent)} %"
    return f"{text} (within the spread)" if change.trend is Trend.SAME and percent else text
