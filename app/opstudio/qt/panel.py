"""What a panel is, and what it may use."""

from __future__ import annotations

import dataclasses
import enum
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from opstudio.base.discovery import discover
from opstudio.base.finding import Finding, Place
from opstudio.qt.actions import Actions
from opstudio.qt.bridge import EventBridge
from opstudio.qt.export.export_session import ExportSession
from opstudio.qt.fixes.fix_session import FixSession
from opstudio.qt.graph.graph_session import GraphSession
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.selection import Selection
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget
from opstudio.workspace.folder import Workspace


class PanelArea(enum.Enum):
    """Where a panel stands until the person moves it."""

    LEFT = enum.auto()
    RIGHT = enum.auto()
    BOTTOM = enum.auto()


class PanelState(enum.Enum):
    """What a panel shows. Each of these is designed, and so is any of them with ten thousand rows."""

    EMPTY = enum.auto()
    """What will be here, the one action that brings it, and its key."""
    BUSY = enum.auto()
    """What runs and since when; what was there before stays."""
    FAILING = enum.auto()
    """What is wrong, in place."""
    READY = enum.auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelContext:
    """What a panel may use. Panels never talk to workers and not to one another."""

    workspace: Workspace
    theme: Theme
    icons: Icons
    actions: Actions
    events: EventBridge
    state: LoopState
    selection: Selection
    graph: GraphSession
    fixes: FixSession
    exports: ExportSession
    stage_order: tuple[str, ...]
    go_to: Callable[[Place], None]
    """Show a place of a finding in the editor."""
    tell_refusal: Callable[[Finding], None]
    """Say in place, above the middle of the window, why something could not be done."""
    show_help: Callable[[str], None]
    """Show a help page by its name, or the page of the id of a finding."""
    open_model: Callable[[Path], None]
    """Open a model file and look at it."""
    cancel_check: Callable[[str], None]
    """End the check of an operator, whether it runs or waits."""

    def place_text(self, place: Place) -> str:
        """Return a place as people read it: relative to the workspace where it is inside."""
        if place.file is None:
            return str(place)
        return str(dataclasses.replace(place, file=self.workspace.relative(place.file)))


class Panel(TranslatedWidget):
    """The content of a panel. Its frame and title belong to the window."""

    badge_changed = Signal(str)
    """A short text beside the title: how many there are."""

    @property
    @abstractmethod
    def panel_state(self) -> PanelState:
        """What the panel shows now."""

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return what stands at the right end of the title line."""
        return ()

    def focus_content(self) -> None:
        """Take the keyboard."""
        self.setFocus()


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelManifest:
    """The manifest of a panel. ``order`` counts within an area, from the top or the left.

    ``title`` is the English text, marked with ``QT_TRANSLATE_NOOP("Panel", …)``. The panel stands in its
    ``perspectives`` from the start; in the others it can be called from the menu View. ``extent`` is the height or
    width in pixels that it needs there, where it is more than the usual one.
    """

    id: str
    title: str
    area: PanelArea
    order: int
    create: Callable[[PanelContext], Panel]
    perspectives: tuple[str, ...] = ("kernels",)
    extent: int = 0


def find_panels() -> tuple[PanelManifest, ...]:
    """Return all panels, by area and order."""
    found = discover("opstudio.qt.panels", "PANEL", PanelManifest)
    assert not found.broken, found.broken
    return tuple(sorted(found.manifests, key=lambda panel: (panel.area.value, panel.order)))
