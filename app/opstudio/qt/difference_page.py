"""The middle of the perspective History: the sources of one build against those of another, or of now."""

from __future__ import annotations

import enum

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from opstudio.base.errors import StudioError
from opstudio.qt.difference_view import DifferenceView
from opstudio.qt.models.delta_texts import delta_sentence
from opstudio.qt.panel import Panel, PanelContext, PanelState
from opstudio.qt.theme.fonts import ui_font
from opstudio.qt.widgets.state_page import StatePage
from opstudio.workflows.build_history import OperatorHistory
from opstudio.workflows.source_difference import FileChange, FileDifference
from opstudio.workspace.build_history import HistoryRecord


class _Against(enum.IntEnum):
    """What the selected build is compared with, in the order of the choices."""

    BEFORE = 0
    BASELINE = 1
    NOW = 2


class DifferencePage(Panel):
    """Compares the build that is selected in the panel History."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._title, self._delta, self._against = QLabel(), QLabel(), QComboBox()
        self._title.setFont(ui_font(semibold=True))
        self._delta.setProperty("tone", "quiet")
        # However long it is, it does not make the panels beside the page narrower.
        self._delta.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._against.addItems(["", "", ""])
        # In another language it is as wide as its texts there.
        self._against.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.view = DifferenceView(context.theme)
        self._empty = StatePage(context.icons)
        self._pages = self._lay_out()
        self._against.currentIndexChanged.connect(self.refresh)
        context.selection.operator_changed.connect(self.refresh)
        context.selection.build_changed.connect(self.refresh)
        self.retranslate()

    @property
    def panel_state(self) -> PanelState:
        """What the page shows now."""
        return PanelState.READY if self._pages.currentIndex() == 0 else PanelState.EMPTY

    def retranslate(self) -> None:
        """Set the texts."""
        self._against.setItemText(_Against.BEFORE, self.tr("against the build before"))
        self._against.setItemText(_Against.BASELINE, self.tr("against the baseline"))
        self._against.setItemText(_Against.NOW, self.tr("against the files as they are now"))
        self._against.setAccessibleName(self.tr("What the build is compared with"))
        self.view.setAccessibleName(self.tr("Differences"))
        self.refresh()

    def focus_content(self) -> None:
        """Take the keyboard."""
        self.view.setFocus()

    def refresh(self, *_arguments: object) -> None:
        """Compare again."""
        folder = self._context.state.folder(self._context.selection.operator)
        history = None if folder is None else OperatorHistory(self._context.workspace, folder)
        try:
            record = None if history is None else self._record(history)
            if history is None or record is None:
                self._show_empty(self.tr("No build is selected"), self.tr("Select one in the panel History."))
                return
            self._show(history, record)
        except StudioError as error:
            self._show_empty(error.findings[0].title, error.findings[0].cause)

    def _show(self, history: OperatorHistory, record: HistoryRecord) -> None:
        against = _Against(self._against.currentIndex())
        if against is _Against.NOW:
            other, differences = None, history.difference(record)
        else:
            other = self._before(history, record) if against is _Against.BEFORE else history.baseline()
            if other is None:
                is_first = against is _Against.BEFORE
                title = self.tr("There is no build before it") if is_first else self.tr("No baseline is pinned")
                text = (
                    self.tr("What the next save changes in the sources appears here.")
                    if is_first
                    else self.tr("Pin a build in the panel History to compare with it.")
                )
                self._title.clear()
                self._delta.clear()
                self._show_empty(title, text)
                return
            differences = history.difference(other, record)
        self._title.setText(self._describe(record, other))
        delta = history.delta(record)
        self._delta.setText("" if delta is None else delta_sentence(delta))
        self._delta.setToolTip(self._delta.text())
        if not differences:
            self._show_empty(self.tr("The sources are the same"), "")
            return
        self.view.show_differences(differences, [self._note(item) for item in differences])
        self._pages.setCurrentIndex(0)

    def _describe(self, record: HistoryRecord, other: HistoryRecord | None) -> str:
        if other is None:
            return self.tr("From build {0} to the files as they are now").format(record.number)
        return self.tr("From build {0} to build {1}").format(other.number, record.number)

    def _note(self, difference: FileDifference) -> str:
        added, removed = difference.counts
        match difference.change:
            case FileChange.ADDED:
                return self.tr("new")
            case FileChange.REMOVED:
                return self.tr("removed")
            case FileChange.CHANGED if not difference.hunks:
                return self.tr("changed; too large, or no text")
            case FileChange.CHANGED:
                return f"+{added} −{removed}"

    def _record(self, history: OperatorHistory) -> HistoryRecord | None:
        number = self._context.selection.build
        return history.latest() if number is None else history.record(number)

    def _before(self, history: OperatorHistory, record: HistoryRecord) -> HistoryRecord | None:
        return next((item for item in history.read().records if item.number < record.number), None)

    def _show_empty(self, title: str, text: str) -> None:
        self._empty.show_state(icon="history", title=title, text=text)
        self._pages.setCurrentIndex(1)

    def _lay_out(self) -> QStackedLayout:
        head = QHBoxLayout()
        head.setContentsMargins(12, 8, 12, 8)
        head.setSpacing(16)
        head.addWidget(self._title)
        head.addWidget(self._delta, 1)
        head.addWidget(self._against)
        pages = QStackedLayout()
        pages.addWidget(self.view)
        pages.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = QWidget()
        bar.setLayout(head)
        column.addWidget(bar)
        column.addLayout(pages, 1)
        return pages
