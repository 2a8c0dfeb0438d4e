"""A text to read and to copy that breaks anywhere: paths and hashes have no spaces."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget


class WrappedText(QPlainTextEdit):
    """As high as its text at the width that it is given."""

    def __init__(self, text: str, font: QFont, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTabChangesFocus(True)
        self.setPlainText(text)

    def sizeHint(self) -> QSize:
        """Return the height of all lines."""
        # A plain text document counts its height in lines.
        lines = max(round(self.document().size().height()), 1)
        return QSize(80, lines * self.fontMetrics().lineSpacing() + 2)

    def minimumSizeHint(self) -> QSize:
        """Let the text be narrow."""
        return QSize(40, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take another height at another width."""
        super().resizeEvent(event)
        if self.height() != self.sizeHint().height():
            self.updateGeometry()
