"""The id of a finding leads to its page in the help."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QTextBrowser

from opstudio.qt.main_window import MainWindow
from opstudio.qt.panels.findings import FindingsPanel
from opstudio.qt.panels.help import HelpPanel
from tests.qt.events import a_finding, bad_run
from tests.qt.window_access import feed, panel_of


def test_that_the_id_of_a_finding_leads_to_its_page(window: MainWindow) -> None:
    feed(window, *bad_run(a_finding("NUM012")))
    detail = panel_of(window, FindingsPanel).findChild(QTextBrowser)
    assert detail is not None
    assert "help:NUM012" in detail.toHtml()
    detail.anchorClicked.emit(QUrl("help:NUM012"))
    panel = panel_of(window, HelpPanel)
    assert panel.isVisible()
    shown = [browser.toPlainText() for browser in panel.findChildren(QTextBrowser)]
    assert any("NUM012" in text for text in shown)
