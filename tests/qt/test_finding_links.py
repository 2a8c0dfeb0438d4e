"""The id of a finding leads to its page in the help."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QTextBrowser

from opstudio.qt.main_window import MainWindow
from tests.qt.events import a_finding, bad_run


def test_that_the_id_of_a_finding_leads_to_its_page(window: MainWindow) -> None:
    window.bridge.events_received.emit(list(bad_run(a_finding("NUM012"))))
    detail = window.docks.panels["findings"].findChild(QTextBrowser)
    assert detail is not None
    assert "help:NUM012" in detail.toHtml()
    detail.anchorClicked.emit(QUrl("help:NUM012"))
    panel = window.docks.panels["help"]
    assert panel.isVisible()
    shown = [browser.toPlainText() for browser in panel.findChildren(QTextBrowser)]
    assert any("NUM012" in text for text in shown)
