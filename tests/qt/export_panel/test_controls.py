"""What is exported and how, chosen from the menus of the panel; the texts of the panel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from opstudio.model.export_request import Exporter, Route
from opstudio.qt.export.explanation_view import Section
from opstudio.qt.export.export_target import ExportOptions, ExportResult, ExportTarget, Varying
from opstudio.qt.main_window import MainWindow
from tests.qt.export_panel.explained import MODELS, export_panel, session_of
from tests.qt.export_panel.samples import Made, make_explanation
from tests.qt.test_language import Marking, own_texts
from tests.support.workspaces import TestWorkspace


@pytest.fixture
def nets(workspace: TestWorkspace) -> Path:
    path = workspace.root / "models" / "nets.py"
    path.parent.mkdir()
    path.write_text(MODELS, encoding="utf-8")
    return path


def entries(menu: QMenu) -> dict[str, QAction]:
    return {action.text(): action for action in menu.actions() if not action.isSeparator()}


def opened_menu(button: object) -> QMenu:
    menu = button.menu()  # type: ignore[attr-defined]  # any of the two buttons
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    return menu


def test_that_factories_of_the_file_in_the_editor_are_offered(window: MainWindow, nets: Path) -> None:
    panel, session = export_panel(window), session_of(window)
    window.selection.select_operator("relu6_scale")
    assert session.target == ExportTarget(operator="relu6_scale")
    assert "nets.py:make" not in entries(opened_menu(panel.target_button))
    window.open_file(nets)
    offered = entries(opened_menu(panel.target_button))
    assert list(offered)[1:] == [
        "nets.py:Gate",
        "nets.py:make",
        "nets.py:broken",
        "nets.py:dies",
        "A function of a Python file…",
    ]
    offered["nets.py:make"].trigger()
    assert session.target == ExportTarget(file=nets, factory="make")
    assert panel.target_button.text() == "nets.py:make ▾"

    # It stays chosen whatever is looked at, until the operator is wanted again.
    window.open_file(nets.parent.parent / "relu6_scale" / "relu6_scale.cpp")
    assert session.target == ExportTarget(file=nets, factory="make")
    offered = entries(opened_menu(panel.target_button))
    assert offered["nets.py:make"].isChecked()
    offered["Selected operator: relu6_scale"].trigger()
    assert session.target == ExportTarget(operator="relu6_scale")


def test_that_a_file_with_several_factories_lets_the_person_choose(
    window: MainWindow, nets: Path, qtbot: QtBot
) -> None:
    panel, session = export_panel(window), session_of(window)
    before = set(panel.target_button.findChildren(QMenu))
    panel.target_button.offer(nets)
    (menu,) = set(panel.target_button.findChildren(QMenu)) - before
    assert list(entries(menu)) == ["nets.py:Gate", "nets.py:make", "nets.py:broken", "nets.py:dies"]
    entries(menu)["nets.py:broken"].trigger()
    menu.close()
    assert session.target == ExportTarget(file=nets, factory="broken")
    only = nets.with_name("only.py")
    only.write_text("def make(): ...\n", encoding="utf-8")
    panel.target_button.offer(only)
    assert session.target == ExportTarget(file=only, factory="make")
    only.write_text("def make(depth): ...\n", encoding="utf-8")
    panel.target_button.offer(only)
    assert "only.py makes no model" in window.notice.text
    qtbot.waitUntil(lambda: set(panel.target_button.findChildren(QMenu)) == before)


def test_that_route_opset_and_dimensions_are_chosen(window: MainWindow, nets: Path) -> None:
    panel, session = export_panel(window), session_of(window)
    session.choose_factory(nets, "make")
    offered = entries(opened_menu(panel.options_button))
    assert not offered["First axes vary"].isEnabled()
    offered["Are composed of standard nodes"].trigger()
    entries(opened_menu(panel.options_button))["All fixed"].trigger()
    opened_menu(panel.options_button)
    (opsets,) = panel.options_button.findChildren(QMenu, "opsets")
    entries(opsets)["17"].trigger()
    assert session.options == ExportOptions(route=Route.STANDARD, opset=17, varying=Varying.NONE)
    target = ExportTarget(file=nets, factory="make")
    session.keep(
        ExportResult(
            target=target, options=session.options, explanation=make_explanation(Made(torchscript=1, dynamo=1))
        )
    )
    assert entries(opened_menu(panel.options_button))["First axes vary"].isEnabled()


@pytest.fixture
def marking(qapp: QApplication) -> Iterator[Marking]:
    translator = Marking()
    yield translator
    qapp.removeTranslator(translator)


DATA = ("nets.py", "relu6_scale", "Ctrl+", "lab::", "aten::", "node_", "layers.", "axis 0 of x")
"""What is shown as it is, in every language."""


@pytest.mark.parametrize("section", list(Section), ids=lambda section: section.name.lower())
def test_that_no_text_of_the_panel_escapes_translation(
    window: MainWindow, nets: Path, marking: Marking, qapp: QApplication, section: Section
) -> None:
    panel, session = export_panel(window), session_of(window)
    session.choose_factory(nets, "make")
    explanation = make_explanation(Made(torchscript=2, dynamo=None), "lab::swish")
    session.keep(
        ExportResult(target=ExportTarget(file=nets, factory="make"), options=session.options, explanation=explanation)
    )
    window.perspectives.show("export")
    panel.view.select(section)
    qapp.processEvents()
    qapp.installTranslator(marking)
    window._retranslate()
    qapp.processEvents()
    widgets = (panel, *panel.header_widgets())
    plain = {
        (kind, text)
        for widget in widgets
        for kind, text in own_texts(widget)
        if any(sign.isalpha() for sign in text) and "⟦" not in text and not any(part in text for part in DATA)
    }
    assert plain == set()
    titles = [panel.view.sections.model().index(row, 0).data() for row in range(len(Section))]
    assert all(title.startswith("⟦") for title in titles)
    for table in panel.view.tables:
        heads = [table.model.headerData(column, table.view.horizontalHeader().orientation()) for column in range(4)]
        assert all(str(head).startswith("⟦") for head in heads)
    assert "⟦" in panel.view.heads[Exporter.DYNAMO].text
