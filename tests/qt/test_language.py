"""The texts of the window: all of them translated, and all of them switched while it is open."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot

from opstudio.checks.check import all_checks
from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panels.evidence import EvidencePanel
from opstudio.qt.preferences import Preferences
from opstudio.qt.theme.theme import Theme
from opstudio.qt.windows import StartWindow
from tests.qt.events import bad_run
from tests.qt.window_access import feed, panel_of
from tests.support.workspaces import ROOT

TRANSLATIONS = ROOT / "resources" / "translations"
TS = TRANSLATIONS / "opstudio_zh_CN.ts"
TOOLS = Path(sys.executable).parent
SAME_EVERYWHERE = frozenset({"OpStudio", "opcheck", "Meta", "CUDA", "Schema", "zh_CN"})
"""Names and terms that both languages share."""


def messages(file: Path) -> dict[tuple[str, str], ET.Element]:
    found = {}
    for context in ET.parse(file).getroot().iter("context"):  # noqa: S314 - a file of ours
        for message in context.iter("message"):
            found[context.findtext("name", ""), message.findtext("source", "")] = message
    return found


def test_that_the_translations_hold_every_text_of_the_window_and_no_other(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.ts"
    sources = sorted(str(path) for path in (ROOT / "app" / "opstudio" / "qt").rglob("*.py"))
    command = [TOOLS / "pyside6-lupdate", "-locations", "none", "-target-language", "zh_CN", *sources, "-ts", fresh]
    subprocess.run(command, check=True, capture_output=True)
    assert messages(TS).keys() - messages(fresh).keys() == set(), "gone from the sources: run lupdate again"
    assert messages(fresh).keys() - messages(TS).keys() == set(), "not in the translations yet: run lupdate again"


def test_that_every_text_is_translated() -> None:
    for (context, source), message in messages(TS).items():
        translation = message.find("translation")
        assert translation is not None
        assert translation.text, (context, source)
        assert translation.get("type") is None, (context, source, "is not finished")
        has_chinese = any("\u4e00" <= sign <= "\u9fff" for sign in translation.text)
        assert has_chinese or translation.text in SAME_EVERYWHERE, (context, source)
        assert placeholders(translation.text) == placeholders(source), (context, source)


def placeholders(text: str) -> list[str]:
    return sorted(part.partition("}")[0] for part in text.split("{")[1:])


def test_that_the_compiled_translations_are_those_of_the_texts(tmp_path: Path) -> None:
    made = tmp_path / "made.qm"
    subprocess.run([TOOLS / "pyside6-lrelease", TS, "-qm", made], check=True, capture_output=True)
    assert made.read_bytes() == (TRANSLATIONS / "opstudio_zh_CN.qm").read_bytes()


def test_that_every_stage_has_a_title_and_a_description() -> None:
    known = {source for context, source in messages(TS) if context == "Stage"}
    ids = {check.id for check in all_checks()}
    assert ids <= known
    assert len(known) == 2 * len(ids)


class Marking(QTranslator):
    """Puts a mark before every text that asks for a translation, so that those which never ask stand out."""

    def translate(self, _context: str, source: str, _disambiguation: str | None = None, _number: int = -1) -> str:
        return f"⟦{source}"

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False


@pytest.fixture
def marking(qapp: QApplication) -> Iterator[Marking]:
    translator = Marking()
    yield translator
    qapp.removeTranslator(translator)


def own_texts(root: QWidget) -> Iterator[tuple[str, str]]:
    """Yield the texts of actions and of widgets that are not hidden, with what they belong to."""
    for widget in [root, *(widget for widget in root.findChildren(QWidget) if widget.isVisibleTo(root))]:
        kind = f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        yield kind, widget.toolTip()
        if isinstance(widget, QAbstractButton | QLabel):
            yield kind, widget.text()
        elif isinstance(widget, QLineEdit):
            yield kind, widget.placeholderText()
        elif isinstance(widget, QMenu):
            yield kind, widget.title()
        elif isinstance(widget, QDockWidget):
            yield kind, widget.windowTitle()
        elif isinstance(widget, QComboBox):
            yield from ((kind, widget.itemText(number)) for number in range(widget.count()))
    for action in root.findChildren(QAction):
        yield f"QAction in {type(action.parent()).__name__}", action.text()


DATA = (
    "relu6_scale",
    "contract.toml",
    "reference.py",
    "model.py",
    "myops",
    "NUM012",
    "UTF-8",
    "English",
    "简体中文",
    "12 cases",
    "20.0 ms",
    "Ctrl+",
    "Values differ",
    "elements differ",
    "g++",
    "/",
)
"""What is shown as it is, in every language."""


def test_that_no_text_of_the_window_escapes_translation(
    window: MainWindow, marking: Marking, qapp: QApplication
) -> None:
    feed(window, *bad_run())
    window.selection.select_stage("value")
    window.reading.show_welcome()
    qapp.installTranslator(marking)
    window.actions_.retranslate()
    window._retranslate()
    qapp.processEvents()
    plain = {
        (kind, text)
        for kind, text in own_texts(window)
        if any(sign.isalpha() for sign in text) and "⟦" not in text and not any(part in text for part in DATA)
    }
    assert plain == set()


def test_that_no_text_of_the_first_page_escapes_translation(theme: Theme, qapp: QApplication, marking: Marking) -> None:
    qapp.installTranslator(marking)
    start = StartWindow(theme, Preferences())
    plain = {text for _, text in own_texts(start) if any(sign.isalpha() for sign in text) and "⟦" not in text}
    start.deleteLater()
    assert plain == set()


def test_that_the_language_changes_while_the_window_is_open(
    window: MainWindow, language: Language, qapp: QApplication, qtbot: QtBot
) -> None:
    evidence = panel_of(window, EvidencePanel)
    feed(window, *bad_run())
    qtbot.waitUntil(lambda: evidence.evidence is not None)
    before = dict(enumerate(own_texts(window)))
    language.choose(LanguageChoice.CHINESE)
    qapp.processEvents()
    assert window.actions_.save.text() == "保存"
    assert window.strip.verdict.mark.word == "未通过"
    assert window.strip.chip("value").accessibleName().startswith("数值")
    assert [dock.windowTitle() for dock in window.findChildren(QDockWidget) if dock.objectName() == "panel.log"] == [
        "日志"
    ]
    assert "文件(&F)" in {menu.title() for menu in window.menuBar().findChildren(QMenu)}
    language.choose(LanguageChoice.ENGLISH)
    qapp.processEvents()
    evidence.refresh()
    assert dict(enumerate(own_texts(window))) == before


def test_that_the_language_of_the_system_is_taken_at_first(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    chinese = QLocale(QLocale.Language.Chinese, QLocale.Country.China)
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: chinese))
    language = Language(qapp)
    assert language.in_force is LanguageChoice.CHINESE
    language.choose(LanguageChoice.ENGLISH)
    language.deleteLater()
