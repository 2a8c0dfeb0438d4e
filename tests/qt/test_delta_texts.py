from __future__ import annotations

import math
from dataclasses import replace

import pytest

from opstudio.qt.models.delta_texts import delta_sentence, error_change_text, factor_text, percent_text, ratio_text
from opstudio.workflows.build_deltas import BuildDelta, Change, Trend, Unit, render_delta

SAME = Change(unit=Unit.RATIO, before=0.5, after=0.5, trend=Trend.SAME)
DELTA = BuildDelta(
    number=7,
    baseline=3,
    worst_error=SAME,
    errors=(),
    kernel_seconds=Change(unit=Unit.SECONDS, before=1e-3, after=0.5e-3, trend=Trend.BETTER),
    build_seconds=Change(unit=Unit.SECONDS, before=1.0, after=1.0, trend=Trend.SAME),
    size_bytes=Change(unit=Unit.BYTES, before=4096, after=2048, trend=Trend.BETTER),
)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (0.0, "0"),
        (0.1234, "0.12"),
        (99.9, "100"),
        (1.5, "1.5"),
        (3.2e-7, "below 0.001"),
        (1e12, "over 1,000"),
        (math.inf, "infinite"),
        (math.nan, "not a number"),
    ],
)
def test_that_errors_beyond_sense_are_words(ratio: float, text: str) -> None:
    assert ratio_text(ratio) == text


@pytest.mark.parametrize(
    ("factor", "times", "percent"),
    [
        (None, "", ""),
        (1.0, "", ""),
        (0.83, "0.83×", "−17 %"),
        (2.5, "2.50×", "+150 %"),
        (1e12, "over 100×", "over 100×"),
        (math.inf, "over 100×", "over 100×"),
    ],
)
def test_that_changes_beyond_sense_are_words(factor: float | None, times: str, percent: str) -> None:
    assert (factor_text(factor), percent_text(factor)) == (times, percent)


def test_that_the_baseline_is_a_sentence() -> None:
    assert delta_sentence(DELTA) == (
        "Against build 3, the baseline: the same error, kernel time −50 %, size −2.00 KiB."
    )


@pytest.mark.parametrize(
    ("before", "after", "trend", "cell", "said"),
    [
        (0.0, 1e12, Trend.WORSE, "was 0", "error over 1,000 of the tolerance (was 0)"),
        (0.0, math.inf, Trend.WORSE, "was 0", "error infinite of the tolerance (was 0)"),
        (1e12, 0.0, Trend.BETTER, "was over 1,000", "error 0 of the tolerance (was over 1,000)"),
        (0.5, 0.25, Trend.BETTER, "0.50×", "error 0.25 of the tolerance (0.50×)"),
        (None, 0.5, Trend.UNCLEAR, "", "error not comparable"),
        (0.5, 0.5, Trend.SAME, "", "the same error"),
    ],
)
def test_that_an_error_that_changed_beyond_sense_is_said_in_words(
    before: float | None, after: float, trend: Trend, cell: str, said: str
) -> None:
    change = Change(unit=Unit.RATIO, before=before, after=after, trend=trend)
    delta = replace(DELTA, worst_error=change)
    assert error_change_text(change) == cell
    assert said in delta_sentence(delta)
    assert "inf×" not in render_delta(delta)
    assert "1000000" not in render_delta(delta)
