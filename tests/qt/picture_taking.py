"""Takes pictures of panels at sizes that do not depend on the window around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCursor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import Panel, PanelState

SIZE = QSize(460, 260)
SIZES: Mapping[str, QSize] = {
    "models": QSize(320, 300),
    "node_details": QSize(380, 600),
    "node_list": QSize(760, 250),
    "model_findings": QSize(760, 250),
    "export": QSize(900, 340),
}
"""Where they are other ones than :data:`SIZE`: about those of the panels in their perspectives."""
_LAYOUTS = 3
"""What grows asks what is around it for room, which asks again."""
_SETTLING_MS = 40
"""What is laid out a moment later is in the picture, also on a busy machine."""
Settle = Callable[[], object]
"""Lets a panel that was just shown read what it shows."""


def photograph(window: MainWindow, name: str, state: PanelState, settle: Settle = QApplication.processEvents) -> QImage:
    """Return a panel at the size of its pictures, outside of its dock, which would give it another one.

    A page in the middle is named by its perspective; its size is the one that it has there.
    """
    # Where an earlier test left the pointer is no part of the picture.
    QCursor.setPos(window.screen().geometry().bottomRight())
    if name not in window.docks.panels:
        page = window.center.page(name)
        assert isinstance(page, Panel)
        return rendered(page, state, settle)
    window.docks.reveal(name)
    panel = window.docks.panels[name]
    dock = panel.parentWidget()
    assert isinstance(dock, QDockWidget)
    holder = QWidget()
    holder.resize(SIZES.get(name, SIZE))
    panel.setParent(holder)
    panel.setGeometry(holder.rect())
    panel.show()
    holder.show()
    image = rendered(panel, state, settle)
    dock.setWidget(panel)
    holder.deleteLater()
    return image


def rendered(panel: Panel, state: PanelState, settle: Settle) -> QImage:
    """Return what a panel paints once it has settled."""
    QApplication.processEvents()
    settle()
    for _ in range(_LAYOUTS):
        QTest.qWait(_SETTLING_MS)
    assert panel.panel_state is state
    for part in panel.findChildren(QWidget):
        part.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, on=False)
    image = QImage(panel.size(), QImage.Format.Format_RGB32)
    image.fill(panel.palette().base().color())
    panel.render(image)
    return image


def sheet(images: Sequence[QImage]) -> QImage:
    """Return the pictures beside and below each other."""
    columns, size = min(len(images), 2), images[0].size()
    rows = -(-len(images) // columns)
    result = QImage(size.width() * columns, size.height() * rows, QImage.Format.Format_RGB32)
    result.fill(images[0].pixelColor(0, size.height() - 1))
    painter = QPainter(result)
    for number, image in enumerate(images):
        painter.drawImage((number % columns) * size.width(), (number // columns) * size.height(), image)
    painter.end()
    return result
