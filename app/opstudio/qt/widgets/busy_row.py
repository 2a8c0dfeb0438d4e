"""A row that tells what runs and since when, with the button that ends it."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons


class BusyRow(QWidget):
    """Hidden while nothing runs."""

    def __init__(self, cancel: QAction, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._icon, self._text, button = QLabel(), QLabel(), QToolButton()
        self._text.setFont(ui_font(SMALL_PIXELS))
        self._text.setProperty("tone", "quiet")
        self._text.setWordWrap(True)
        button.setDefaultAction(cancel)
        button.setIconSize(QSize(14, 14))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 6, 4)
        layout.setSpacing(8)
        layout.addWidget(self._icon)
        layout.addWidget(self._text, 1)
        layout.addWidget(button)
        icons.changed.connect(self._refresh)
        self._refresh()
        self.hide()

    def show_text(self, text: str) -> None:
        """Tell what runs."""
        self._text.setText(text)
        self.show()

    def _refresh(self) -> None:
        self._icon.setPixmap(self._icons.pixmap("running", "info", size=14, ratio=self.devicePixelRatioF()))
