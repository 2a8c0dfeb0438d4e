"""Findings as a list, and what there is to know of the selected one below it, or beside it where there is no height."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QBoxLayout, QListView, QPushButton, QSplitter, QTextBrowser, QVBoxLayout, QWidget

from opstudio.base.finding import Place
from opstudio.qt.models.finding_model import FindingModel
from opstudio.qt.models.operator_view import ShownFinding
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.finding_delegate import ROW_HEIGHT, FindingDelegate
from opstudio.qt.widgets.finding_text import finding_html

_MOST_ROWS_AT_FIRST = 6
_LOW_RATIO = 1.6
_BUTTON_MARGINS = 24
_LEAST_LIST, _LEAST_TEXT = 165, 200
"""Pixels of the list, and of the detail beside it; buttons that would leave it less stand below it."""


class FindingList(QWidget):
    """Shows findings; the list is replaced as a whole, and what was selected stays selected where it is still there."""

    place_chosen = Signal(object)
    """The place of a finding that the person wants to see."""
    help_requested = Signal(str)
    """The id of a finding that the person wants explained."""
    current_changed = Signal()

    def __init__(self, theme: Theme, icons: Icons, place_text: Callable[[Place], str] = str) -> None:
        """Make an empty list; ``place_text`` says how places are written."""
        super().__init__()
        self._theme, self._icons, self._place_text = theme, icons, place_text
        self._model = FindingModel()
        self._fits_list = True
        self._view, self._detail = self._make_view(), self._make_detail()
        self._buttons = QWidget()
        self._buttons_row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._buttons)
        self._below = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._lay_out()
        self._view.selectionModel().currentChanged.connect(self._follow_current)
        theme.changed.connect(self._recolour)

    @property
    def view(self) -> QListView:
        """The list."""
        return self._view

    @property
    def detail(self) -> QTextBrowser:
        """What is said of the selected finding."""
        return self._detail

    @property
    def model(self) -> FindingModel:
        """The findings that are listed."""
        return self._model

    @property
    def current(self) -> ShownFinding | None:
        """The selected finding."""
        return self.finding_at(self._view.currentIndex().row())

    def finding_at(self, row: int) -> ShownFinding | None:
        """Return the finding of a row, if there is one."""
        return self._model.at(row) if 0 <= row < self._model.rowCount() else None

    def set_rows(self, rows: Sequence[ShownFinding]) -> None:
        """Show these findings."""
        before = self.current
        if self._model.set_rows(rows) and rows:
            same = [number for number, row in enumerate(rows) if before and row.finding == before.finding]
            self._view.setCurrentIndex(self._model.index(same[0] if same else 0, 0))
        self._fit_list(len(rows))

    def select_row(self, row: int) -> None:
        """Select a finding."""
        self._view.setCurrentIndex(self._model.index(row, 0))

    def set_buttons(self, buttons: Sequence[QPushButton]) -> None:
        """Put these below the selected finding, in place of those before: what can be done about it."""
        while (item := self._buttons_row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None and widget not in buttons:
                widget.hide()
                widget.deleteLater()
        for button in buttons:
            self._buttons_row.addWidget(button)
            button.show()
        self._buttons_row.addStretch(1)
        self._buttons.setVisible(bool(buttons))
        self._fit_list(self._model.rowCount())

    def set_names(self, listing: str, detail: str) -> None:
        """Set what screen readers call the list and the text."""
        self._view.setAccessibleName(listing)
        self._detail.setAccessibleName(detail)

    def show_detail(self) -> None:
        """Fetch the texts of the selected finding again."""
        shown = self.current
        self._detail.setHtml(finding_html(shown.finding, self._theme.tokens, self._place_text) if shown else "")

    def choose_first_place(self, index: QModelIndex) -> None:
        """Ask for the first file that a finding is about to be shown."""
        shown = self.finding_at(index.row())
        place = next((place for place in shown.finding.places if place.file), None) if shown else None
        if place is not None:
            self.place_chosen.emit(place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the list at the height of its rows."""
        super().resizeEvent(event)
        self._fit_list(self._model.rowCount())

    def _make_view(self) -> QListView:
        view = QListView()
        view.setModel(self._model)
        view.setItemDelegate(FindingDelegate(self._theme, self._icons, self.finding_at, view, self._place_text))
        view.setUniformItemSizes(True)
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.activated.connect(self.choose_first_place)
        return view

    def _make_detail(self) -> QTextBrowser:
        detail = QTextBrowser()
        detail.setOpenLinks(False)
        detail.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        detail.setFrameShape(QTextBrowser.Shape.NoFrame)
        detail.document().setDocumentMargin(12)
        detail.anchorClicked.connect(self._take_link)
        return detail

    def _lay_out(self) -> None:
        self._buttons_row.setContentsMargins(_BUTTON_MARGINS // 2, 8, _BUTTON_MARGINS // 2, 8)
        self._buttons_row.setSpacing(8)
        self._buttons.hide()
        below = QWidget()
        below.setLayout(self._below)
        self._below.setContentsMargins(0, 0, 0, 0)
        self._below.setSpacing(0)
        self._below.addWidget(self._detail, 1)
        self._below.addWidget(self._buttons)
        self._splitter.addWidget(self._view)
        self._splitter.addWidget(below)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.splitterMoved.connect(self._keep_sizes)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._splitter)

    def _keep_sizes(self, _place: int, _handle: int) -> None:
        """The person knows how high the list should be."""
        self._fits_list = False

    def _fit_list(self, rows: int) -> None:
        """Give the list the height of its rows and the rest to the detail; in a low panel they stand side by side."""
        is_low = self.width() > self.height() * _LOW_RATIO
        self._splitter.setOrientation(Qt.Orientation.Horizontal if is_low else Qt.Orientation.Vertical)
        room = self._splitter.width() if is_low else self._splitter.height()
        extent = min(rows, _MOST_ROWS_AT_FIRST) * ROW_HEIGHT
        wide = self._widest_button()
        if is_low:
            extent = max(min(room * 2 // 5, room - wide - _LEAST_TEXT), _LEAST_LIST)
        if self._fits_list and rows:
            self._splitter.setSizes([extent, max(room - extent, ROW_HEIGHT)])
        is_beside = is_low and room - extent - wide >= _LEAST_TEXT
        along, across = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._below.setDirection(along if is_beside else across)
        # In a narrow panel, a row of buttons would leave the list nothing.
        self._buttons_row.setDirection(across if is_beside or is_low else along)

    def _widest_button(self) -> int:
        buttons = [item.widget() for at in range(self._buttons_row.count()) if (item := self._buttons_row.itemAt(at))]
        return max((button.sizeHint().width() + _BUTTON_MARGINS for button in buttons if button is not None), default=0)

    def _follow_current(self, *_indexes: QModelIndex | QPersistentModelIndex) -> None:
        self.show_detail()
        self.current_changed.emit()

    def _take_link(self, link: QUrl) -> None:
        if link.scheme() == "help":
            self.help_requested.emit(link.path())
            return
        shown = self.current
        if shown is not None:
            self.place_chosen.emit(shown.finding.places[int(link.toString())])

    def _recolour(self, *_arguments: Any) -> None:
        self.show_detail()
        self._view.viewport().update()
