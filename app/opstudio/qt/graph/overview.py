"""A small picture of all in a corner: where the person is, and a way to anywhere else."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QWidget

from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.canvas import GraphCanvas
from opstudio.qt.theme.theme import Theme

_LARGEST = QRectF(0, 0, 200, 220)
_SHARE = 0.25
"""Of the canvas that it covers at most, either way."""
_LEAST = 36.0
_PADDING = 6.0
_MARGIN = 12
"""To the edges of the canvas, in pixels."""
_LEAST_VIEW = 4.0


class Overview(QWidget):
    """Hidden while nearly all is seen. A very long picture is shown shortened rather than as a thread."""

    def __init__(self, canvas: GraphCanvas, theme: Theme) -> None:
        super().__init__(canvas)
        self._canvas, self._theme = canvas, theme
        self._drawn: QPixmap | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        canvas.camera_changed.connect(self._follow)
        canvas.installEventFilter(self)
        theme.changed.connect(self.forget)
        self.hide()

    def forget(self) -> None:
        """Draw it anew: the picture or its colours are others."""
        self._drawn = None
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner."""
        if event.type() is QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Look at what was clicked."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._go(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the picture, and a frame around what is seen of it."""
        tokens = self._theme.tokens
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(tokens.line))
            painter.setBrush(QColor(tokens.surface))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            if self._drawn is None:
                self._drawn = self._draw()
            painter.drawPixmap(QPointF(_PADDING, _PADDING), self._drawn)
            seen = self._canvas.camera.seen
            frame = self._transform().mapRect(QRectF(seen.left, seen.top, seen.width, seen.height))
            frame = frame.intersected(QRectF(self.rect()).adjusted(2, 2, -2, -2))
            grow = max(_LEAST_VIEW - frame.height(), 0.0) / 2
            ground = QColor(tokens.text)
            ground.setAlphaF(0.08)
            painter.setPen(QPen(QColor(tokens.text_2), 1.0))
            painter.setBrush(ground)
            painter.drawRect(frame.adjusted(0, -grow, 0, grow))

    def _draw(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        size = QRectF(self.rect()).adjusted(0, 0, -2 * _PADDING, -2 * _PADDING).size()
        pixmap = QPixmap(round(size.width() * ratio), round(size.height() * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        picture, look = self._canvas.picture, self._canvas.look
        if picture is not None and look is not None:
            width, height = picture.size
            with QPainter(pixmap) as painter:
                painter.setTransform(self._transform() * QTransform.fromTranslate(-_PADDING, -_PADDING))
                whole = Area(left=0.0, top=0.0, right=width, bottom=height)
                self._canvas.painter.paint_small(painter, picture, look, whole)
        return pixmap

    def _go(self, point: QPointF) -> None:
        inverse, _ = self._transform().inverted()
        at = inverse.map(point)
        self._canvas.center_on(at.x(), at.y())

    def _transform(self) -> QTransform:
        """Return what leads from the picture to this widget."""
        picture = self._canvas.picture
        width, height = picture.size if picture is not None else (1.0, 1.0)
        across = (self.width() - 2 * _PADDING) / max(width, 1.0)
        down = (self.height() - 2 * _PADDING) / max(height, 1.0)
        return QTransform(across, 0.0, 0.0, down, _PADDING, _PADDING)

    def _follow(self) -> None:
        picture = self._canvas.picture
        camera = self._canvas.camera
        wanted = picture is not None and picture.boxes.count > 0 and not camera.sees_nearly_all
        if wanted:
            self._place()
        self.setVisible(wanted)
        self.update()

    def _place(self) -> None:
        picture = self._canvas.picture
        if picture is None:
            return
        width, height = (max(extent, 1.0) for extent in picture.size)
        most_down = min(_LARGEST.height(), self._canvas.height() * _SHARE)
        scale = min(min(_LARGEST.width(), self._canvas.width() * _SHARE) / width, most_down / height)
        size = QRectF(0, 0, max(width * scale, _LEAST), max(height * scale, _LEAST))
        wide, high = round(size.width() + 2 * _PADDING), round(size.height() + 2 * _PADDING)
        if (wide, high) != (self.width(), self.height()):
            self._drawn = None
        self.setGeometry(self._canvas.width() - wide - _MARGIN, self._canvas.height() - high - _MARGIN, wide, high)
