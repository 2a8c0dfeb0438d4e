"""The tabs of the editor: a file each, with a dot where it is modified and an icon where it has errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar, QWidget

from opstudio.qt.theme.icons import Icons

_END_PIXELS = 16
_MARK_PIXELS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """A file as its tab shows it."""

    path: Path
    is_modified: bool = False
    has_errors: bool = False
    is_closable: bool = False


class TabStrip(QTabBar):
    """Shows tabs; which file is in front is told by ``chosen``."""

    chosen = Signal(Path)
    close_requested = Signal(Path)

    def __init__(self, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._tabs: tuple[Tab, ...] = ()
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setIconSize(QSize(14, 14))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.currentChanged.connect(self._tell_chosen)
        icons.changed.connect(self._refresh)

    def show_tabs(self, tabs: Sequence[Tab], current: Path | None) -> None:
        """Show these tabs, and ``current`` in front, without telling that it was chosen."""
        wanted = tuple(tabs)
        with QSignalBlocker(self):
            if [tab.path for tab in wanted] != [tab.path for tab in self._tabs]:
                while self.count():
                    self.removeTab(0)
                for index, tab in enumerate(wanted):
                    self.addTab(tab.path.name)
                    self.setTabButton(index, QTabBar.ButtonPosition.RightSide, _TabEnd(self, self._icons, tab.path))
            self._tabs = wanted
            self._refresh()
            paths = [tab.path for tab in wanted]
            if current in paths:
                self.setCurrentIndex(paths.index(current))

    def changeEvent(self, event: QEvent) -> None:
        """Fetch the tool tips again when the language changes."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._refresh()

    def _refresh(self) -> None:
        for index, tab in enumerate(self._tabs):
            self.setTabIcon(index, self._icons.icon("bad", "bad") if tab.has_errors else QIcon())
            self.setTabToolTip(index, str(tab.path))
            end = self.tabButton(index, QTabBar.ButtonPosition.RightSide)
            if isinstance(end, _TabEnd):
                end.show_tab(tab)

    def _tell_chosen(self, index: int) -> None:
        if 0 <= index < len(self._tabs):
            self.chosen.emit(self._tabs[index].path)


class _TabEnd(QWidget):
    """The right end of a tab: a dot, a cross to close it with, or nothing. Always of the same width."""

    def __init__(self, strip: TabStrip, icons: Icons, path: Path) -> None:
        super().__init__(strip)
        self._strip, self._icons = strip, icons
        self._tab = Tab(path=path)
        self.setFixedSize(_END_PIXELS, _END_PIXELS)
        icons.changed.connect(self.update)

    def show_tab(self, tab: Tab) -> None:
        self._tab = tab
        words = [self.tr("modified")] if tab.is_modified else []
        words += [self.tr("click to close")] if tab.is_closable and not tab.is_modified else []
        self.setToolTip(", ".join(words))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            offset = (_END_PIXELS - _MARK_PIXELS) / 2
            place = QPointF(offset, offset)
            if self._tab.is_modified:
                self._icons.paint(painter, "modified", "text", place, size=_MARK_PIXELS)
            elif self._tab.is_closable:
                self._icons.paint(painter, "close", "text_2", place, size=_MARK_PIXELS)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._tab.is_closable and not self._tab.is_modified and self.rect().contains(event.position().toPoint()):
            self._strip.close_requested.emit(self._tab.path)
