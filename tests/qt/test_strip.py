from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from opstudio.checks.check import all_checks
from opstudio.jobs.events import JobOutcome, StageState, Verdict
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.operator_view import StageView
from opstudio.qt.models.state_marks import operator_mark
from opstudio.qt.pipeline.chip import StageChip
from opstudio.qt.pipeline.strip import PipelineStrip
from opstudio.qt.selection import Selection
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.workspace.folder import OperatorFolder
from tests.qt.events import OPERATOR, a_finding, bad_stage, finished, stage_finished, stage_started, started, verdict

WIDE = 1800
"""Two rows hold all stages with their times."""


@pytest.fixture
def state() -> LoopState:
    state = LoopState()
    state.set_operators([OperatorFolder(OPERATOR, Path("/ws/relu6_scale"))])
    return state


@pytest.fixture
def selection() -> Selection:
    return Selection()


@pytest.fixture
def strip(state: LoopState, selection: Selection, theme: Theme, icons: Icons, qtbot: QtBot) -> Iterator[PipelineStrip]:
    strip = PipelineStrip(all_checks(), state, selection, theme, icons)
    qtbot.addWidget(strip)
    selection.select_operator(OPERATOR)
    strip.resize(WIDE, strip.heightForWidth(WIDE))
    strip.show()
    yield strip
    strip._animation.stop()
    strip.close()
    strip.deleteLater()


def test_that_the_chips_are_the_stages_in_their_order(strip: PipelineStrip) -> None:
    assert [chip.stage for chip in strip.chips] == [check.id for check in all_checks()]


def test_that_a_failed_stage_carries_the_id_of_its_first_error(state: LoopState, strip: PipelineStrip) -> None:
    state.receive([started(), stage_finished("build"), bad_stage("value", a_finding("NUM012"), a_finding("NUM013"))])
    assert strip.chip("value").detail == "NUM012"
    assert "bad" in strip.chip("value").accessibleName()
    assert strip.chip("build").detail == "20 ms"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0002, "<1 ms"), (0.0123, "12 ms"), (0.123, "0.12 s"), (2.98, "2.98 s"), (19.12, "19.1 s")],
)
def test_that_times_are_short(state: LoopState, strip: PipelineStrip, seconds: float, text: str) -> None:
    state.receive([started(), stage_finished("build", seconds=seconds)])
    assert strip.chip("build").detail == text


def test_that_the_verdict_stays_dimmed_until_there_is_a_new_one(state: LoopState, strip: PipelineStrip) -> None:
    state.receive([started(), stage_finished("build"), verdict(seconds=0.4), finished()])
    assert (strip.verdict.mark.word, strip.verdict.detail, strip.verdict.is_dimmed) == ("good", "400 ms", False)
    state.receive([started(), stage_started("build")])
    assert (strip.verdict.mark.word, strip.verdict.is_dimmed) == ("good", True)
    assert strip.chip("build").view.stale


def test_that_a_click_selects_the_stage_and_a_second_one_all(
    strip: PipelineStrip, selection: Selection, qtbot: QtBot
) -> None:
    qtbot.mouseClick(strip.chip("value"), Qt.MouseButton.LeftButton)
    assert selection.stage == "value"
    assert strip.chip("value").isChecked()
    qtbot.mouseClick(strip.chip("value"), Qt.MouseButton.LeftButton)
    assert selection.stage == ""
    assert not strip.chip("value").isChecked()


def test_that_the_keyboard_reaches_every_chip(strip: PipelineStrip, selection: Selection, qtbot: QtBot) -> None:
    strip.activateWindow()
    strip.focus_content()
    stages: list[str] = []
    for _ in strip.chips:
        focused = strip.focusWidget()
        assert isinstance(focused, StageChip)
        stages.append(focused.stage)
        qtbot.keyClick(focused, Qt.Key.Key_Right)
    assert stages == [chip.stage for chip in strip.chips]
    qtbot.keyClick(strip.chip("build"), Qt.Key.Key_Return)
    assert selection.stage == "build"


@pytest.mark.parametrize("width", [1400, 900, 560, 300])
def test_that_chips_wrap_inside_the_strip_and_never_overlap(strip: PipelineStrip, width: int) -> None:
    strip.resize(width, strip.heightForWidth(width))
    places = [*(chip.geometry() for chip in strip.chips), strip.verdict.geometry()]
    assert all(strip.rect().contains(place) for place in places)
    assert [
        (one, other) for index, one in enumerate(places) for other in places[index + 1 :] if one.intersects(other)
    ] == []


def test_that_a_narrow_strip_leaves_the_times_out(state: LoopState, strip: PipelineStrip) -> None:
    state.receive([started(), stage_finished("build"), bad_stage("value"), verdict()])
    strip.resize(560, strip.heightForWidth(560))
    assert strip.chip("build").detail == ""
    assert strip.chip("value").detail == "NUM012"


def test_that_a_chip_keeps_its_width_when_its_stage_ends_well(state: LoopState, strip: PipelineStrip) -> None:
    widths = [chip.width() for chip in strip.chips]
    state.receive([started(), *(stage_finished(chip.stage, seconds=0.25) for chip in strip.chips)])
    assert [chip.width() for chip in strip.chips] == widths


def test_that_progress_is_shown_after_a_third_of_a_second(theme: Theme, icons: Icons, qtbot: QtBot) -> None:
    times = iter((100.0, 100.2, 100.31, 105.0))
    chip = StageChip("value", theme, icons, clock=lambda: next(times))
    qtbot.addWidget(chip)
    chip.show_stage(StageView(stage="value", since=100.0))
    assert [chip.shows_progress for _ in range(4)] == [False, False, True, True]


def test_that_cached_stages_are_outlined_and_run_ones_filled(theme: Theme, icons: Icons, qtbot: QtBot) -> None:
    chip = StageChip("value", theme, icons)
    qtbot.addWidget(chip)
    chip.resize(chip.sizeHint())

    def ground(*, cached: bool) -> str:
        chip.show_stage(StageView(stage="value", state=StageState.GOOD, seconds=0.1, cached=cached))
        chip.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, on=False)
        return str(chip.grab().toImage().pixelColor(4, 12).name().upper())

    assert ground(cached=False) == theme.tokens.raised
    assert ground(cached=True) != theme.tokens.raised


def test_that_a_cancelled_check_leaves_the_last_verdict_dimmed_with_the_word_beside_it(
    state: LoopState, strip: PipelineStrip
) -> None:
    state.receive([started(), stage_finished("build"), verdict(seconds=0.4), finished()])
    state.receive([started(), stage_started("build"), finished(JobOutcome.CANCELLED)])
    assert (strip.verdict.mark.word, strip.verdict.is_dimmed) == ("good", True)
    assert "cancelled" in strip.verdict.detail
    assert "cancelled" in strip.verdict.accessibleName()
    mark = operator_mark(state.view(OPERATOR))
    assert (mark.icon, mark.token, mark.word) == ("good", "text_2", "cancelled")
    state.receive([started(), stage_finished("build"), verdict(seconds=0.4), finished()])
    assert (strip.verdict.mark.word, strip.verdict.is_dimmed, strip.verdict.detail) == ("good", False, "400 ms")


def test_that_a_check_that_was_cancelled_before_any_verdict_says_only_that(
    state: LoopState, strip: PipelineStrip
) -> None:
    state.receive([started(), stage_started("build"), finished(JobOutcome.CANCELLED)])
    assert (strip.verdict.mark.word, strip.verdict.detail) == ("cancelled", "")


@pytest.mark.parametrize("width", [1800, 1100, 760])
def test_that_the_rows_of_the_strip_stay_whatever_happens(state: LoopState, strip: PipelineStrip, width: int) -> None:
    strip.resize(width, strip.heightForWidth(width))
    stages = [chip.stage for chip in strip.chips]

    def run(*, bad: bool) -> None:
        state.receive([started()])
        for stage in stages:
            state.receive([stage_started(stage)])
            heights.append(strip.heightForWidth(width))
            state.receive([bad_stage(stage) if bad else stage_finished(stage, seconds=12.34)])
            heights.append(strip.heightForWidth(width))
        state.receive([verdict(Verdict.BAD if bad else Verdict.GOOD, final=False), finished()])
        heights.append(strip.heightForWidth(width))

    heights: list[int] = []
    run(bad=False)
    # What failed is wider; once there was room for it, it stays.
    run(bad=True)
    highest = heights[-1]
    heights.clear()
    run(bad=False)
    run(bad=True)
    assert set(heights) == {highest}
