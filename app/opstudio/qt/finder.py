"""How the person gets anywhere: the field that finds everything, the keys of problems and of parts of the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QWidget

from opstudio.qt.docks import Docks
from opstudio.qt.panel import PanelContext
from opstudio.qt.picker.command_source import CommandSource
from opstudio.qt.picker.file_source import FileSource
from opstudio.qt.picker.line_source import LineSource
from opstudio.qt.picker.new_operator_source import NewOperatorSource
from opstudio.qt.picker.node_source import NodeSource
from opstudio.qt.picker.operator_source import OperatorSource
from opstudio.qt.picker.picker import Picker
from opstudio.qt.picker.problem_source import ProblemSource
from opstudio.qt.picker.workspace_source import WorkspaceSource
from opstudio.qt.preferences import Preferences
from opstudio.qt.widgets.finder_button import FinderButton

_FIRST_KEY_TAKEN = 9
"""From here on keys lead to the pipeline and the editor; further panels are reached by the palette."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destinations:
    """What the window does with what was picked."""

    open_file: Callable[[Path], None]
    go_to_line: Callable[[int, int | None], None]
    make_operator: Callable[[str, str], None]
    open_workspace: Callable[[Path], None]
    focus_strip: Callable[[], None]
    focus_editor: Callable[[], None]
    show_graph: Callable[[], None]


class Finder:
    """Connects the actions that lead somewhere."""

    def __init__(
        self, window: QMainWindow, context: PanelContext, preferences: Preferences, to: Destinations, docks: Docks
    ) -> None:
        self._actions, self._docks, self._to = context.actions, docks, to
        self.files = FileSource(context.workspace.root, to.open_file)
        self._problems = ProblemSource(context.state, context.selection, context.stage_order, context.go_to)
        sources = (
            CommandSource(context.actions),
            OperatorSource(context.state, context.selection),
            self._problems,
            NodeSource(context.graph, to.show_graph),
            LineSource(to.go_to_line),
            NewOperatorSource(to.make_operator, context.workspace.root),
            WorkspaceSource(preferences, to.open_workspace),
            self.files,
        )
        self.picker = Picker(sources, context.theme, context.icons, window)
        self.button = FinderButton(context.actions.command_palette, context.icons)
        self.button.clicked.connect(partial(self.picker.open, ""))
        actions = context.actions
        for action, prefix in (
            (actions.command_palette, ">"),
            (actions.go_to_file, ""),
            (actions.go_to_operator, "@"),
            (actions.go_to_problem, "!"),
            (actions.go_to_line, ":"),
            (actions.go_to_node, "#"),
            (actions.new_operator, "+"),
            (actions.go_to_workspace, "~"),
        ):
            action.triggered.connect(partial(self.picker.open, prefix))
        for toggle in docks.toggles():
            actions.adopt(toggle, QT_TRANSLATE_NOOP("Action", "Show or hide {0}"))
        actions.next_problem.triggered.connect(partial(self._problems.step, 1))
        actions.previous_problem.triggered.connect(partial(self._problems.step, -1))

    def is_passing(self, widget: QWidget) -> bool:
        """Whether a widget has the keyboard only until something is picked."""
        return widget is self.button or self.picker.isAncestorOf(widget)

    def make_pane_actions(self) -> list[QAction]:
        """Return the actions that take the keyboard to a part of the window."""
        to_panel = QT_TRANSLATE_NOOP("Action", "Go to panel {0}")
        panes: list[QAction] = []
        for number, manifest in enumerate(self._docks.manifests, start=1):
            key = f"Alt+{number}" if number < _FIRST_KEY_TAKEN else ""
            pane = self._actions.add(manifest.title, key, context="Panel", frame=to_panel)
            pane.triggered.connect(partial(self._docks.show_panel, manifest.id))
            panes.append(pane)
        for source, key, focus in (
            (QT_TRANSLATE_NOOP("Action", "Go to the pipeline"), "Alt+9", self._to.focus_strip),
            (QT_TRANSLATE_NOOP("Action", "Go to the editor"), "Alt+0", self._to.focus_editor),
        ):
            pane = self._actions.add(source, key)
            pane.triggered.connect(focus)
            panes.append(pane)
        return panes
