from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtTest import QAbstractItemModelTester

from opstudio.qt.bridge import CheckRequested
from opstudio.qt.models.finding_model import FindingModel
from opstudio.qt.models.log_model import LineSplitter, LogLine, LogModel
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.operator_model import SORT_ROLE, Column, OperatorModel
from opstudio.qt.models.operator_view import ShownFinding
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.workspace.folder import OperatorFolder
from tests.qt.events import a_finding, bad_run, good_run, stage_started, started


def watch(model: QAbstractItemModel) -> QAbstractItemModelTester:
    return QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def texts(model: OperatorModel, row: int) -> list[str]:
    return [model.data(model.index(row, column)) for column in Column]


@pytest.fixture
def state() -> LoopState:
    state = LoopState()
    state.set_operators(OperatorFolder(name, Path("/ws") / name) for name in ("alpha", "beta", "gamma"))
    return state


@pytest.fixture
def operators(state: LoopState, theme: Theme, icons: Icons) -> Iterator[OperatorModel]:
    model = OperatorModel(state, theme, icons)
    check = watch(model)
    yield model
    del check


def test_that_each_operator_shows_state_time_and_first_finding(state: LoopState, operators: OperatorModel) -> None:
    state.receive([*good_run("alpha"), *bad_run(operator="beta"), CheckRequested("gamma")])
    assert texts(operators, 0) == ["alpha", "good", "0.40 s", ""]
    assert texts(operators, 1) == ["beta", "bad", "0.40 s", "NUM012"]
    assert texts(operators, 2) == ["gamma", "waiting", "", ""]


def test_that_the_running_stage_is_named(state: LoopState, operators: OperatorModel) -> None:
    state.receive([started("alpha")])
    assert texts(operators, 0)[Column.STATE] == "starting…"
    state.receive([stage_started("gradient", "alpha")])
    assert texts(operators, 0)[Column.STATE] == "gradient…"


def test_that_rows_follow_the_list_of_operators(state: LoopState, operators: OperatorModel) -> None:
    state.receive(list(good_run("gamma")))
    state.set_operators([OperatorFolder("gamma", Path("/ws/gamma"))])
    assert operators.rowCount() == 1
    assert texts(operators, 0)[:2] == ["gamma", "good"]


def test_that_times_are_sorted_as_numbers(state: LoopState, operators: OperatorModel) -> None:
    state.receive(list(good_run("beta")))
    keys = [operators.data(operators.index(row, Column.SECONDS), SORT_ROLE) for row in range(3)]
    assert keys == [-1.0, 0.4, -1.0]


def test_that_states_are_told_by_icon_and_word_not_by_colour_alone(state: LoopState, operators: OperatorModel) -> None:
    state.receive([*good_run("alpha"), *bad_run(operator="beta")])
    icons = [
        operators.data(operators.index(row, 0), Qt.ItemDataRole.DecorationRole).pixmap(16).toImage() for row in (0, 1)
    ]
    alpha = [image.convertToFormat(image.Format.Format_Alpha8) for image in icons]
    assert alpha[0] != alpha[1]


def test_that_the_same_findings_do_not_reset_the_list() -> None:
    model = FindingModel()
    check = watch(model)
    resets: list[bool] = []
    model.modelReset.connect(lambda: resets.append(True))
    rows = [ShownFinding(finding=a_finding(), stale=False)]
    assert model.set_rows(rows)
    assert not model.set_rows(list(rows))
    assert resets == [True]
    assert model.data(model.index(0, 0)) == "error NUM012 Values differ from the reference"
    del check


def lines(*values: str) -> list[LogLine]:
    return [LogLine(0.0, "op", "build", text) for text in values]


def shown(model: LogModel) -> list[str]:
    return [model.at(row).text for row in range(model.rowCount())]


def test_that_the_oldest_lines_make_room() -> None:
    model = LogModel(most_lines=3)
    check = watch(model)
    assert model.append(lines("1", "2")) == 0
    assert model.append(lines("3", "4")) == 1
    assert shown(model) == ["2", "3", "4"]
    assert (model.kept, model.received) == (3, 4)
    model.append(lines("5", "6", "7", "8"))
    assert shown(model) == ["6", "7", "8"]
    del check


def test_that_a_search_filters_what_is_there_and_what_comes() -> None:
    model = LogModel(most_lines=4)
    check = watch(model)
    model.append(lines("Error one", "note", "error two"))
    model.search("ERROR")
    assert shown(model) == ["Error one", "error two"]
    model.append(lines("error three", "note"))
    assert shown(model) == ["error two", "error three"]
    model.search("")
    assert shown(model) == ["note", "error two", "error three", "note"]
    model.clear()
    assert (shown(model), model.kept, model.received) == ([], 0, 0)
    del check


def feed(*pieces: str) -> list[str]:
    splitter = LineSplitter()
    found = [line.text for piece in pieces for line in splitter.feed(0.0, "op", "build", piece)]
    return [*found, *(line.text for line in splitter.flush(0.0))]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (("one\ntwo\n",), ["one", "two"]),
        (("on", "e\ntw", "o"), ["one", "two"]),
        (("one\r\ntwo\r\n",), ["one", "two"]),
        (("\x1b[31;1mred\x1b[0m\n",), ["red"]),
        (("10 %\r50 %\r100 %\n",), ["100 %"]),
        (("a\tb\n",), ["a   b"]),
        (("\n",), [""]),
    ],
)
def test_that_output_becomes_the_lines_that_a_person_would_read(pieces: tuple[str, ...], expected: list[str]) -> None:
    assert feed(*pieces) == expected


def test_that_a_line_without_end_is_cut() -> None:
    (line,) = feed("x" * 100_000)
    assert line.startswith("xxxx")
    assert line.endswith("100,000 characters")
    assert len(line) < 5_000


def test_that_pieces_of_different_sources_are_not_mixed() -> None:
    splitter = LineSplitter()
    assert splitter.feed(0.0, "op", "build", "one ") == []
    assert [line.text for line in splitter.feed(0.0, "op", "worker", "two\n")] == ["two"]
    assert [line.text for line in splitter.feed(0.0, "op", "build", "line\n")] == ["one line"]
