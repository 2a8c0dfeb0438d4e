"""The help in the middle of the window, where there is room to read; the panel Help shows it beside the work."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from opstudio.qt.panel import PanelContext
from opstudio.qt.panels.help import HelpPanel
from opstudio.qt.theme.fonts import TITLE_PIXELS, ui_font
from opstudio.qt.widgets.translated import TranslatedWidget
from opstudio.workflows.help_pages import HelpPage

_WIDEST = 860
"""Longer lines are hard to read."""


class ReadingPage(TranslatedWidget):
    """Goes away with its button, with Escape, or when something else is brought to the middle."""

    left = Signal()

    def __init__(self, context: PanelContext, more_pages: Callable[[], Sequence[HelpPage]]) -> None:
        super().__init__()
        self._context = context
        self.help = HelpPanel(context, more_pages)
        self._title, self._close = QLabel(), QToolButton()
        self._title.setFont(ui_font(TITLE_PIXELS, semibold=True))
        self._close.clicked.connect(self.left)
        context.icons.changed.connect(self.retranslate)
        context.theme.changed.connect(self.update)
        inner = QWidget()
        inner.setMaximumWidth(_WIDEST)
        head = QHBoxLayout()
        head.setContentsMargins(14, 10, 8, 2)
        head.setSpacing(8)
        head.addWidget(self._title, 1)
        for widget in (*self.help.header_widgets(), self._close):
            head.addWidget(widget)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.help, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inner, 100)
        row.addStretch(1)
        self.setFocusProxy(self.help.search)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.left)
        escape.activatedAmbiguously.connect(self.left)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts."""
        self._title.setText(self.tr("Help"))
        self._close.setIcon(self._context.icons.icon("close"))
        self._close.setToolTip(self.tr("Close the help (Esc)"))
        self._close.setAccessibleName(self.tr("Close the help"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground of a page."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._context.theme.tokens.surface))
