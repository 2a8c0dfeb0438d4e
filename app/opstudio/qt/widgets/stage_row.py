"""A row that tells which stage the findings below are of, and what its check summed up."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from opstudio.base.units import render_seconds
from opstudio.qt.models.operator_view import StageView
from opstudio.qt.models.stage_titles import stage_title
from opstudio.qt.models.state_marks import stage_mark
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget


class StageRow(TranslatedWidget):
    """Hidden while all stages are shown."""

    closed = Signal()

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self._stage: StageView | None = None
        self._icon, self._title, self._time, self._summary = QLabel(), QLabel(), QLabel(), QLabel()
        self._close = QToolButton()
        self._title.setFont(ui_font(semibold=True))
        self._time.setFont(ui_font(SMALL_PIXELS))
        for label in (self._time, self._summary):
            label.setProperty("tone", "quiet")
        self._summary.setWordWrap(True)
        self._summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._close.setIconSize(QSize(14, 14))
        self._close.clicked.connect(self.closed)
        line = QHBoxLayout()
        line.setSpacing(8)
        for widget in (self._icon, self._title, self._time):
            line.addWidget(widget)
        line.addStretch(1)
        line.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 6, 8)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self._summary)
        icons.changed.connect(self._refresh)
        self.retranslate()
        self.hide()

    def retranslate(self) -> None:
        """Set the texts."""
        self._close.setToolTip(self.tr("Show all stages"))
        self._close.setAccessibleName(self.tr("Show all stages"))
        self._refresh()

    def show_stage(self, stage: StageView | None) -> None:
        """Tell of a stage, or hide."""
        self._stage = stage
        self.setVisible(stage is not None)
        self._refresh()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the line below."""
        with QPainter(self) as painter:
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(self._theme.tokens.line))

    def _refresh(self) -> None:
        self._close.setIcon(self._icons.icon("close"))
        if self._stage is None:
            return
        mark = stage_mark(self._stage)
        self._icon.setPixmap(self._icons.pixmap(mark.icon, mark.token, ratio=self.devicePixelRatioF()))
        self._title.setText(f"{stage_title(self._stage.stage)}: {mark.word}")
        is_ended = self._stage.since is None  # what is known of one that runs is of the run before
        time = render_seconds(self._stage.seconds) if self._stage.seconds and is_ended else ""
        self._time.setText(self.tr("{0}, cached").format(time) if time and self._stage.cached else time)
        self._summary.setText(self._stage.summary)
        self._summary.setVisible(bool(self._stage.summary) and is_ended)
