"""A page that stands where there is nothing to show yet: what will be here, and the action that brings it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons

_ICON_PIXELS = 28
_MARGIN = 16
_WIDEST_TEXT = 480
"""Longer lines are hard to read, and leave single words on the last one."""


class StatePage(QWidget):
    """An icon, a headline, a sentence, and perhaps a button with its key."""

    def __init__(self, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._icon_name, self._icon_token = "", "text_3"
        self._action: QAction | None = None
        self._icon, self._title, self._text = QLabel(), QLabel(), QLabel()
        self._button, self._key = QPushButton(), QLabel()
        self._title.setFont(ui_font(semibold=True))
        self._key.setFont(ui_font(SMALL_PIXELS))
        self._layout = layout = QVBoxLayout(self)
        layout.setSpacing(6)
        layout.addStretch(2)
        for widget in (self._icon, self._title, self._text):
            widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
            layout.addWidget(widget)
        for label in (self._title, self._text):
            label.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (self._text, self._key):
            label.setProperty("tone", "quiet")
        layout.addSpacing(6)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._key, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self._fit_margins()
        self._button.clicked.connect(self._trigger)
        icons.changed.connect(self._refresh)

    def show_state(
        self, *, icon: str, tone: str = "text_3", title: str, text: str = "", action: QAction | None = None
    ) -> None:
        """Fill the page."""
        self._icon_name, self._icon_token = icon, tone
        self._follow(action)
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._button.setVisible(action is not None)
        self._key.setVisible(action is not None)
        self._show_action()
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lines short."""
        super().resizeEvent(event)
        self._fit_margins()

    def _fit_margins(self) -> None:
        beside = max((self.width() - _WIDEST_TEXT) // 2, _MARGIN)
        self._layout.setContentsMargins(beside, _MARGIN, beside, _MARGIN)

    def _follow(self, action: QAction | None) -> None:
        """Show an action, and whatever becomes of it: it may be enabled, or get its text in another language."""
        if action is self._action:
            return
        if self._action is not None:
            self._action.changed.disconnect(self._show_action)
        self._action = action
        if action is not None:
            action.changed.connect(self._show_action)

    def _show_action(self) -> None:
        if self._action is not None:
            self._button.setText(self._action.text())
            self._button.setEnabled(self._action.isEnabled())
            self._key.setText(self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))

    def _trigger(self) -> None:
        if self._action is not None:
            self._action.trigger()

    def _refresh(self) -> None:
        if self._icon_name:
            ratio = self.devicePixelRatioF()
            self._icon.setPixmap(self._icons.pixmap(self._icon_name, self._icon_token, size=_ICON_PIXELS, ratio=ratio))
