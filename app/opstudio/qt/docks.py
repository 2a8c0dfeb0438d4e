"""The panels around the editor: found, framed, and put where they stand first."""

from __future__ import annotations

from collections import defaultdict

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, find_panels
from opstudio.qt.widgets.dock import PanelDock, TitleLine

_NARROW = 1200
"""In a window narrower than this, what belongs to the right stands under the editor."""
_AREAS = {
    PanelArea.LEFT: Qt.DockWidgetArea.LeftDockWidgetArea,
    PanelArea.RIGHT: Qt.DockWidgetArea.RightDockWidgetArea,
    PanelArea.BOTTOM: Qt.DockWidgetArea.BottomDockWidgetArea,
}
_FIRST_EXTENTS = {PanelArea.LEFT: 340, PanelArea.RIGHT: 340, PanelArea.BOTTOM: 190}
_NARROW_EXTENTS = {PanelArea.LEFT: 268, PanelArea.BOTTOM: 230}


class Docks(QObject):
    """Holds the panels of a window."""

    def __init__(self, window: QMainWindow, context: PanelContext) -> None:
        super().__init__(window)
        self._window = window
        self.panels: dict[str, Panel] = {}
        self._docks: dict[PanelManifest, PanelDock] = {}
        window.setDockNestingEnabled(True)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        for manifest in find_panels():
            panel = manifest.create(context)
            title = QCoreApplication.translate("Panel", manifest.title)
            line = TitleLine(title, panel.header_widgets(), context.theme)
            panel.badge_changed.connect(line.set_badge)
            self.panels[manifest.id] = panel
            self._docks[manifest] = PanelDock(manifest.id, title, panel, line)
            window.addDockWidget(_AREAS[manifest.area], self._docks[manifest])

    def toggles(self) -> list[QAction]:
        """Return the actions that show and hide the panels."""
        return [dock.toggleViewAction() for dock in self._docks.values()]

    def reset(self) -> None:
        """Put all panels where they stand first."""
        is_narrow = self._window.width() < _NARROW
        extents = _NARROW_EXTENTS if is_narrow else _FIRST_EXTENTS
        by_area: dict[PanelArea, list[PanelDock]] = defaultdict(list)
        for manifest, dock in self._docks.items():
            area = PanelArea.BOTTOM if is_narrow and manifest.area is PanelArea.RIGHT else manifest.area
            dock.setFloating(False)
            dock.show()
            self._window.addDockWidget(_AREAS[area], dock)
            by_area[area].append(dock)
        for area, (first, *others) in by_area.items():
            for dock in others:
                self._window.tabifyDockWidget(first, dock)
            first.raise_()
            sideways = Qt.Orientation.Vertical if area is PanelArea.BOTTOM else Qt.Orientation.Horizontal
            self._window.resizeDocks([first], [extents[area]], sideways)
