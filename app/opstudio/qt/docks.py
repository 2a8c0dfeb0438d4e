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
        by_area: dict[PanelArea, list[PanelDock]] = defaultdict(list)
        for manifest, dock in self._docks.items():
            area = self._area(manifest)
            dock.setFloating(False)
            self._window.addDockWidget(_AREAS[area], dock)
            dock.setVisible(perspective in manifest.perspectives)
            if perspective in manifest.perspectives:
                by_area[area].append(dock)
        for area, (first, *others) in by_area.items():
            for dock in others:
                if area is PanelArea.RIGHT:
                    self._window.splitDockWidget(first, dock, Qt.Orientation.Vertical)
                else:
                    self._window.tabifyDockWidget(first, dock)
            first.raise_()
        self.fit(perspective)

    def fit(self, perspective: str) -> None:
        """Give all panels the sizes that they have first in a perspective, wherever they stand."""
        width = self._window.width()
        extents = _NARROW_EXTENTS if width < _NARROW else _MEDIUM_EXTENTS if width < _MEDIUM else _FIRST_EXTENTS
        by_area: dict[PanelArea, list[PanelManifest]] = defaultdict(list)
        for manifest in self._docks:
            if perspective in manifest.perspectives:
                by_area[self._area(manifest)].append(manifest)
        for area, manifests in by_area.items():
            docks = [self._docks[manifest] for manifest in manifests]
            if area is PanelArea.RIGHT and len(docks) > 1:
                self._window.resizeDocks(docks, [1] * len(docks), Qt.Orientation.Vertical)
            extent = max(extents.get(area, 0), *(manifest.extent for manifest in manifests))
            sideways = Qt.Orientation.Vertical if area is PanelArea.BOTTOM else Qt.Orientation.Horizontal
            self._window.resizeDocks(docks[:1], [extent], sideways)

    def _area(self, manifest: PanelManifest) -> PanelArea:
        is_below = manifest.area is PanelArea.RIGHT and self._window.width() < _NARROW
        return PanelArea.BOTTOM if is_below else manifest.area
