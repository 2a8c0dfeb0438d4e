"""The panels around the middle: found, framed, and put where they stand first in each perspective."""

from __future__ import annotations

from collections import defaultdict

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, find_panels
from opstudio.qt.widgets.dock import PanelDock, TitleLine

_NARROW, _MEDIUM = 1200, 1400
"""In a window narrower than the first, what belongs to the right stands under the editor; than the second, what stands
beside the middle leaves it more room."""
_AREAS = {
    PanelArea.LEFT: Qt.DockWidgetArea.LeftDockWidgetArea,
    PanelArea.RIGHT: Qt.DockWidgetArea.RightDockWidgetArea,
    PanelArea.BOTTOM: Qt.DockWidgetArea.BottomDockWidgetArea,
}
_FIRST_EXTENTS = {PanelArea.LEFT: 320, PanelArea.RIGHT: 380, PanelArea.BOTTOM: 190}
_MEDIUM_EXTENTS = {PanelArea.LEFT: 260, PanelArea.RIGHT: 320, PanelArea.BOTTOM: 190}
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
            line = TitleLine(panel.header_widgets(), context.theme)
            panel.badge_changed.connect(line.set_badge)
            self.panels[manifest.id] = panel
            self._docks[manifest] = PanelDock(manifest.id, panel, line)
            window.addDockWidget(_AREAS[manifest.area], self._docks[manifest])
        self.retranslate()

    def retranslate(self) -> None:
        """Set the titles."""
        for manifest, dock in self._docks.items():
            dock.set_title(QCoreApplication.translate("Panel", manifest.title))

    @property
    def manifests(self) -> tuple[PanelManifest, ...]:
        """The panels, by area and order."""
        return tuple(self._docks)

    def toggles(self) -> list[QAction]:
        """Return the actions that show and hide the panels."""
        return [dock.toggleViewAction() for dock in self._docks.values()]

    def reveal(self, panel_id: str) -> None:
        """Bring a panel to the front."""
        dock = next(dock for manifest, dock in self._docks.items() if manifest.id == panel_id)
        dock.show()
        dock.raise_()

    def is_open(self, panel_id: str) -> bool:
        """Whether a panel stands in the window, in front or behind others."""
        dock = next(dock for manifest, dock in self._docks.items() if manifest.id == panel_id)
        return dock.toggleViewAction().isChecked()

    def show_panel(self, panel_id: str) -> None:
        """Bring a panel to the front and give it the keyboard."""
        self.reveal(panel_id)
        self.panels[panel_id].focus_content()

    def reset(self, perspective: str) -> None:
        """Put all panels where they stand first in a perspective."""
        width = self._window.width()
        is_narrow = width < _NARROW
        extents = dict(_NARROW_EXTENTS if is_narrow else _MEDIUM_EXTENTS if width < _MEDIUM else _FIRST_EXTENTS)
        by_area: dict[PanelArea, list[PanelDock]] = defaultdict(list)
        for manifest, dock in self._docks.items():
            area = PanelArea.BOTTOM if is_narrow and manifest.area is PanelArea.RIGHT else manifest.area
            dock.setFloating(False)
            self._window.addDockWidget(_AREAS[area], dock)
            dock.setVisible(perspective in manifest.perspectives)
            if perspective in manifest.perspectives:
                by_area[area].append(dock)
                extents[area] = max(extents[area], manifest.extent)
        for area, (first, *others) in by_area.items():
            for dock in others:
                if area is PanelArea.RIGHT:
                    self._window.splitDockWidget(first, dock, Qt.Orientation.Vertical)
                else:
                    self._window.tabifyDockWidget(first, dock)
            first.raise_()
            if area is PanelArea.RIGHT and others:
                self._window.resizeDocks([first, *others], [1, *[1] * len(others)], Qt.Orientation.Vertical)
            sideways = Qt.Orientation.Vertical if area is PanelArea.BOTTOM else Qt.Orientation.Horizontal
            self._window.resizeDocks([first], [extents[area]], sideways)
