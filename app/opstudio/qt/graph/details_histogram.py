"""The distribution of the values of a tensor: bars over the range of its finite values."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from opstudio.model.graph.tensor_statistics import TensorStatistics
from opstudio.qt.graph.details_numbers import number_text
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.theme import Theme

_HEIGHT = 128
_GAP = 6.0
_TICK = 3.0
_WIDTH_WITH_GAP = 5.0
"""Pixels of bars from which they stand apart."""


class Histogram(QWidget):
    """Counts upwards, values to the right. The pointer tells the range and the count of a bar."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._statistics: TensorStatistics | None = None
        self._is_whole = False
        self.setFont(ui_font(SMALL_PIXELS))
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def statistics(self) -> TensorStatistics | None:
        """What is shown."""
        return self._statistics

    def show_statistics(self, statistics: TensorStatistics | None, *, is_whole: bool = False) -> None:
        """Show the histogram of these, or nothing where there are no finite values.

        Args:
            statistics: what is shown.
            is_whole: whether each bar stands for one whole number, and not for a range.
        """
        self._is_whole = is_whole
        is_drawn = statistics is not None and statistics.minimum is not None and sum(statistics.histogram) > 0
        self._statistics = statistics if is_drawn else None
        self.setVisible(is_drawn)
        if statistics is not None and is_drawn:
            self.setAccessibleName(
                QCoreApplication.translate("Details", "Histogram of {0} values from {1} to {2}").format(
                    f"{sum(statistics.histogram):,}",
                    number_text(statistics.minimum or 0.0),
                    number_text(statistics.maximum or 0.0),
                )
            )
        self.update()

    def sizeHint(self) -> QSize:
        """Return the height of the drawing."""
        return QSize(160, _HEIGHT)

    def bar_text(self, place: QPointF) -> str:
        """Return what the bar below a place of the widget counts; empty beside the bars."""
        found = self._statistics
        if found is None or found.minimum is None or found.maximum is None:
            return ""
        area = self._area(found)
        if not area.left() <= place.x() < area.right():
            return ""
        bins = len(found.histogram)
        number = min(int((place.x() - area.left()) / area.width() * bins), bins - 1)
        if self._is_whole:
            text = QCoreApplication.translate("Details", "{0}: {1} elements")
            return text.format(number_text(found.minimum + number), f"{found.histogram[number]:,}")
        low, high = (_edge(found.minimum, found.maximum, edge / bins) for edge in (number, number + 1))
        text = QCoreApplication.translate("Details", "{0} to {1}: {2} elements")
        return text.format(number_text(low), number_text(high), f"{found.histogram[number]:,}")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what the bar below the pointer counts."""
        QToolTip.showText(event.globalPosition().toPoint(), self.bar_text(event.position()), self)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the axes and the bars."""
        found = self._statistics
        if found is None or found.minimum is None or found.maximum is None:
            return
        with QPainter(self) as painter:
            area, tokens = self._area(found), self._theme.tokens
            painter.setFont(self.font())
            self._paint_bars(painter, area, found)
            painter.setPen(QColor(tokens.line))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
            painter.drawLine(area.topLeft(), area.bottomLeft())
            if found.minimum < 0.0 < found.maximum and not self._is_whole:
                zero = area.left() + area.width() * (0.0 - found.minimum) / (found.maximum - found.minimum)
                painter.drawLine(QPointF(zero, area.bottom()), QPointF(zero, area.bottom() + _TICK))
            self._paint_labels(painter, area, found)

    def _paint_bars(self, painter: QPainter, area: QRectF, found: TensorStatistics) -> None:
        most, bins = max(found.histogram), len(found.histogram)
        gap = 1 if area.width() / bins > _WIDTH_WITH_GAP else 0
        colour = QColor(self._theme.tokens.series[0])
        for number, count in enumerate(found.histogram):
            # Whole pixels: otherwise some bars stand apart and others do not.
            left, right = (round(area.left() + area.width() * edge / bins) for edge in (number, number + 1))
            # What is there is seen, however few they are.
            height = max(round(area.height() * count / most), 1) if count else 0
            painter.fillRect(QRectF(left, area.bottom() - height, max(right - left - gap, 1), height), colour)

    def _paint_labels(self, painter: QPainter, area: QRectF, found: TensorStatistics) -> None:
        tokens, metrics = self._theme.tokens, QFontMetricsF(self.font())
        left, right, centre = (
            Qt.AlignmentFlag.AlignLeft,
            Qt.AlignmentFlag.AlignRight,
            Qt.AlignmentFlag.AlignHCenter,
        )
        ticks = QRectF(area.left(), area.bottom() + _TICK, area.width(), metrics.height())
        painter.setPen(QColor(tokens.text_2))
        low, high = number_text(found.minimum or 0.0), number_text(found.maximum or 0.0)
        painter.drawText(ticks, left, low)
        painter.drawText(ticks, right, high)
        painter.drawText(ticks, centre, QCoreApplication.translate("Details", "value"))
        counts = QRectF(0.0, area.top() - metrics.height() / 2, area.left() - _GAP, metrics.height())
        painter.drawText(counts, right, f"{max(found.histogram):,}")
        painter.drawText(counts.translated(0.0, area.height()), right, "0")
        title = QRectF(0.0, 0.0, self.width(), metrics.height())
        ranges = QCoreApplication.translate("Details", "elements in each of {0} ranges").format(len(found.histogram))
        painter.drawText(title, left, QCoreApplication.translate("Details", "elements") if self._is_whole else ranges)

    def _area(self, found: TensorStatistics) -> QRectF:
        """Return where the bars stand: beside the counts, between the title and the values."""
        metrics = QFontMetricsF(self.font())
        left = metrics.horizontalAdvance(f"{max(found.histogram):,}") + _GAP
        top = metrics.height() * 1.6
        return QRectF(left, top, self.width() - left - 1.0, self.height() - top - metrics.height() - _TICK - 2.0)


def _edge(minimum: float, maximum: float, share: float) -> float:
    # The difference of the two may be larger than the largest number.
    return minimum * (1.0 - share) + maximum * share
