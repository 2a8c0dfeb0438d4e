"""A rich text to read and to copy that is as high as all of it; its links are numbers."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget


class DetailsText(QTextBrowser):
    """Breaks anywhere, as names and paths have no spaces, and never scrolls by itself."""

    link_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTabChangesFocus(False)
        self.anchorClicked.connect(self._take_link)

    def show_html(self, text: str) -> None:
        """Show a text; one that is shown already keeps its selection."""
        if text != self._shown:
            self._shown = text
            self.setHtml(text)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the height of all lines."""
        return QSize(80, round(self.document().size().height()) + 2)

    def minimumSizeHint(self) -> QSize:
        """Let the text be narrow."""
        return QSize(40, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take another height at another width."""
        super().resizeEvent(event)
        if self.height() != self.sizeHint().height():
            self.updateGeometry()

    def _take_link(self, link: QUrl) -> None:
        self.link_chosen.emit(int(link.toString()))
