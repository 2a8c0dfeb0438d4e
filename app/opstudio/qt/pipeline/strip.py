"""The pipeline strip: the stages of the selected operator in their order, and its verdict."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from opstudio.checks.check import Check, Pace
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.operator_view import StageView
from opstudio.qt.pipeline.chip import HEIGHT, StageChip
from opstudio.qt.pipeline.verdict import VerdictLabel
from opstudio.qt.selection import Selection
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget

_MARGIN = 8
_GAP = 4
_SEPARATOR = 13
_LEAST_VERDICT = 150
_MOST_ROWS_WITH_TIMES = 3
_MOST_ROWS_IN_LOW_WINDOW = 2
_LOW_WINDOW = 760
_HIGH_WINDOW = 880
_FRAME_MS = 33
_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}


class PipelineStrip(TranslatedWidget):
    """Shows a chip for each stage. Chips wrap; where they would take many rows, times are left out."""

    def __init__(
        self,
        checks: Sequence[Check],
        state: LoopState,
        selection: Selection,
        theme: Theme,
        icons: Icons,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state, self._selection, self._theme = state, selection, theme
        self._chips = [StageChip(check.id, theme, icons, parent=self) for check in checks]
        self._slow = frozenset(check.id for check in checks if check.pace is Pace.SLOW)
        self._verdict = VerdictLabel(theme, icons, self)
        self._separator = QRect()
        self._rows_at: dict[tuple[int, int], int] = {}
        self._animation = QTimer(self)
        self._animation.setInterval(_FRAME_MS)
        self._animation.timeout.connect(self._animate)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        for chip in self._chips:
            chip.clicked.connect(self._select_clicked)
            chip.installEventFilter(self)
        state.operators_updated.connect(self._follow_state)
        selection.operator_changed.connect(self._show_operator)
        selection.stage_changed.connect(self._show_stage)
        theme.changed.connect(self.update)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts. The chips, which change their widths, follow of their own accord."""
        self.setAccessibleName(self.tr("Pipeline"))
        self._rows_at.clear()

    @property
    def chips(self) -> tuple[StageChip, ...]:
        """The chips, in the order of the stages."""
        return tuple(self._chips)

    @property
    def verdict(self) -> VerdictLabel:
        """The verdict."""
        return self._verdict

    def chip(self, stage: str) -> StageChip:
        """Return the chip of a stage."""
        return next(chip for chip in self._chips if chip.stage == stage)

    def focus_content(self) -> None:
        """Take the keyboard."""
        chips = self.chips
        chosen = [chip for chip in chips if chip.isChecked()]
        (chosen or chips)[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def hasHeightForWidth(self) -> bool:
        """Chips wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows."""
        return self._place(width, apply=False)

    def sizeHint(self) -> QSize:
        """Return a size of two rows."""
        return QSize(600, 2 * _MARGIN + 2 * HEIGHT + _GAP)

    def minimumSizeHint(self) -> QSize:
        """Return a size of one chip."""
        return QSize(160, 2 * _MARGIN + HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the chips anew."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._rows_at.clear()
        self._place(self.width(), apply=True)

    def event(self, event: QEvent) -> bool:
        """Wrap the chips anew when one of them changed its width."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._place(self.width(), apply=True)
            self.updateGeometry()
        return super().event(event)

    def eventFilter(self, chip: QObject, event: QEvent) -> bool:
        """Move between chips with the arrow keys."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and isinstance(chip, StageChip):
            step = _STEPS.get(Qt.Key(event.key()))
            if step is not None:
                index = self.chips.index(chip) + step
                self.chips[index % len(self.chips)].setFocus(Qt.FocusReason.TabFocusReason)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                chip.click()
                return True
        return super().eventFilter(chip, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground, and the line between fast and slow stages."""
        with QPainter(self) as painter:
            tokens = self._theme.tokens
            painter.fillRect(self.rect(), QColor(tokens.surface))
            painter.fillRect(self._separator, QColor(tokens.line))

    def _select_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, StageChip):
            self._selection.select_stage("" if chip.stage == self._selection.stage else chip.stage)
            self._show_stage(self._selection.stage)

    def _follow_state(self, names: frozenset[str]) -> None:
        if self._selection.operator in names:
            self._show_operator(self._selection.operator)

    def _show_operator(self, name: str) -> None:
        view = self._state.view(name)
        for chip in self._chips:
            shown = view.stages.get(chip.stage, StageView(stage=chip.stage))
            if shown != chip.view:
                chip.show_stage(shown)
        self._verdict.show_operator(view)
        if view.running_stage is None:
            self._animation.stop()
        elif not self._animation.isActive():
            self._animation.start()
        self.updateGeometry()
        self._place(self.width(), apply=True)

    def _show_stage(self, stage: str) -> None:
        for chip in self._chips:
            chip.setChecked(chip.stage == stage)

    def _animate(self) -> None:
        for chip in self._chips:
            if chip.shows_progress:
                chip.update()
        self._verdict.tick()

    def _place(self, width: int, *, apply: bool) -> int:
        """Put the chips in rows and return the height; ``apply`` moves them as well."""
        rows, places = self._wrap(width, with_times=True)
        height = self.window().height()
        most = _MOST_ROWS_IN_LOW_WINDOW if height < _LOW_WINDOW else _MOST_ROWS_WITH_TIMES + (height >= _HIGH_WINDOW)
        with_times = rows <= most
        if not with_times:
            rows, places = self._wrap(width, with_times=False)
        # A row more than is needed now is better than everything below that jumps when a chip changes its width.
        rows = self._rows_at[width, most] = max(rows, self._rows_at.get((width, most), 0))
        height = 2 * _MARGIN + rows * HEIGHT + (rows - 1) * _GAP
        if apply:
            self._separator = QRect()
            for chip, place in places:
                if chip is None:
                    self._separator = place
                elif isinstance(chip, StageChip):
                    chip.set_shows_time(shown=with_times)
                    chip.setGeometry(place)
                else:
                    chip.setGeometry(place)
            self.update()
        return height

    def _wrap(self, width: int, *, with_times: bool) -> tuple[int, list[tuple[QWidget | None, QRect]]]:
        """Return the number of rows and the place of each chip; that of the separator stands under ``None``."""
        left, row, places = _MARGIN, 0, list[tuple[QWidget | None, QRect]]()
        was_slow = False
        for chip in self.chips:
            size = chip.width_with(time_shown=with_times)
            is_first_slow = chip.stage in self._slow and not was_slow
            was_slow = was_slow or is_first_slow
            gap = _SEPARATOR if is_first_slow and left > _MARGIN else 0
            if left + gap + size > width - _MARGIN and left > _MARGIN:
                left, row, gap = _MARGIN, row + 1, 0
            top = _MARGIN + row * (HEIGHT + _GAP)
            if gap:
                places.append((None, QRect(left + (gap - _GAP) // 2, top + 4, 1, HEIGHT - 8)))
            places.append((chip, QRect(left + gap, top, size, HEIGHT)))
            left += gap + size + _GAP
        size, room = self._verdict.sizeHint().width(), width - _MARGIN - left
        # What is said for a while does not move the rows: it is elided, and whole in the tool tip.
        size = room if _LEAST_VERDICT <= room < size else min(size, width - 2 * _MARGIN)
        if left + size > width - _MARGIN and left > _MARGIN:
            row += 1
        top = _MARGIN + row * (HEIGHT + _GAP)
        places.append((self._verdict, QRect(max(width - _MARGIN - size, _MARGIN), top, size, HEIGHT)))
        return row + 1, places
