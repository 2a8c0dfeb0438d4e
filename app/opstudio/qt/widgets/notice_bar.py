"""A bar that asks or tells something in place, without standing in the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget

_FLASH_MS = 160
_FLASHES = 2
Choice = tuple[str, Callable[[], None]]
"""The text of a button and what it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a bar says, and the answers it offers."""

    text: str
    choices: tuple[Choice, ...] = ()
    icon: str = "warning"
    tone: str = "warn"
    can_close: bool = False
    """Whether it may also be left without an answer. What asks nothing always may."""


class NoticeBar(TranslatedWidget):
    """Hidden until it has something to say; goes away with the answer."""

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self._make: Callable[[], Notice] | None = None
        self._shown = Notice(text="")
        self._icon, self._text = QLabel(), QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._buttons: list[QPushButton] = []
        self._close = QToolButton()
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.clicked.connect(self.forget)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(12, 6, 8, 6)
        self._layout.setSpacing(8)
        self._layout.addWidget(self._icon)
        self._layout.addWidget(self._text, 1)
        self._layout.addWidget(self._close)
        self._flashes = 0
        self._flash_timer = QTimer(self)
        self._flash_timer.setInterval(_FLASH_MS)
        self._flash_timer.timeout.connect(self._flash)
        icons.changed.connect(self._refresh)
        self.hide()

    @property
    def text(self) -> str:
        """What the bar says."""
        return self._text.text()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The answers."""
        return tuple(self._buttons)

    def say(self, make: Callable[[], Notice]) -> None:
        """Show a notice. It is made again in another language; each answer hides the bar first.

        What is said already stays as it is, with the keyboard where it was.
        """
        self._make = make
        self.retranslate()
        self.show()

    def is_saying(self, make: Callable[[], Notice]) -> bool:
        """Whether this very notice is shown."""
        return self._make == make and not self.isHidden()

    def call(self) -> None:
        """Answer a person who goes on as if nothing were asked: flash, and take the keyboard to the first answer."""
        if self.isHidden():
            return
        self._flashes = 2 * _FLASHES
        self._flash_timer.start()
        self._flash()
        if self._buttons:
            self._buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def forget(self) -> None:
        """Hide the bar."""
        self._flash_timer.stop()
        self._flashes = 0
        self.hide()
        self._make = None
        self._show(Notice(text=""))

    def retranslate(self) -> None:
        """Make the notice again."""
        self._close.setToolTip(self.tr("Close"))
        self._close.setAccessibleName(self.tr("Close"))
        if self._make is not None:
            self._show(self._make())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the quiet ground of the state."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.tokens.tint(self._shown.tone)))
            if self._flashes % 2:
                painter.setPen(QPen(QColor(getattr(self._theme.tokens, self._shown.tone)), 2))
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop flashing with the window."""
        super().hideEvent(event)
        self._flash_timer.stop()
        self._flashes = 0

    def _flash(self) -> None:
        self._flashes -= 1
        if self._flashes <= 0:
            self._flash_timer.stop()
        self.update()

    def _show(self, notice: Notice) -> None:
        if notice == self._shown:
            return
        for button in self._buttons:
            self._layout.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons.clear()
        self._shown = notice
        self._text.setText(notice.text)
        for label, action in notice.choices:
            button = QPushButton(label, self)
            # A click leaves the keyboard where it was; the button is gone behind it.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(self.forget)
            button.clicked.connect(action)
            self._layout.addWidget(button)
            self._buttons.append(button)
        # What asks nothing goes away when it has been read.
        self._close.setVisible(notice.can_close or not notice.choices)
        if notice.choices:
            self._layout.removeWidget(self._close)
            self._layout.addWidget(self._close)
        self._refresh()

    def _refresh(self) -> None:
        ratio = self.devicePixelRatioF()
        self._close.setIcon(self._icons.icon("close"))
        self._icon.setPixmap(self._icons.pixmap(self._shown.icon, self._shown.tone, ratio=ratio))
        self.update()
