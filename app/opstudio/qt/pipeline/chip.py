"""A stage as a chip: icon, name, time; filled when it ran, outlined when its last result holds, the id when bad."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from opstudio.base.colours import Tokens
from opstudio.base.finding import Severity
from opstudio.base.units import render_seconds
from opstudio.jobs.events import StageState
from opstudio.qt.models.operator_view import StageView
from opstudio.qt.models.stage_titles import stage_description, stage_title
from opstudio.qt.models.state_marks import stage_mark
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

HEIGHT = 24
NAME_PIXELS = 12.0
SHOWN_AFTER_SECONDS = 0.3
"""What ends sooner shows no progress."""
_RADIUS = 6.0
_PADDING = 7
_ICON_PIXELS = 14
_GAP = 5
_DIMMED = 0.55
_WIDEST_TIME = "<1 ms"
_LINE_PERIOD_SECONDS = 1.4
_LINE_SHARE = 0.35


class StageChip(QAbstractButton):
    """One stage of the selected operator."""

    def __init__(
        self,
        stage: str,
        theme: Theme,
        icons: Icons,
        clock: Callable[[], float] = time.time,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.stage = stage
        self._theme, self._icons, self._clock = theme, icons, clock
        self._view = StageView(stage=stage)
        self._shows_time = True
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.show_stage(self._view)

    @property
    def view(self) -> StageView:
        """What the chip shows."""
        return self._view

    @property
    def detail(self) -> str:
        """The small text behind the name: the id of what is wrong, or the time."""
        view = self._view
        if view.state is StageState.BAD and view.since is None:
            errors = (finding.id for finding in view.findings if finding.severity is Severity.ERROR)
            return next(errors, "")
        if not self._shows_time or view.state not in (StageState.GOOD, StageState.BAD):
            return ""
        return _short_seconds(view.seconds)

    @property
    def shows_progress(self) -> bool:
        """Whether the stage runs long enough for its line to move."""
        return self._view.since is not None and self._clock() - self._view.since >= SHOWN_AFTER_SECONDS

    def show_stage(self, view: StageView) -> None:
        """Show a stage."""
        self._view = view
        word = stage_mark(view).word
        parts = [stage_description(self.stage), word]
        if view.state in (StageState.GOOD, StageState.BAD) and view.since is None:
            parts.append(render_seconds(view.seconds) + (self.tr(", cached") if view.cached else ""))
        self.setAccessibleName(", ".join(part for part in (*parts, self.detail) if part))
        self.setToolTip("\n".join(part for part in (", ".join(parts), view.summary) if part))
        self.updateGeometry()
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Fetch the texts again when the language changes."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.show_stage(self._view)

    def set_shows_time(self, *, shown: bool) -> None:
        """Leave the time out where there is no room."""
        if shown != self._shows_time:
            self._shows_time = shown
            self.updateGeometry()
            self.update()

    def width_with(self, *, time_shown: bool) -> int:
        """Return the width with or without the time. It hardly depends on the state, so that chips do not jump."""
        name = QFontMetricsF(ui_font(NAME_PIXELS)).horizontalAdvance(stage_title(self.stage))
        small = QFontMetricsF(ui_font(SMALL_PIXELS))
        bold = QFontMetricsF(ui_font(SMALL_PIXELS, semibold=True))
        detail = bold.horizontalAdvance(self.detail) if self._view.state is StageState.BAD else 0.0
        if time_shown:
            detail = max(detail, small.horizontalAdvance(_WIDEST_TIME))
        width = 2 * _PADDING + _ICON_PIXELS + _GAP + name + (_GAP + detail if detail else 0)
        return round(width + 0.5)

    def sizeHint(self) -> QSize:
        """Return the size of the chip."""
        return QSize(self.width_with(time_shown=self._shows_time), HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the chip."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            tokens, view = self._theme.tokens, self._view
            self._paint_frame(painter, tokens)
            is_dimmed = view.stale and view.since is None
            painter.setOpacity(_DIMMED if is_dimmed else 1.0)
            mark = stage_mark(view)
            icon_top = (HEIGHT - _ICON_PIXELS) / 2
            self._icons.paint(painter, mark.icon, mark.token, QPointF(_PADDING, icon_top), size=_ICON_PIXELS)
            is_plain = view.state in (None, StageState.SKIPPED, StageState.NOT_RUN, StageState.CANCELLED)
            painter.setPen(QColor(tokens.text_2 if is_plain and view.since is None else tokens.text))
            painter.setFont(ui_font(NAME_PIXELS))
            left = _PADDING + _ICON_PIXELS + _GAP
            row = QRectF(left, 0, self.width() - left - _PADDING, HEIGHT)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, stage_title(self.stage))
            is_bad = view.state is StageState.BAD and view.since is None
            painter.setPen(QColor(tokens.bad if is_bad else tokens.text_2))
            painter.setFont(ui_font(SMALL_PIXELS, semibold=is_bad))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self.detail)
            painter.setOpacity(1.0)
            if self.shows_progress:
                self._paint_progress(painter, tokens)

    def _paint_frame(self, painter: QPainter, tokens: Tokens) -> None:
        view = self._view
        fill, border, style = "", "", Qt.PenStyle.SolidLine
        if view.since is not None:
            fill = tokens.raised
        elif view.state is StageState.BAD:
            fill, border = tokens.tint("bad"), tokens.bad
        elif view.state is StageState.GOOD:
            fill, border = ("", tokens.line) if view.cached or view.stale else (tokens.raised, "")
        else:
            border, style = tokens.line, Qt.PenStyle.DotLine
        if self.underMouse() and not fill:
            fill = tokens.hover
        if self.isChecked() or self.hasFocus():
            border, style = tokens.accent, Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(border), 1.0, style) if border else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
        painter.setOpacity(_DIMMED if view.stale and border != tokens.accent else 1.0)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.setOpacity(1.0)

    def _paint_progress(self, painter: QPainter, tokens: Tokens) -> None:
        """Paint the thin line that moves while the stage runs."""
        room = self.width() - 2 * _RADIUS
        length = room * _LINE_SHARE
        phase = (self._clock() / _LINE_PERIOD_SECONDS) % 1.0
        start = _RADIUS + (room + length) * phase - length
        left, right = max(start, _RADIUS), min(start + length, _RADIUS + room)
        painter.fillRect(QRectF(left, HEIGHT - 2, max(right - left, 0.0), 2), QColor(tokens.info))


def _short_seconds(seconds: float) -> str:
    """Render a time in few characters: whole milliseconds, or seconds with two decimals."""
    if seconds < 0.001:  # noqa: PLR2004 - a millisecond
        return "<1 ms"
    if seconds < 0.1:  # noqa: PLR2004 - two digits of milliseconds
        return f"{round(seconds * 1000)} ms"
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.1f} s"  # noqa: PLR2004 - four characters
