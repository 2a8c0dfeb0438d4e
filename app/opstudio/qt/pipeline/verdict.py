"""The verdict at the end of the strip: icon, word, time."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from opstudio.base.units import render_seconds
from opstudio.qt.models.operator_view import Activity, OperatorView
from opstudio.qt.models.progress_texts import progress_sentence, progress_word
from opstudio.qt.models.state_marks import Mark, operator_mark, verdict_mark
from opstudio.qt.pipeline.chip import HEIGHT
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget

_ICON_PIXELS = 16
_GAP = 6
_PADDING = 8
_DIMMED = 0.55
_WIDEST_SECONDS = "000 s"


class VerdictLabel(TranslatedWidget):
    """Shows the verdict of the selected operator; the last one, dimmed, until there is a new one."""

    def __init__(
        self, theme: Theme, icons: Icons, parent: QWidget | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self._theme, self._icons, self._clock = theme, icons, clock
        self._view = OperatorView(name="")
        theme.changed.connect(self.update)

    @property
    def is_dimmed(self) -> bool:
        """Whether the verdict is that of an earlier run: of the one before that which goes on or was cancelled."""
        view = self._view
        return not view.has_verdict and not view.progress and (view.activity is not Activity.IDLE or view.is_cancelled)

    @property
    def mark(self) -> Mark:
        """Icon, colour and word in force."""
        view = self._view
        if view.progress:
            return Mark("running", "info", progress_word(view.progress))
        return verdict_mark(view.verdict) if self.is_dimmed and view.verdict is not None else operator_mark(view)

    @property
    def detail(self) -> str:
        """The small text behind the word."""
        view = self._view
        if view.progress and view.progress_since is not None:
            return self.tr("{0} s").format(max(int(self._clock() - view.progress_since), 0))
        if self.is_dimmed and view.is_cancelled and view.verdict is not None:
            return self.tr("the newest check was cancelled")
        if view.activity is Activity.RUNNING and view.has_verdict:
            return self.tr("{0}, slow stages follow").format(render_seconds(view.seconds or 0.0))
        if view.verdict is None or view.seconds is None:
            return ""
        return render_seconds(view.seconds)

    def show_operator(self, view: OperatorView) -> None:
        """Show the verdict of an operator."""
        self._view = view
        self.setAccessibleName(" ".join(part for part in (self.mark.word, self.detail) if part))
        said = progress_sentence(view.progress) if view.progress else ""
        self.setToolTip(said or self.tr("Verdict: {0}").format(self.accessibleName()))
        self.updateGeometry()
        self.update()

    def tick(self) -> None:
        """Follow the time while something is waited for."""
        if self._view.progress:
            self.show_operator(self._view)

    def retranslate(self) -> None:
        """Say the verdict again."""
        self.show_operator(self._view)

    def sizeHint(self) -> QSize:
        """Return the size of the text."""
        word = QFontMetricsF(ui_font(semibold=True)).horizontalAdvance(self.mark.word)
        # Seconds that go by change nothing of the width.
        widest = _WIDEST_SECONDS if self._view.progress else self.detail
        detail = QFontMetricsF(ui_font(SMALL_PIXELS)).horizontalAdvance(widest)
        return QSize(round(2 * _PADDING + _ICON_PIXELS + _GAP + word + (_GAP + detail if detail else 0) + 1), HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the verdict."""
        with QPainter(self) as painter:
            tokens, mark = self._theme.tokens, self.mark
            painter.setOpacity(_DIMMED if self.is_dimmed else 1.0)
            top = (HEIGHT - _ICON_PIXELS) / 2
            self._icons.paint(painter, mark.icon, mark.token, QPointF(_PADDING, top), size=_ICON_PIXELS)
            left = _PADDING + _ICON_PIXELS + _GAP
            row = QRectF(left, 0, self.width() - left - _PADDING, HEIGHT)
            painter.setFont(ui_font(semibold=True))
            painter.setPen(QColor(getattr(tokens, mark.token)))
            small = ui_font(SMALL_PIXELS)
            detail = QFontMetricsF(small).horizontalAdvance(self.detail)
            room = row.width() - (detail + _GAP if detail else 0)
            word = QFontMetricsF(painter.font()).elidedText(mark.word, Qt.TextElideMode.ElideRight, room)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, word)
            painter.setFont(small)
            painter.setPen(QColor(tokens.text_2))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self.detail)
