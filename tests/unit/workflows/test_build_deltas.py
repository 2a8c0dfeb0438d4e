"""Builds against a baseline: figures by hand."""

from __future__ import annotations

import dataclasses
import math

import pytest

from opstudio.jobs.events import Verdict
from opstudio.workflows.build_deltas import Trend, build_delta, render_delta
from opstudio.workspace.build_history import BuiltLibrary, ErrorFigure, HistoryRecord, KernelTime

TIME = KernelTime(median=100e-6, low=90e-6, high=120e-6, runs=100, sample="big", type="float32", threads=2)


def figure(stage: str, ratio: float, data_type: str = "float32") -> ErrorFigure:
    return ErrorFigure(stage=stage, type=data_type, largest_ratio=ratio, largest_absolute=ratio * 1e-6)


def library(size: int, seconds: float = 1.0) -> BuiltLibrary:
    return BuiltLibrary(file="kernel.so", kind="native", artifact="a", size_bytes=size, sha256="", seconds=seconds)


def record(number: int, *errors: ErrorFigure, size: int = 1000, time: KernelTime | None = TIME) -> HistoryRecord:
    return HistoryRecord(
        number=number,
        operator="relu",
        at=0.0,
        amended_at=0.0,
        verdict=Verdict.GOOD,
        final=True,
        verdict_seconds=0.5,
        stages=(),
        sources=(),
        errors=errors,
        kernel_time=time,
        libraries=(library(size),),
    )


def timed(median: float, low: float, high: float) -> KernelTime:
    return dataclasses.replace(TIME, median=median, low=low, high=high)


def test_that_errors_are_compared_by_stage_and_type() -> None:
    before = record(1, figure("value", 0.2), figure("value", 0.1, "float64"), figure("parity", 0.4))
    after = record(2, figure("value", 0.3), figure("value", 0.05, "float64"), figure("gradient", 9.0))

    delta = build_delta(after, before)

    found = {
        (item.stage, item.type): (item.change.before, item.change.after, item.change.trend) for item in delta.errors
    }
    assert found == {
        ("value", "float32"): (0.2, 0.3, Trend.WORSE),
        ("value", "float64"): (0.1, 0.05, Trend.BETTER),
        ("parity", "float32"): (0.4, None, Trend.UNCLEAR),
        ("gradient", "float32"): (None, 9.0, Trend.UNCLEAR),
    }
    # Of what both have, the largest: 0.2 and 0.3.
    assert (delta.worst_error.before, delta.worst_error.after, delta.worst_error.trend) == (0.2, 0.3, Trend.WORSE)
    assert delta.worst_error.factor == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("time", "trend"),
    [
        (timed(80e-6, 70e-6, 89e-6), Trend.BETTER),
        (timed(80e-6, 70e-6, 91e-6), Trend.SAME),
        (timed(130e-6, 119e-6, 150e-6), Trend.SAME),
        (timed(130e-6, 121e-6, 150e-6), Trend.WORSE),
        (dataclasses.replace(timed(10e-6, 9e-6, 11e-6), threads=4), Trend.UNCLEAR),
        (dataclasses.replace(timed(10e-6, 9e-6, 11e-6), sample="small"), Trend.UNCLEAR),
        (None, Trend.UNCLEAR),
    ],
)
def test_that_times_count_beyond_their_spread_only(time: KernelTime | None, trend: Trend) -> None:
    assert build_delta(record(2, time=time), record(1)).kernel_seconds.trend is trend


def test_that_sizes_are_exact_and_build_times_are_not() -> None:
    delta = build_delta(
        dataclasses.replace(record(2), libraries=(library(900, 3.0), library(50, 1.0))), record(1, size=1000)
    )

    assert (delta.size_bytes.difference, delta.size_bytes.trend) == (-50, Trend.BETTER)
    assert (delta.build_seconds.before, delta.build_seconds.after) == (1.0, 4.0)
    assert delta.build_seconds.trend is Trend.UNCLEAR


def test_that_a_delta_is_one_line() -> None:
    before = record(1, figure("value", 0.25))
    after = record(2, figure("value", 0.25), time=timed(70.4e-6, 60e-6, 80e-6))

    assert render_delta(build_delta(after, before)) == "error 1.00×, time −30 %, size +0 B"
    assert render_delta(build_delta(before, after)) == "error 1.00×, time +42 %, size +0 B"


def test_that_a_line_says_what_is_not_known_and_what_is_noise() -> None:
    before, after = record(1, figure("value", 0.0)), record(2, figure("value", 2.0), size=2024, time=TIME)
    noisy = dataclasses.replace(after, kernel_time=timed(110e-6, 95e-6, 125e-6))
    unbuilt = dataclasses.replace(after, libraries=(), kernel_time=None, errors=())

    assert render_delta(build_delta(noisy, before)) == (
        "error 2× the tolerance, from none, time +10 % (within the spread), size +1.00 KiB"
    )
    assert render_delta(build_delta(unbuilt, before)) == "error unknown, time unknown, size unknown"
    assert build_delta(after, before).worst_error.factor == math.inf
