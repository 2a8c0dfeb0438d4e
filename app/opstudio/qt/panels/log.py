"""What compilers and workers print, and the verdicts between them."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QKeySequence, QPainter, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QTableView,
    QToolButton,
    QWidget,
)

from opstudio.base.units import render_seconds
from opstudio.jobs.events import JobFinished, OutputWritten, VerdictReached
from opstudio.qt.bridge import WindowEvent
from opstudio.qt.models.log_model import LineSplitter, LogLine, LogModel
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font, ui_font
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.state_page import StatePage

_ROW_HEIGHT = 18
_PADDING = 10
_TIME_COLUMNS = 10
_OPERATOR_COLUMNS = 16
_SOURCE_COLUMNS = 9
_SEARCH_WIDTH = 180


class LogPanel(Panel):
    """Follows the end while the end is in view."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._model, self._splitter = LogModel(), LineSplitter()
        self._longest, self._follows = 0, True
        self._search, self._count, self._clear = QLineEdit(), QLabel(), QToolButton()
        self._view = self._make_view()
        bar = self._view.verticalScrollBar()
        bar.valueChanged.connect(self._take_scrolling)
        bar.rangeChanged.connect(self._take_growth)
        self._empty = StatePage(context.icons)
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self._empty)
        self._layout.addWidget(self._view)
        self._fill_header()
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self._view)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_selected)
        context.events.events_received.connect(self._receive)
        context.icons.changed.connect(self._refresh_icons)
        self.retranslate()

    @property
    def model(self) -> LogModel:
        """The lines."""
        return self._model

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now."""
        if not self._model.rowCount():
            return PanelState.EMPTY
        return PanelState.BUSY if self._context.state.is_busy else PanelState.READY

    def retranslate(self) -> None:
        """Set the texts."""
        self._view.setAccessibleName(self.tr("Log"))
        self._search.setPlaceholderText(self.tr("Search the log"))
        self._clear.setToolTip(self.tr("Forget all lines"))
        self._clear.setAccessibleName(self.tr("Forget all lines"))
        self._refresh()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the number of lines, the search and the button that forgets all lines."""
        return (self._count, self._search, self._clear)

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def clear(self) -> None:
        """Forget all lines."""
        self._model.clear()
        self._longest = 0
        self._refresh()

    def copy_selected(self) -> None:
        """Put the selected lines on the clipboard."""
        rows = sorted(index.row() for index in self._view.selectedIndexes())
        QGuiApplication.clipboard().setText("\n".join(str(self._model.at(row)) for row in rows))

    def _make_view(self) -> _LineView:
        """Return the list. A table, because it knows the height of its rows without asking for each of them."""
        view = _LineView()
        view.resized.connect(self._adapt_width)
        view.setModel(self._model)
        view.setItemDelegate(_LineDelegate(self._context.theme, view))
        view.setShowGrid(False)
        view.horizontalHeader().hide()
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setMinimumSectionSize(_ROW_HEIGHT)
        view.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setTabKeyNavigation(False)
        view.setFrameShape(QTableView.Shape.NoFrame)
        return view

    def _adapt_width(self) -> None:
        """Keep the lines as wide as the room for them at least."""
        self._view.setColumnWidth(0, max(_line_width(self._longest), self._view.viewport().width()))

    def _fill_header(self) -> None:
        self._search.setClearButtonEnabled(True)
        self._search.setFixedWidth(_SEARCH_WIDTH)
        self._search.textChanged.connect(self._search_changed)
        self._count.setFont(ui_font(SMALL_PIXELS))
        self._count.setProperty("tone", "quiet")
        self._clear.clicked.connect(self.clear)
        self._refresh_icons()

    def _receive(self, events: list[WindowEvent]) -> None:
        lines: list[LogLine] = []
        for event in events:
            match event:
                case OutputWritten():
                    lines += self._splitter.feed(event.at, event.operator, event.source, event.text)
                case VerdictReached(final=True):
                    text = f"{event.verdict.value} after {render_seconds(event.seconds)}"
                    lines += [*self._splitter.flush(event.at), LogLine(event.at, event.operator, "verdict", text)]
                case JobFinished():
                    lines += self._splitter.flush(event.at)
                    lines += [LogLine(event.at, "", item.id, f"{item.title}: {item.cause}") for item in event.findings]
                case _:
                    pass
        if lines:
            self._append(lines)

    def _append(self, lines: list[LogLine]) -> None:
        gone = self._model.append(lines)
        longest = max(len(line.text) for line in lines)
        if longest > self._longest:
            self._longest = longest
            self._adapt_width()
        self._refresh()
        if gone and not self._follows:
            bar = self._view.verticalScrollBar()
            bar.setValue(bar.value() - gone)

    def _take_scrolling(self, value: int) -> None:
        """Follow the end again once the person scrolls there."""
        self._follows = value >= self._view.verticalScrollBar().maximum()

    def _take_growth(self, _first: int, last: int) -> None:
        if self._follows:
            self._view.verticalScrollBar().setValue(last)

    def _search_changed(self, text: str) -> None:
        self._model.search(text)
        self._follows = True
        self._refresh()
        self._view.scrollToBottom()

    def _refresh(self) -> None:
        kept, received, shown = self._model.kept, self._model.received, self._model.rowCount()
        if not shown:
            self._show_empty()
        self._layout.setCurrentIndex(1 if shown else 0)
        if self._search.text():
            self._count.setText(self.tr("{0:,} of {1:,} lines").format(shown, kept))
        elif received > kept:
            self._count.setText(self.tr("last {0:,} of {1:,} lines").format(kept, received))
        else:
            self._count.setText(self.tr("1 line") if kept == 1 else self.tr("{0:,} lines").format(kept) if kept else "")

    def _show_empty(self) -> None:
        if self._model.kept:
            self._empty.show_state(
                icon="search", title=self.tr("No line matches"), text=self.tr("Clear the search to see all lines.")
            )
        else:
            self._empty.show_state(
                icon="log",
                title=self.tr("Nothing was printed yet"),
                text=self.tr("What compilers, kernels and references print appears here."),
            )

    def _refresh_icons(self) -> None:
        self._clear.setIcon(self._context.icons.icon("clear"))
        self._view.viewport().update()


class _LineView(QTableView):
    resized = Signal()
    """There is more or less room for lines."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


class _LineDelegate(QStyledItemDelegate):
    """Paints time, operator, source and text in columns."""

    def __init__(self, theme: Theme, view: QTableView) -> None:
        super().__init__(view)
        self._theme = theme

    def paint(self, painter: QPainter, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        model = index.model()
        assert isinstance(model, LogModel)
        line, tokens = model.at(index.row()), self._theme.tokens
        area = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(tokens.selection))
        painter.setFont(_font())
        left, advance = area.left() + _PADDING, _advance()
        stamp = time.strftime("%H:%M:%S", time.localtime(line.at))
        operator = (
            line.operator if len(line.operator) < _OPERATOR_COLUMNS else f"{line.operator[: _OPERATOR_COLUMNS - 2]}…"
        )
        for text, columns, token in (
            (stamp, _TIME_COLUMNS, "text_2"),
            (operator, _OPERATOR_COLUMNS, "text_2"),
            (line.source, _SOURCE_COLUMNS, "info"),
            (line.text, len(line.text) + 1, "text"),
        ):
            painter.setPen(QColor(getattr(tokens, token)))
            painter.drawText(
                QRectF(QPointF(left, area.top()), QPointF(area.right() + columns * advance, area.bottom())),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
                text,
            )
            left += columns * advance


def _font() -> QFont:
    return mono_font(SMALL_PIXELS + 0.5)


def _advance() -> float:
    return QFontMetricsF(_font()).horizontalAdvance("0")


def _line_width(characters: int) -> int:
    columns = _TIME_COLUMNS + _OPERATOR_COLUMNS + _SOURCE_COLUMNS + characters
    return round(2 * _PADDING + columns * _advance()) + 1


PANEL = PanelManifest(
    id="log",
    title=str(QT_TRANSLATE_NOOP("Panel", "Log")),
    area=PanelArea.BOTTOM,
    order=10,
    create=LogPanel,
)
