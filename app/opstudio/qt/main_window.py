"""The main window: the strip and the editor in the middle, panels around them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from opstudio.base.finding import Finding, Place
from opstudio.checks.check import all_checks
from opstudio.qt.actions import Actions
from opstudio.qt.bridge import EventBridge
from opstudio.qt.docks import Docks
from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.editor.line_marks import LineMark
from opstudio.qt.menus import Menus
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.panel import PanelContext
from opstudio.qt.pipeline.strip import PipelineStrip
from opstudio.qt.selection import Selection
from opstudio.qt.session import LoopSession
from opstudio.qt.status_line import StatusLine
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.notice_bar import NoticeBar
from opstudio.qt.window_memory import WindowMemory
from opstudio.workspace.folder import Workspace
from opstudio.workspace.unsaved_texts import UnsavedTexts

FIRST_SIZE = QSize(1440, 900)
_LEAST_SIZE = QSize(640, 400)


class MainWindow(QMainWindow):
    """Shows one workspace."""

    def __init__(self, workspace: Workspace, theme: Theme, memory: WindowMemory | None = None) -> None:
        """Make the window; nothing is watched or run before :meth:`start`.

        Args:
            workspace: what is shown.
            theme: how it looks.
            memory: where the layout is kept; ``None`` keeps nothing.
        """
        super().__init__()
        self._workspace, self._memory = workspace, memory
        self._icons = Icons(theme)
        self.bridge = EventBridge(self)
        self.state = LoopState(self)
        self.selection = Selection(self)
        self.session = LoopSession(workspace, self.bridge, self.state)
        self.actions_ = Actions(self, self._icons)
        self.editors = EditorArea(workspace.root, theme, self._icons, unsaved=UnsavedTexts(workspace.state))
        self.strip = PipelineStrip(all_checks(), self.state, self.selection, theme, self._icons)
        self.notice = NoticeBar(theme, self._icons)
        self.status = StatusLine(self.statusBar())
        self._may_close = False
        self._theme = theme
        self.setCentralWidget(self._make_center())
        self.docks = self._make_docks()
        self._connect()
        self._add_menus()
        self.strip.hide()
        self.setMinimumSize(_LEAST_SIZE)
        self.resize(FIRST_SIZE)
        if memory is None or not memory.restore(self):
            self.docks.reset()
        self._show_title()

    def start(self) -> None:
        """Watch the workspace and check its operators, without waiting for any of it."""
        self.bridge.start()
        self.session.start()
        self._select_first()

    def go_to(self, place: Place) -> None:
        """Show a place of a finding in the editor."""
        path = self._workspace.root / place.file if place.file else None
        if path is None or not path.is_file():
            self.status.say(self.tr("{0} is not a file").format(place.file or str(place)))
            return
        self.open_file(path, place.line, place.column)

    def open_file(self, path: Path, line: int | None = None, column: int | None = None) -> None:
        """Open a file beside those of the operator that it belongs to."""
        owner = self._owner(path)
        if owner:
            self.selection.select_operator(owner)
        self.editors.open_file(path, line, column)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask, in place, what becomes of unsaved text; then end the loop and all its processes."""
        modified = self.editors.modified
        if modified and not self._may_close:
            event.ignore()
            names = ", ".join(page.path.name for page in modified)
            self.notice.say(
                self.tr("Not saved: {0}").format(names),
                [
                    (self.tr("Save and close"), self._save_and_close),
                    (self.tr("Close without saving"), self._close_without_saving),
                    (self.tr("Stay"), self.notice.forget),
                ],
            )
            return
        if self._memory is not None:
            self._memory.keep(self)
            self._memory.operator = self.selection.operator
            self._memory.theme = self._theme.choice
            self._memory.sync()
        self.hide()
        self.session.close()
        super().closeEvent(event)

    def close_at_once(self) -> None:
        """Close without asking; for when the system ends the program."""
        self._may_close = True
        self.close()

    def changeEvent(self, event: QEvent) -> None:
        """Look at what changed outside when the person comes back."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self.editors.look_outside()
            self.session.look_again()

    def _make_center(self) -> QWidget:
        center = QWidget()
        column = QVBoxLayout(center)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.notice, self.strip):
            column.addWidget(widget)
        column.addWidget(self.editors, 1)
        return center

    def _make_docks(self) -> Docks:
        context = PanelContext(
            theme=self._theme,
            icons=self._icons,
            actions=self.actions_,
            events=self.bridge,
            state=self.state,
            selection=self.selection,
            stage_order=tuple(check.id for check in all_checks()),
            go_to=self.go_to,
        )
        return Docks(self, context)

    def _add_menus(self) -> None:
        reset = QAction(self.tr("Reset the layout"), self)
        reset.triggered.connect(self.docks.reset)
        toggles = self.docks.toggles()
        panels = zip(toggles, self.docks.panels.values(), strict=True)
        parts = [
            *((toggle.text(), panel.focus_content) for toggle, panel in panels),
            (self.tr("Pipeline"), self.strip.focus_content),
            (self.tr("Editor"), self.editors.setFocus),
        ]
        panes: list[QAction] = []
        for number, (title, focus) in enumerate(parts, start=1):
            pane = self.actions_.for_pane(title, number)
            pane.triggered.connect(focus)
            panes.append(pane)
        Menus(self.menuBar(), self.actions_, self._theme).add_panels(toggles, reset, panes)

    def _connect(self) -> None:
        actions = self.actions_
        for action, slot in (
            (actions.save, self.editors.save_current),
            (actions.save_all, self.editors.save_all),
            (actions.close_tab, self.editors.close_current),
            (actions.next_tab, self.editors.next_tab),
            (actions.previous_tab, self.editors.previous_tab),
            (actions.find, self.editors.open_find),
            (actions.replace, self.editors.open_replace),
            (actions.find_next, self.editors.find_next),
            (actions.find_previous, self.editors.find_previous),
            (actions.quit, self.close),
            (actions.run_fresh, self._run_fresh),
            (actions.cancel, self.session.cancel),
            (actions.look_again, self.session.look_again),
        ):
            action.triggered.connect(slot)
        self.bridge.events_received.connect(self.state.receive)
        self.session.opened.connect(self._update_actions)
        self.session.environment_known.connect(self.status.show_environment)
        self.session.refused.connect(self._show_refusal)
        self.selection.operator_changed.connect(self._show_operator)
        self.state.operators_updated.connect(self._follow_state)
        self.state.membership_changed.connect(self._select_first)
        self.editors.saved.connect(self._saved)
        self.editors.page_changed.connect(self._show_page)
        self.editors.position_changed.connect(self._show_position)
        self._update_actions()

    def _select_first(self) -> None:
        """Look at the operator that was looked at last, or at the first."""
        names = self.state.names
        if self.selection.operator in names:
            self._show_operator(self.selection.operator)
            return
        wanted = self._memory.operator if self._memory is not None else ""
        self.selection.select_operator(wanted if wanted in names else names[0] if names else "")

    def _show_operator(self, name: str) -> None:
        self.strip.setVisible(bool(name))
        self.editors.show_operator(name, self.state.folder(name))
        if name:
            self.session.show_first(name)
        self._show_marks()
        self._update_actions()
        self._show_title()

    def _follow_state(self, names: frozenset[str]) -> None:
        if self.selection.operator in names:
            self._show_marks()
        self._update_actions()

    def _show_marks(self) -> None:
        marks: dict[Path, list[LineMark]] = defaultdict(list)
        for shown in self.state.view(self.selection.operator).findings():
            for place in _file_places(shown.finding):
                path = self._workspace.root / (place.file or "")
                marks[path].append(LineMark(place.line or 1, shown.finding, shown.stale))
        self.editors.set_marks(marks)

    def _show_refusal(self, findings: tuple[Finding, ...]) -> None:
        self.status.show_refusal(findings[0].title)

    def _saved(self, path: Path) -> None:
        self.status.say(self.tr("{0} saved").format(path.name))
        if owner := self._owner(path):
            self.session.prefer(owner)

    def _run_fresh(self) -> None:
        self.session.run_fresh(self.selection.operator)

    def _owner(self, path: Path) -> str:
        """Return the operator that a file belongs to, or an empty text."""
        folders = (self.state.folder(name) for name in self.state.names)
        return next((folder.name for folder in folders if folder and path.is_relative_to(folder.path)), "")

    def _show_page(self) -> None:
        self._show_position()
        self._update_actions()
        self._show_title()

    def _show_position(self) -> None:
        self.status.show_page(self.editors.current)

    def _update_actions(self) -> None:
        page = self.editors.current
        self.actions_.save.setEnabled(page is not None and page.is_modified)
        self.actions_.save_all.setEnabled(bool(self.editors.modified))
        self.actions_.run_fresh.setEnabled(bool(self.selection.operator) and self.session.is_open)
        self.actions_.cancel.setEnabled(self.state.is_busy)

    def _show_title(self) -> None:
        page = self.editors.current
        parts = [page.path.name + "[*]"] if page is not None else []
        parts += [part for part in (self.selection.operator, self._workspace.settings.name) if part]
        self.setWindowTitle(" – ".join([*parts, "OpStudio"]))
        self.setWindowModified(page is not None and page.is_modified)

    def _save_and_close(self) -> None:
        if self.editors.save_all():
            self.close()

    def _close_without_saving(self) -> None:
        self.editors.forget_unsaved()
        self.close_at_once()


def _file_places(finding: Finding) -> tuple[Place, ...]:
    """Return the lines of files at which a finding is."""
    return tuple(place for place in finding.places if place.file and place.line)
