from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QTextFormat
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import find_panels
from opstudio.qt.panels.help import HelpPanel
from opstudio.qt.theme.theme import Theme, ThemeChoice
from opstudio.workflows.help_pages import HelpLanguage, help_pages, rule_pages
from tests.qt.window_access import panel_of


@pytest.fixture
def panel(window: MainWindow) -> HelpPanel:
    window.docks.show_panel("help")
    QGuiApplication.processEvents()
    return panel_of(window, HelpPanel)


def names(panel: HelpPanel) -> list[str]:
    return [panel.model.at(row).page.name for row in range(panel.model.rowCount())]


def key_of(name: str) -> str:
    return QKeySequence(name).toString(QKeySequence.SequenceFormat.PortableText)


def test_that_the_panel_is_hidden_until_it_is_called(window: MainWindow) -> None:
    assert not window.docks.panels["help"].isVisible()
    window.docks.show_panel("help")
    assert window.docks.panels["help"].isVisible()


def test_that_all_pages_and_all_ids_are_listed_pages_first(panel: HelpPanel) -> None:
    assert names(panel) == [page.name for page in (*help_pages(), *rule_pages())]
    assert len(names(panel)) > 80
    QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def test_that_every_page_opens_with_its_title_and_its_whole_text(panel: HelpPanel) -> None:
    for page in (*help_pages(), *help_pages(HelpLanguage.CHINESE), *rule_pages()):
        panel.browser.show_markdown(page.markdown)
        shown = panel.browser.toPlainText()
        assert shown.startswith(page.title.split("`")[0].split("  ")[0])
        for code in re.findall(r"^```\w*\n(.*?)^```", page.text, re.MULTILINE | re.DOTALL):
            assert [line for line in code.splitlines() if line not in shown] == []
    for page in rule_pages():
        assert panel.show_page(page.name)
        assert panel.page == page.name


def test_that_words_find_pages_and_enter_opens_the_first_at_the_word(panel: HelpPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.search, "precompiled")
    assert names(panel)[0] == "kernel"
    qtbot.keyClick(panel.search, Qt.Key.Key_Return)
    assert panel.page == "kernel"
    assert panel.browser.textCursor().selectedText() == "precompiled"


def test_that_the_arrows_move_in_the_list_while_words_are_typed(panel: HelpPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.search, "strides")
    second = names(panel)[1]
    qtbot.keyClick(panel.search, Qt.Key.Key_Down)
    qtbot.keyClick(panel.search, Qt.Key.Key_Return)
    assert panel.page == second


def test_that_escape_empties_the_search_and_cancels_nothing(window: MainWindow, panel: HelpPanel, qtbot: QtBot) -> None:
    cancelled: list[bool] = []
    window.actions_.cancel.triggered.connect(cancelled.append)
    window.activateWindow()
    panel.focus_content()
    qtbot.keyClicks(panel.search, "stride")
    qtbot.keyClick(panel.search, Qt.Key.Key_Escape)
    assert panel.search.text() == ""
    assert cancelled == []
    assert len(names(panel)) > 80


def test_that_no_match_says_what_to_do(panel: HelpPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.search, "zebra")
    assert names(panel) == []
    assert panel.empty_page.isVisible()
    panel.search.clear()
    assert panel.view.isVisible()


def test_that_all_pages_are_a_click_away_from_a_page_that_was_searched(panel: HelpPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.search, "precompiled")
    qtbot.keyClick(panel.search, Qt.Key.Key_Return)
    _, contents = panel.header_widgets()
    assert isinstance(contents, QToolButton)
    contents.click()
    assert (panel.page, panel.search.text(), len(names(panel)) > 80) == ("", "", True)
    panel.go_back()
    assert panel.page == "kernel"


def test_that_a_page_is_scrolled_while_the_search_has_the_keyboard(panel: HelpPanel, qtbot: QtBot) -> None:
    panel.show_page("kernel")
    QGuiApplication.processEvents()
    qtbot.keyClick(panel.search, Qt.Key.Key_PageDown)
    assert panel.browser.verticalScrollBar().value() > 0


def test_that_a_click_on_a_row_opens_its_page(panel: HelpPanel, qtbot: QtBot) -> None:
    place = panel.view.visualRect(panel.model.index(2, 0)).center()
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert panel.page == names(panel)[2]


def test_that_links_lead_from_page_to_page_and_back_leads_back(panel: HelpPanel, qtbot: QtBot) -> None:
    assert panel.show_page("start")
    panel.browser.anchorClicked.emit(QUrl("loop.md"))
    assert panel.page == "loop"
    window = panel.window()
    window.activateWindow()
    panel.browser.setFocus()
    qtbot.keyClick(panel.browser, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert panel.page == "start"
    panel.go_back()
    assert (panel.page, panel.view.isVisible()) == ("", True)
    back, contents = panel.header_widgets()
    assert isinstance(back, QToolButton)
    assert not back.isEnabled()
    assert not contents.isEnabled()


def test_that_an_address_outside_is_shown_and_not_opened(panel: HelpPanel) -> None:
    panel.show_page("start")
    panel.browser.anchorClicked.emit(QUrl("https://example.org/page"))
    assert panel.page == "start"
    assert panel.address == "https://example.org/page"
    panel.show_page("loop")
    panel.show_list()
    assert panel.view.isVisible()


def test_that_the_page_is_told_in_the_language_of_the_moment(panel: HelpPanel, language: Language) -> None:
    panel.show_page("loop")
    english = panel.browser.toPlainText()
    language.choose(LanguageChoice.CHINESE)
    QGuiApplication.processEvents()
    assert panel.page == "loop"
    assert panel.browser.toPlainText().startswith("各个阶段")
    language.choose(LanguageChoice.ENGLISH)
    QGuiApplication.processEvents()
    assert panel.browser.toPlainText() == english


def test_that_code_links_and_tables_have_the_colours_of_the_theme(panel: HelpPanel, theme: Theme) -> None:
    panel.show_page("start")
    for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT):
        theme.choose(choice)
        grounds, links = set(), set()
        block = panel.browser.document().begin()
        while block.isValid():
            if block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence):
                grounds.add(block.blockFormat().background().color().name())
            for part in block.textFormats():
                if part.format.isAnchor():
                    links.add(part.format.foreground().color().name())
            block = block.next()
        assert grounds == {QColor(theme.tokens.raised).name()}
        assert links == {QColor(theme.tokens.accent).name()}


@pytest.mark.parametrize("spoken", list(HelpLanguage))
def test_that_every_key_of_the_window_page_is_that_of_an_action(window: MainWindow, spoken: HelpLanguage) -> None:
    text = next(page.text for page in help_pages(spoken) if page.name == "window")
    keys = re.findall(r"^\| `([A-Z][\w+]*)` \|", text, re.MULTILINE)
    known = {key_of(action.shortcut().toString()) for action in window.actions_.all}
    assert len(keys) > 20
    assert [key for key in keys if key_of(key) not in known] == []


@pytest.mark.parametrize("spoken", list(HelpLanguage))
def test_that_the_window_page_names_the_panels_and_the_signs_of_the_product(
    window: MainWindow, spoken: HelpLanguage
) -> None:
    text = next(page.text for page in help_pages(spoken) if page.name == "window")
    titles = re.findall(r"^\| \*\*([\w ]+)\*\*", text, re.MULTILINE)
    assert set(titles) == {panel.title for panel in find_panels()}
    signs = re.findall(r"^\| `([^\w`])` \|", text, re.MULTILINE)
    assert set(signs) == {source.prefix for source in window.finder.picker._sources} - {""}
