"""The field that finds everything, over the upper part of the window. It goes away with the choice, or with Escape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListView, QStyle, QStyledItemDelegate, QVBoxLayout, QWidget

from opstudio.qt.picker.pick import Pick, Source, fitting
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget

_WIDTH = 640
_TOP = 44
_ROW_HEIGHT = 28
_MOST_ROWS_SHOWN = 12
_MOST_ROWS = 500
_PADDING = 12
_GAP = 10
_Index = QModelIndex | QPersistentModelIndex
_LIST_KEYS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})


class Picker(TranslatedWidget):
    """Shows what the source of the typed prefix offers."""

    def __init__(self, sources: Sequence[Source], theme: Theme, icons: Icons, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self._sources = tuple(sources)
        self._before: QWidget | None = None
        self._field, self._empty = QLineEdit(), QLabel()
        self._model = _PickModel()
        self._view = QListView()
        self._view.setModel(self._model)
        self._view.setItemDelegate(_PickDelegate(theme, icons, self._view))
        self._view.setFrameShape(QFrame.Shape.NoFrame)
        self._view.setUniformItemSizes(True)
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.setMouseTracking(True)
        self._view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._view.clicked.connect(self._run)
        self._empty.setContentsMargins(_PADDING, 6, _PADDING, 8)
        self._empty.setProperty("tone", "quiet")
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        for widget in (self._field, self._view, self._empty):
            column.addWidget(widget)
        self._field.textChanged.connect(self._search)
        self._field.installEventFilter(self)
        self.setFocusProxy(self._field)
        window.installEventFilter(self)
        theme.changed.connect(self.update)
        self.retranslate()
        self.hide()

    @property
    def field(self) -> QLineEdit:
        """Where the person types."""
        return self._field

    @property
    def picks(self) -> tuple[Pick, ...]:
        """The rows that are shown."""
        return self._model.picks

    def open(self, prefix: str = "") -> None:
        """Show what the source of a prefix offers, and take the keyboard."""
        if self.isHidden():
            self._before = self.window().focusWidget()
        self._field.setText(prefix)
        self._search(prefix)
        self.show()
        self.raise_()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        """Go away and give the keyboard back."""
        self.hide()
        if self._before is not None:
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)

    def retranslate(self) -> None:
        """Set the texts."""
        self._field.setAccessibleName(self.tr("Search or command"))
        self._empty.setText(self.tr("Nothing fits"))
        self._show_hint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hand keys that move in the list to it; go away with Escape or when the keyboard goes elsewhere."""
        if watched is self._window and event.type() is QEvent.Type.Resize:
            self._place()
        if watched is self._field:
            # Elsewhere in the window Escape cancels what runs.
            if event.type() is QEvent.Type.ShortcutOverride and _key(event) == Qt.Key.Key_Escape:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress and self._take_key(event):
                return True
            if event.type() is QEvent.Type.FocusOut and self.window().isActiveWindow():
                self.hide()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground and its border."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(self._theme.tokens.line))
            painter.setBrush(QColor(self._theme.tokens.raised))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)

    def _take_key(self, event: QEvent) -> bool:
        key = _key(event)
        if key in _LIST_KEYS and isinstance(event, QKeyEvent):
            self._view.keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self._view.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            return False
        return True

    def _source(self, typed: str) -> Source:
        return next(source for source in self._sources if typed.startswith(source.prefix))

    def _search(self, typed: str) -> None:
        source = self._source(typed)
        wanted = typed.removeprefix(source.prefix).strip()
        picks = fitting(source.picks(wanted), wanted) if wanted else list(source.picks(wanted))
        self._model.set_picks(picks[:_MOST_ROWS])
        first = next((row for row, pick in enumerate(self._model.picks) if not pick.is_note), -1)
        self._view.setCurrentIndex(self._model.index(first, 0))
        self._view.setVisible(bool(picks))
        self._empty.setVisible(not picks)
        self._show_hint()
        self._place()

    def _show_hint(self) -> None:
        self._field.setPlaceholderText(self._source(self._field.text()).hint())

    def _place(self) -> None:
        window = self._window
        rows = min(self._model.rowCount(), _MOST_ROWS_SHOWN)
        self._view.setFixedHeight(max(rows, 1) * _ROW_HEIGHT)
        width = min(_WIDTH, window.width() - 32)
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((window.width() - width) // 2, _TOP)

    def _run(self, index: _Index) -> None:
        if index.isValid():
            pick = self._model.picks[index.row()]
            if pick.is_enabled:
                self.dismiss()
                pick.run()


class _PickModel(QAbstractListModel):
    """The rows; replaced as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self.picks: tuple[Pick, ...] = ()

    def set_picks(self, picks: Sequence[Pick]) -> None:
        self.beginResetModel()
        self.picks = tuple(picks)
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.picks)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            pick = self.picks[index.row()]
            return " ".join(part for part in (pick.text, pick.detail, pick.key) if part)
        return None


class _PickDelegate(QStyledItemDelegate):
    """Paints icon, text, detail, and the key at the right end."""

    def __init__(self, theme: Theme, icons: Icons, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._icons = theme, icons

    def sizeHint(self, _option: Any, _index: _Index) -> QSize:
        return QSize(0, _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: Any, index: _Index) -> None:
        model, tokens = index.model(), self._theme.tokens
        assert isinstance(model, _PickModel)
        pick, area = model.picks[index.row()], QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.selection))
            painter.drawRoundedRect(area, 5, 5)
        icon_top = area.top() + (_ROW_HEIGHT - 16) / 2
        self._icons.paint(painter, pick.icon, pick.tone, QPointF(area.left() + _PADDING, icon_top))
        left, right = area.left() + _PADDING + 16 + _GAP, area.right() - _PADDING
        small = ui_font(SMALL_PIXELS)
        if pick.key:
            right = self._draw_right(painter, pick.key, area, right, small)
        painter.setFont(ui_font())
        painter.setPen(QColor(tokens.text if pick.is_enabled or pick.is_note else tokens.text_3))
        metrics = QFontMetricsF(painter.font())
        text = metrics.elidedText(pick.text, Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(QRectF(left, area.top(), right - left, _ROW_HEIGHT), Qt.AlignmentFlag.AlignVCenter, text)
        left += metrics.horizontalAdvance(text) + _GAP
        if pick.detail and right > left:
            painter.setFont(small)
            painter.setPen(QColor(tokens.text_2))
            detail = QFontMetricsF(small).elidedText(pick.detail, Qt.TextElideMode.ElideMiddle, right - left)
            painter.drawText(QRectF(left, area.top(), right - left, _ROW_HEIGHT), Qt.AlignmentFlag.AlignVCenter, detail)
        painter.restore()

    def _draw_right(self, painter: QPainter, text: str, area: QRectF, right: float, font: Any) -> float:
        """Draw a key at the right end; return where what stands before it must end."""
        painter.setFont(font)
        painter.setPen(QColor(self._theme.tokens.text_2))
        width = QFontMetricsF(font).horizontalAdvance(text)
        painter.drawText(QRectF(right - width, area.top(), width + 1, _ROW_HEIGHT), Qt.AlignmentFlag.AlignVCenter, text)
        return right - width - _GAP


def _key(event: QEvent) -> int:
    return event.key() if isinstance(event, QKeyEvent) else 0
