"""The icons: one family of drawings in ``resources/icons``, coloured by tokens, sharp at every scale."""

from __future__ import annotations

import functools

from PySide6.QtCore import QByteArray, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from opstudio.base.assets import asset_root
from opstudio.qt.theme.theme import Theme

ICON_PIXELS = 16
_RATIOS = (1.0, 1.5, 2.0, 3.0)


class Icons(QObject):
    """Draws icons in the colours of the theme."""

    changed = Signal()
    """The colours changed: icons that are held must be fetched again."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        theme.changed.connect(self.changed)

    def icon(self, name: str, tone: str = "text_2") -> QIcon:
        """Return an icon for actions, buttons and models; pale where the action is disabled."""
        result = QIcon()
        for ratio in _RATIOS:
            result.addPixmap(self.pixmap(name, tone, ratio=ratio))
            result.addPixmap(self.pixmap(name, "line", ratio=ratio), QIcon.Mode.Disabled)
            # The palette would tint what is selected.
            result.addPixmap(self.pixmap(name, tone, ratio=ratio), QIcon.Mode.Selected)
        return result

    def pixmap(self, name: str, tone: str, *, size: int = ICON_PIXELS, ratio: float = 1.0) -> QPixmap:
        """Return an icon for painting."""
        return _render(name, getattr(self._theme.tokens, tone), size, ratio)

    def paint(self, painter: QPainter, name: str, tone: str, top_left: QPointF, *, size: int = ICON_PIXELS) -> None:
        """Paint an icon in place."""
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(top_left, self.pixmap(name, tone, size=size, ratio=ratio))


@functools.lru_cache(maxsize=1024)
def _render(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    drawing = _drawing(name).replace("currentColor", colour)
    renderer = QSvgRenderer(QByteArray(drawing.encode("utf-8")))
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        renderer.render(painter, QRectF(0, 0, pixmap.width(), pixmap.height()))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


@functools.cache
def _drawing(name: str) -> str:
    return (asset_root("resources") / "icons" / f"{name}.svg").read_text(encoding="utf-8")
