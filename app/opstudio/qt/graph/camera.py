"""Which part of a picture is seen, and how large. A change keeps what the person looks at in its place."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSizeF
from PySide6.QtGui import QTransform

from opstudio.qt.graph.areas import Area

LARGEST = 4.0
_SMALLEST = 0.02
_LEAST = 1e-6
_MARGIN = 24.0
"""Around what is fitted into the view, in pixels of the screen."""
_NEARLY = 0.75
_READABLE = 0.6
"""The zoom from which on names can be read."""


class Camera:
    """A point of the picture in the middle of the view, and a zoom. Views and points are in pixels of the screen."""

    def __init__(self) -> None:
        self.x = self.y = 0.0
        self.zoom = 1.0
        self.view = QSizeF(1.0, 1.0)
        self._picture = QSizeF(0.0, 0.0)

    def set_picture(self, width: float, height: float) -> None:
        """Say how large the picture is; it begins at (0, 0)."""
        self._picture = QSizeF(width, height)

    @property
    def smallest(self) -> float:
        """The least zoom: the whole picture is seen with it."""
        return min(_SMALLEST, self.fitting)

    @property
    def fitting(self) -> float:
        """The zoom with which the whole picture just fits into the view."""
        across = (self.view.width() - 2 * _MARGIN) / max(self._picture.width(), 1.0)
        down = (self.view.height() - 2 * _MARGIN) / max(self._picture.height(), 1.0)
        return max(min(across, down), _LEAST)

    @property
    def seen(self) -> Area:
        """The part of the picture that is seen."""
        half_width, half_height = self.view.width() / 2 / self.zoom, self.view.height() / 2 / self.zoom
        return Area(
            left=self.x - half_width, top=self.y - half_height, right=self.x + half_width, bottom=self.y + half_height
        )

    @property
    def sees_all(self) -> bool:
        """Whether the whole picture is seen."""
        return self.seen.grown(1.0).holds(
            Area(left=0.0, top=0.0, right=self._picture.width(), bottom=self._picture.height())
        )

    @property
    def sees_nearly_all(self) -> bool:
        """Whether little of the picture is not seen, so that a map of it would tell nothing."""
        seen = self.seen
        across = min(seen.right, self._picture.width()) - max(seen.left, 0.0)
        down = min(seen.bottom, self._picture.height()) - max(seen.top, 0.0)
        return across >= _NEARLY * self._picture.width() and down >= _NEARLY * self._picture.height()

    def transform(self) -> QTransform:
        """Return what leads from the picture to the screen."""
        seen = self.seen
        return QTransform(self.zoom, 0.0, 0.0, self.zoom, -seen.left * self.zoom, -seen.top * self.zoom)

    def to_picture(self, point: QPointF) -> QPointF:
        """Return the point of the picture under a point of the screen."""
        seen = self.seen
        return QPointF(seen.left + point.x() / self.zoom, seen.top + point.y() / self.zoom)

    def to_screen(self, x: float, y: float) -> QPointF:
        """Return where a point of the picture is seen."""
        seen = self.seen
        return QPointF((x - seen.left) * self.zoom, (y - seen.top) * self.zoom)

    def zoom_at(self, point: QPointF, factor: float) -> None:
        """Zoom; what is seen at a point stays there."""
        self.set_zoom(self.zoom * factor, point)

    def set_zoom(self, zoom: float, point: QPointF | None = None) -> None:
        """Zoom to a size; what is seen at a point, or in the middle, stays there."""
        point = QPointF(self.view.width() / 2, self.view.height() / 2) if point is None else point
        held = self.to_picture(point)
        self.zoom = min(max(zoom, self.smallest), LARGEST)
        moved = self.to_picture(point)
        self.x += held.x() - moved.x()
        self.y += held.y() - moved.y()
        self._stay()

    def pan(self, right: float, down: float) -> None:
        """Move the picture by pixels of the screen."""
        self.x -= right / self.zoom
        self.y -= down / self.zoom
        self._stay()

    def center_on(self, x: float, y: float) -> None:
        """Look at a point of the picture."""
        self.x, self.y = x, y
        self._stay()

    def fit(self) -> None:
        """See the whole picture, not larger than it is."""
        self.zoom = min(self.fitting, 1.0)
        self.x, self.y = self._picture.width() / 2, self._picture.height() / 2

    def show_start(self) -> None:
        """See all where that can be read, else the upper end as large as its width allows."""
        self.fit()
        if self.zoom >= _READABLE:
            return
        by_width = (self.view.width() - 2 * _MARGIN) / max(self._picture.width(), 1.0)
        self.zoom = min(max(by_width, _READABLE), 1.0)
        self.x = self._picture.width() / 2
        self.y = (self.view.height() / 2 - _MARGIN) / self.zoom

    def reveal(self, area: Area) -> None:
        """Bring an area into view with as little movement as possible; enlarge where it could not be read."""
        if self.zoom < _READABLE:
            self.zoom = _READABLE
            self.center_on((area.left + area.right) / 2, (area.top + area.bottom) / 2)
            return
        seen, margin = self.seen, _MARGIN / self.zoom
        inner = seen.grown(-margin)
        if inner.holds(area):
            return
        if area.width > inner.width or area.height > inner.height or _is_far(seen, area):
            self.center_on((area.left + area.right) / 2, (area.top + area.bottom) / 2)
            return
        self.x += min(area.left - inner.left, 0.0) + max(area.right - inner.right, 0.0)
        self.y += min(area.top - inner.top, 0.0) + max(area.bottom - inner.bottom, 0.0)

    def _stay(self) -> None:
        """Keep a part of the picture in view."""
        self.x = min(max(self.x, 0.0), max(self._picture.width(), 0.0))
        self.y = min(max(self.y, 0.0), max(self._picture.height(), 0.0))


def _is_far(seen: Area, area: Area) -> bool:
    """Whether an area is further away than the view is large."""
    across = max(seen.left - area.right, area.left - seen.right)
    down = max(seen.top - area.bottom, area.top - seen.bottom)
    return across > seen.width / 2 or down > seen.height / 2
