"""What can be done about a model by machine: choose, see what it changes, write a new file, see how that compares."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from opstudio.qt.actions import Actions
from opstudio.qt.fixes.choice_delegate import ChoiceDelegate
from opstudio.qt.fixes.choice_model import FixChoiceModel
from opstudio.qt.fixes.fix_session import FixSession
from opstudio.qt.fixes.outcome_view import OutcomeView
from opstudio.qt.fixes.preview_view import PreviewView
from opstudio.qt.fixes.writing import FixOrder, OutputQuestion, Progress, WritingStep
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.busy_row import BusyRow
from opstudio.qt.widgets.notice_bar import Notice, NoticeBar
from opstudio.qt.widgets.translated import TranslatedWidget

_TICK_MS = 500
_LEAST_HEIGHT = 280
_LEAST_SHARE = 0.35
"""Of the window: in a low one the page takes no more than it would get."""


class FixPage(TranslatedWidget):
    """Follows the session of the fixes; the new file is opened by whoever owns the page."""

    open_requested = Signal(object)
    """The path of a new file that the person wants to see."""
    help_requested = Signal(str)

    def __init__(self, session: FixSession, actions: Actions, theme: Theme, icons: Icons) -> None:
        super().__init__()
        self._session, self._actions, self._icons = session, actions, icons
        self.busy = BusyRow(actions.cancel_fix, icons)
        self.notice = NoticeBar(theme, icons)
        self.model = FixChoiceModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(ChoiceDelegate(theme, self.list))
        self.preview = PreviewView(session, theme)
        self.outcome = OutcomeView(theme)
        self.back, self.write_button, self.open_button = QPushButton(), QPushButton(), QPushButton()
        self._count = QLabel()
        self._pages = self._lay_out()
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._connect(theme)
        self.setFocusProxy(self.list)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts."""
        self.list.setAccessibleName(self.tr("What can be done by machine"))
        self.outcome.setAccessibleName(self.tr("How the new file compares"))
        self.write_button.setText(self.tr("Write to a new file…"))
        self.open_button.setText(self.tr("Open the new file"))
        self._refresh()

    def choose_output(self) -> None:
        """Ask where the new file is to be, and write it; whether one may be replaced is asked in place."""
        self.preview.take_parameters()
        proposed = self._session.proposed_path
        if proposed is None or not self._session.can_write:
            return
        models, everything = self.tr("Models"), self.tr("All files")
        kinds = f"{models} (*.onnx);;{everything} (*)"
        title, options = self.tr("Write the fixed model"), QFileDialog.Option.DontConfirmOverwrite
        chosen, _ = QFileDialog.getSaveFileName(self, title, str(proposed), kinds, options=options)
        if chosen:
            path = Path(chosen)
            self._session.write(path if path.suffix else path.with_name(f"{path.name}.onnx"))

    def _connect(self, theme: Theme) -> None:
        session, actions = self._session, self._actions
        session.choices_changed.connect(self._refresh)
        session.preview_changed.connect(self._refresh)
        session.work_changed.connect(self._refresh)
        session.work_changed.connect(self._show_notice)
        session.shown_changed.connect(self._refresh)
        theme.changed.connect(self._show_outcome)
        self._icons.changed.connect(self._show_buttons)
        self._tick.timeout.connect(self._show_busy)
        self.model.ticked.connect(self._take_tick)
        self.list.selectionModel().currentChanged.connect(self._take_row)
        self.back.clicked.connect(self._go_back)
        self.write_button.clicked.connect(self.choose_output)
        self.open_button.clicked.connect(self._open)
        self.outcome.help_requested.connect(self.help_requested)
        actions.fix_model.triggered.connect(partial(session.show, ""))
        actions.cancel_fix.triggered.connect(session.cancel)

    def _refresh(self) -> None:
        session = self._session
        self.model.set_choices(session.choices, session.chosen)
        row = self.model.row(session.current)
        if row != self.list.currentIndex().row():
            self.list.setCurrentIndex(self.model.index(row, 0))
        self._actions.fix_model.setEnabled(bool(session.choices))
        self._actions.cancel_fix.setEnabled(session.is_writing and not session.is_cancelling)
        # A low panel grows while there is a difference to read in it; the person may make it lower afterwards.
        height = min(_LEAST_HEIGHT, int(self.window().height() * _LEAST_SHARE)) if session.is_shown else 0
        self.setMinimumHeight(height)
        self._show_busy()
        self._show_outcome()
        self._show_buttons()

    def _show_busy(self) -> None:
        session, progress, order = self._session, self._session.progress, self._session.order
        if progress is None or order is None:
            self.busy.hide()
            self._tick.stop()
            return
        text = self.tr("Being cancelled") if session.is_cancelling else self._step_text(progress, order)
        seconds = int(time.monotonic() - session.busy_since)
        self.busy.show_text(text + (self.tr(" for {0} s").format(seconds) if seconds else ""))
        if not self._tick.isActive():
            self._tick.start()

    def _step_text(self, progress: Progress, order: FixOrder) -> str:
        match progress.step:
            case WritingStep.EXAMINING:
                return self.tr("{0} is read and held against the runtime").format(order.model.name)
            case WritingStep.FIXING:
                made = order.ids[progress.number - 1]
                return self.tr("Fix {0} of {1} is made: {2}").format(progress.number, len(order.ids), made)
            case WritingStep.TRYING:
                return self.tr("The new file is tried beside the original")

    def _show_notice(self) -> None:
        session = self._session
        make: Callable[[], Notice] | None = None
        if session.question is not None:
            make = self._question
        elif session.was_cancelled:
            make = self._cancelled
        if make is None:
            self.notice.forget()
        else:
            self.notice.say(make)

    def _question(self) -> Notice:
        session = self._session
        name = session.order.output.path.name if session.order is not None else ""
        others = ((self.tr("Choose another place…"), self._choose_again), (self.tr("Leave it"), session.put_away))
        if session.question is OutputQuestion.COPY_WEIGHTS:
            return Notice(
                text=self.tr(
                    "Weights lie in files beside the original, and a model may only name files of its own folder."
                ),
                choices=((self.tr("Copy them as well"), session.answer_question), *others),
            )
        return Notice(
            text=self.tr("There is a file {0} already.").format(name),
            choices=((self.tr("Replace it"), session.answer_question), *others),
        )

    def _cancelled(self) -> Notice:
        return Notice(text=self.tr("Cancelled: nothing was written."), icon="cancelled", tone="info")

    def _show_outcome(self) -> None:
        session = self._session
        if session.result is not None:
            self.outcome.show_result(session.result)
        elif session.failure:
            self.outcome.show_failure(session.failure)
        self._pages.setCurrentIndex(1 if session.result is not None or session.failure else 0)

    def _show_buttons(self) -> None:
        session = self._session
        has_outcome = self._pages.currentIndex() == 1
        self.back.setIcon(self._icons.icon("back"))
        self.back.setText(self.tr("Back to the fixes") if has_outcome else self.tr("Back to the problems"))
        self.open_button.setVisible(session.result is not None)
        self.write_button.setVisible(session.result is None)
        self.write_button.setEnabled(session.can_write)
        self._count.setText(self.tr("{0} of {1} chosen").format(len(session.chosen), len(session.choices)))
        self._count.setVisible(not has_outcome)
        self.list.setEnabled(not session.is_writing)
        self.preview.field.setEnabled(not session.is_writing)

    def _take_tick(self, key: str, chosen: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._session.choose(key, chosen=chosen)

    def _take_row(self, index: QModelIndex) -> None:
        key = self.model.key(index.row()) if index.isValid() else ""
        if key and key != self._session.current:
            self._session.look_at(key)

    def _go_back(self) -> None:
        if self._pages.currentIndex() == 1:
            self._session.put_away()
        else:
            self._session.leave()

    def _choose_again(self) -> None:
        self._session.put_away()
        self.choose_output()

    def _open(self) -> None:
        result = self._session.result
        if result is not None:
            self.open_requested.emit(result.output)

    def _lay_out(self) -> QStackedLayout:
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._count.setFont(ui_font(SMALL_PIXELS))
        self._count.setProperty("tone", "quiet")
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(1)
        rows = QWidget()
        row = QVBoxLayout(rows)
        row.setContentsMargins(8, 4, 0, 0)
        row.addWidget(self.list)
        splitter.addWidget(rows)
        splitter.addWidget(self.preview)
        splitter.setSizes([400, 600])
        pages = QStackedLayout()
        pages.addWidget(splitter)
        pages.addWidget(self.outcome)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(12, 6, 12, 8)
        buttons.setSpacing(8)
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        for widget in (self._count, self.write_button, self.open_button):
            buttons.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.busy)
        column.addWidget(self.notice)
        holder = QWidget()
        holder.setLayout(pages)
        column.addWidget(holder, 1)
        column.addLayout(buttons)
        return pages
