"""Figures of builds and how they changed, in words where a number would say nothing."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from opstudio.base.units import render_bytes
from opstudio.workflows.build_deltas import BuildDelta, Change, Trend

_HUGE_RATIO = 1000.0
_TINY_RATIO = 0.001
_HUGE_FACTOR = 100.0


def ratio_text(ratio: float) -> str:
    """Return an error as a part of its tolerance: ``0.12``, ``over 1,000``, ``infinite``."""
    if math.isnan(ratio):
        return QCoreApplication.translate("Delta", "not a number")
    if math.isinf(ratio):
        return QCoreApplication.translate("Delta", "infinite")
    if ratio >= _HUGE_RATIO:
        return QCoreApplication.translate("Delta", "over {0}").format(f"{_HUGE_RATIO:,.0f}")
    if 0 < ratio < _TINY_RATIO:
        return QCoreApplication.translate("Delta", "below {0}").format(_TINY_RATIO)
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"  # noqa: PLR2004 - two digits


def factor_text(factor: float | None) -> str:
    """Return how many times a figure became what it was: ``0.83×``; empty where it is the same or cannot be told."""
    if factor is None or factor == 1.0 or math.isnan(factor):
        return ""
    return (
        QCoreApplication.translate("Delta", "over {0}×").format(f"{_HUGE_FACTOR:,.0f}")
        if factor >= _HUGE_FACTOR
        else f"{factor:.2f}×"
    )


def error_change_text(change: Change) -> str:
    """Return how an error changed: ``0.83×``, or what it was where a factor would say nothing."""
    factor = change.factor
    if factor is None or factor == 1.0 or change.before is None or math.isnan(factor):
        return ""
    if _HUGE_FACTOR > factor >= 1 / _HUGE_FACTOR:
        return factor_text(factor)
    return QCoreApplication.translate("Delta", "was {0}").format(ratio_text(change.before))


def percent_text(factor: float | None) -> str:
    """Return a change as a signed share: ``−12 %``; empty where it is the same or cannot be told."""
    if factor is None or math.isnan(factor):
        return ""
    if math.isinf(factor) or factor >= _HUGE_FACTOR:
        return factor_text(factor)
    percent = round((factor - 1.0) * 100)
    return f"{'−' if percent < 0 else '+'}{abs(percent)} %" if percent else ""


def delta_sentence(delta: BuildDelta) -> str:
    """Return what changed since the baseline, as one sentence."""
    parts = (_error(delta.worst_error), _time(delta.kernel_seconds), _size(delta.size_bytes))
    return QCoreApplication.translate("Delta", "Against build {0}, the baseline: {1}.").format(
        delta.baseline, ", ".join(parts)
    )


def _error(change: Change) -> str:
    if change.factor is None or change.after is None:
        return QCoreApplication.translate("Delta", "error not comparable")
    if change.trend is Trend.SAME:
        return QCoreApplication.translate("Delta", "the same error")
    texts = (ratio_text(change.after), error_change_text(change))
    return QCoreApplication.translate("Delta", "error {0} of the tolerance ({1})").format(*texts)


def _time(change: Change) -> str:
    if change.trend is Trend.UNCLEAR or change.factor is None:
        return QCoreApplication.translate("Delta", "kernel time not comparable")
    if change.trend is Trend.SAME:
        return QCoreApplication.translate("Delta", "the same kernel time within its spread")
    return QCoreApplication.translate("Delta", "kernel time {0}").format(percent_text(change.factor) or "±0 %")


def _size(change: Change) -> str:
    if change.difference is None:
        return QCoreApplication.translate("Delta", "size not comparable")
    if not change.difference:
        return QCoreApplication.translate("Delta", "the same size")
    sign = "−" if change.difference < 0 else "+"
    return QCoreApplication.translate("Delta", "size {0}").format(f"{sign}{render_bytes(abs(int(change.difference)))}")
