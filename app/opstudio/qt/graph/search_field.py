"""The field that searches a graph, and how many were found."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.widgets.translated import TranslatedWidget

_PAUSE_MS = 120
"""Of typing, behind which the search begins."""


class SearchField(TranslatedWidget):
    """Return goes on to the next, Shift+Return back, Escape to the graph."""

    searched = Signal(str)
    stepped = Signal(int)
    left = Signal()

    def __init__(self, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.field, self._count = QLineEdit(), QLabel()
        self._previous, self._next = QToolButton(), QToolButton()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._search)
        self._mark = self.field.addAction(icons.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(96)
        self.field.setMaximumWidth(240)
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._count.setFont(ui_font(SMALL_PIXELS))
        self._count.setProperty("tone", "quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self.field, self._count, self._previous, self._next):
            row.addWidget(widget)
        for button, by in ((self._previous, -1), (self._next, 1)):
            button.setIconSize(QSize(14, 14))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(self._go_back if by < 0 else self._go_on)
            button.hide()
        self._count.hide()
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._typed)
        self.field.installEventFilter(self)
        icons.changed.connect(self._refresh)
        self._refresh()
        self.retranslate()

    @property
    def said(self) -> str:
        """What is told about the search."""
        return self._count.text()

    def show_found(self, text: str, *, has_some: bool, detail: str = "") -> None:
        """Tell how many were found, or what is wrong with what was typed."""
        self._count.setText(text)
        self._count.setToolTip(detail)
        self._count.setVisible(bool(text))
        self._previous.setVisible(has_some)
        self._next.setVisible(has_some)

    def retranslate(self) -> None:
        """Set the texts."""
        self.field.setPlaceholderText(self.tr("Search nodes"))
        self.field.setAccessibleName(self.tr("Search nodes"))
        self.field.setToolTip(
            self.tr(
                "Words of names, types and values; type:Conv, domain:myops, name:/regular expression/, "
                "attribute:axis=1, shape:1x64, dtype:float16, unresolved"
            )
        )
        for button, text in (
            (self._previous, self.tr("Previous one found (Shift+Return)")),
            (self._next, self.tr("Next one found (Return)")),
        ):
            button.setToolTip(text)
            button.setAccessibleName(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that lead on."""
        if watched is self.field and isinstance(event, QKeyEvent):
            key = event.key()
            if event.type() is QEvent.Type.ShortcutOverride and key == Qt.Key.Key_Escape:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._finish_typing()
                is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                self.stepped.emit(-1 if is_back else 1)
                return True
            if event.type() is QEvent.Type.KeyPress and key == Qt.Key.Key_Escape:
                self.left.emit()
                return True
        return super().eventFilter(watched, event)

    def _go_on(self) -> None:
        self.stepped.emit(1)

    def _go_back(self) -> None:
        self.stepped.emit(-1)

    def _typed(self) -> None:
        self._timer.start()

    def _finish_typing(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
            self._search()

    def _search(self) -> None:
        self.searched.emit(self.field.text())

    def _refresh(self) -> None:
        self._mark.setIcon(self._icons.icon("search", "text_3"))
        self._previous.setIcon(self._icons.icon("previous"))
        self._next.setIcon(self._icons.icon("next"))
