"""The operators of the workspace, with state, time to the verdict and the first finding."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QT_TRANSLATE_NOOP,
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from opstudio.jobs.events import Verdict
from opstudio.qt.models.operator_model import SORT_ROLE, Column, OperatorModel
from opstudio.qt.models.operator_view import Activity
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.widgets.row_ground import paint_ground
from opstudio.qt.widgets.state_page import StatePage

_SEARCH_FROM = 12
"""How many operators it takes for a search field to be of use."""
_WIDEST = {Column.STATE: "unchecked", Column.SECONDS: "00.00 s", Column.FINDING: "NUM000"}
_CELL_MARGIN = 14
_LEAST_NAME_WIDTH = 104
_WIDEST_NAME = 220
_NAME_MARGIN = 48
_PADDING = 8


class OperatorsPanel(Panel):
    """Lists the operators; the selected one is shown everywhere else."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._model = OperatorModel(context.state, context.theme, context.icons, self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self._model)
        self._sorted.setSortRole(SORT_ROLE)
        self._sorted.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._sorted.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._search = QLineEdit()
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._sorted.setFilterFixedString)
        self._view = self._make_view()
        self._empty = StatePage(context.icons)
        self._layout = self._lay_out()
        selection = self._view.selectionModel()
        selection.selectionChanged.connect(self._take_selection)
        context.selection.operator_changed.connect(self._show_selection)
        context.state.membership_changed.connect(self._refresh)
        context.actions.look_again.changed.connect(self._refresh)
        self.retranslate()

    @property
    def view(self) -> QTreeView:
        """The list."""
        return self._view

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now."""
        views = [self._context.state.view(name) for name in self._context.state.names]
        if not views:
            return PanelState.EMPTY
        if any(view.activity is Activity.RUNNING for view in views):
            return PanelState.BUSY
        is_bad = any(view.verdict is Verdict.BAD or view.problems for view in views)
        return PanelState.FAILING if is_bad else PanelState.READY

    def retranslate(self) -> None:
        """Set the texts."""
        self._search.setPlaceholderText(self.tr("Search operators"))
        self._view.setAccessibleName(self.tr("Operators"))
        self._model.retranslate()
        self._refresh()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the button that looks for operators again."""
        button = QToolButton()
        button.setDefaultAction(self._context.actions.look_again)
        return (button,)

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the names the room that they need."""
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Leave out the finding, then the time, where the names would have no room."""
        widths = _column_widths()
        metrics = QFontMetrics(ui_font())
        names = (metrics.horizontalAdvance(name) for name in self._context.state.names)
        name_width = min(max(names, default=0) + _NAME_MARGIN, _WIDEST_NAME)
        room = self.width() - max(name_width, _LEAST_NAME_WIDTH) - widths[Column.STATE]
        for column in (Column.SECONDS, Column.FINDING):
            has_room = room >= widths[column]
            self._view.setColumnHidden(column, not has_room)
            room -= widths[column] if has_room else room

    def _make_view(self) -> QTreeView:
        view = QTreeView()
        view.setModel(self._sorted)
        view.setItemDelegate(_StateDelegate(view))
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(True)
        view.setAllColumnsShowFocus(True)
        view.setSortingEnabled(True)
        view.sortByColumn(Column.NAME, Qt.SortOrder.AscendingOrder)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setFrameShape(QTreeView.Shape.NoFrame)
        header = view.header()
        header.setFont(ui_font(SMALL_PIXELS))
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(40)
        header.setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        for column, width in _column_widths().items():
            header.resizeSection(column, width)
        return view

    def _lay_out(self) -> QStackedLayout:
        listing = QWidget()
        column = QVBoxLayout(listing)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._search_row = QWidget()
        search_row = QVBoxLayout(self._search_row)
        search_row.setContentsMargins(8, 6, 8, 2)
        search_row.addWidget(self._search)
        column.addWidget(self._search_row)
        column.addWidget(self._view)
        layout = QStackedLayout(self)
        layout.addWidget(listing)
        layout.addWidget(self._empty)
        return layout

    def _refresh(self) -> None:
        count = self._model.rowCount()
        self.badge_changed.emit(str(count) if count else "")
        self._search_row.setVisible(count >= _SEARCH_FROM)
        self._fit_columns()
        if not count:
            self._empty.show_state(
                icon="file",
                title=self.tr("No operators yet"),
                text=self.tr("An operator is a folder with a contract.toml and a kernel. It appears here by itself."),
                action=self._context.actions.look_again,
            )
        self._layout.setCurrentIndex(0 if count else 1)
        self._show_selection(self._context.selection.operator)

    def _take_selection(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        if not selected.isEmpty():
            row = self._sorted.mapToSource(selected.indexes()[0]).row()
            self._context.selection.select_operator(self._model.name(row))

    def _show_selection(self, name: str) -> None:
        row = self._model.row(name)
        index = self._sorted.mapFromSource(self._model.index(row, 0)) if row >= 0 else QModelIndex()
        if index.isValid() and index.row() != self._view.currentIndex().row():
            self._view.setCurrentIndex(index)


def _column_widths() -> dict[Column, int]:
    metrics = QFontMetrics(ui_font())
    return {column: metrics.horizontalAdvance(text) + _CELL_MARGIN for column, text in _WIDEST.items()}


class _StateDelegate(QStyledItemDelegate):
    """Keeps the colours of states where a row is selected, and the names in line with the title of the panel."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        colour = option.palette.color(QPalette.ColorRole.Text)
        option.palette.setColor(QPalette.ColorRole.HighlightedText, colour)
        # Names of one family differ at their ends.
        is_name = index.column() == Column.NAME
        option.textElideMode = Qt.TextElideMode.ElideMiddle if is_name else Qt.TextElideMode.ElideRight

    def paint(self, painter: QPainter, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        paint_ground(painter, option)
        if index.column() == Column.NAME:
            option.rect.adjust(_PADDING, 0, 0, 0)
        elif index.column() == Column.SECONDS:
            option.rect.adjust(0, 0, -_PADDING, 0)
        super().paint(painter, option, index)


PANEL = PanelManifest(
    id="operators",
    title=str(QT_TRANSLATE_NOOP("Panel", "Operators")),
    area=PanelArea.LEFT,
    order=10,
    create=OperatorsPanel,
    perspectives=("kernels", "export", "history"),
)
