"""A notification in the corner of the window. It never takes the keyboard and goes away by itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from opstudio.qt.notifications import Notification
from opstudio.qt.theme.fonts import ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

SHOWN_MS = 6000
_HEIGHT = 36
_MARGIN = 16
_PADDING = 12
_WIDEST = 460


class Toast(QWidget):
    """Shows the newest notification; a click leads to what it is about."""

    chosen = Signal(str)
    """The operator that the notification is about was clicked."""

    def __init__(self, theme: Theme, icons: Icons, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._icons, self._window = theme, icons, window
        self._shown: Notification | None = None
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        window.installEventFilter(self)
        self.hide()

    def show_notification(self, notification: Notification) -> None:
        """Show a notification for a while."""
        self._shown = notification
        self.setAccessibleName(notification.text)
        self.setCursor(Qt.CursorShape.PointingHandCursor if notification.operator else Qt.CursorShape.ArrowCursor)
        self._place()
        self.show()
        self.raise_()
        self.update()
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner."""
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Lead to what the notification is about."""
        self.hide()
        if self._shown is not None and self._shown.operator:
            self.chosen.emit(self._shown.operator)

    def sizeHint(self) -> QSize:
        """Return the size of the text."""
        text = "" if self._shown is None else self._shown.text
        width = 2 * _PADDING + 16 + 8 + QFontMetricsF(ui_font()).horizontalAdvance(text) + 2
        return QSize(min(round(width), _WIDEST), _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint ground, icon and text."""
        if self._shown is None:
            return
        with QPainter(self) as painter:
            tokens = self._theme.tokens
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(tokens.line))
            painter.setBrush(QColor(tokens.raised))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            self._icons.paint(painter, self._shown.icon, self._shown.tone, QPointF(_PADDING, (_HEIGHT - 16) / 2))
            painter.setPen(QColor(tokens.text))
            painter.setFont(ui_font())
            room = QRectF(_PADDING + 24, 0, self.width() - 2 * _PADDING - 24, _HEIGHT)
            text = QFontMetricsF(painter.font()).elidedText(
                self._shown.text.replace("\n", " "), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)

    def _place(self) -> None:
        window = self._window
        self.resize(self.sizeHint())
        self.move(window.width() - self.width() - _MARGIN, window.height() - self.height() - 2 * _MARGIN - 8)
