"""The main window: the strip and the editor in the middle, panels around them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QScreen
from PySide6.QtWidgets import QFileDialog, QMainWindow

from opstudio.base.errors import StudioError
from opstudio.base.finding import Finding, Place
from opstudio.checks.check import all_checks
from opstudio.qt.actions import Actions
from opstudio.qt.appearance import Appearance
from opstudio.qt.bridge import EventBridge
from opstudio.qt.center import Center
from opstudio.qt.edit_actions import EditActions
from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.editor.finding_marks import FindingMarks
from opstudio.qt.exports_desk import ExportsDesk
from opstudio.qt.file_drops import MODEL_ENDS
from opstudio.qt.finder import Destinations, Finder
from opstudio.qt.graph.graph_session import GraphSession
from opstudio.qt.language import Language
from opstudio.qt.loop_desk import LoopDesk
from opstudio.qt.menus import Menus
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models_desk import PERSPECTIVE as GRAPH
from opstudio.qt.models_desk import ModelsDesk
from opstudio.qt.notices import Notices
from opstudio.qt.notifications import Notifications
from opstudio.qt.panel import PanelContext
from opstudio.qt.perspective_switch import PerspectiveSwitch
from opstudio.qt.pipeline.strip import PipelineStrip
from opstudio.qt.preferences import Preferences
from opstudio.qt.reading_desk import ReadingDesk
from opstudio.qt.search_keys import SearchKeys
from opstudio.qt.selection import Selection
from opstudio.qt.session import LoopSession
from opstudio.qt.settings_watch import SettingsWatch
from opstudio.qt.status_line import StatusLine
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.notice_bar import NoticeBar
from opstudio.qt.widgets.notification_button import NotificationButton
from opstudio.qt.widgets.toast import Toast
from opstudio.qt.window_memory import WindowMemory
from opstudio.workflows.scaffold import new_operator
from opstudio.workspace.folder import Workspace
from opstudio.workspace.settings import SETTINGS_FILE
from opstudio.workspace.trust import Trust
from opstudio.workspace.unsaved_texts import UnsavedTexts

FIRST_SIZE = QSize(1440, 900)
_LEAST_SIZE = QSize(640, 400)


class MainWindow(QMainWindow):
    """Shows one workspace."""

    workspace_requested = Signal(Path)
    """The person wants to see another workspace."""

    def __init__(
        self,
        workspace: Workspace,
        theme: Theme,
        language: Language,
        preferences: Preferences | None = None,
        memory: WindowMemory | None = None,
        *,
        trust: Trust | None = None,
    ) -> None:
        """Make the window; nothing is watched or run before :meth:`start`.

        Args:
            workspace: what is shown.
            theme: how it looks.
            language: the language of its texts.
            preferences: what the person prefers; ``None`` forgets what is chosen in this window.
            memory: where the layout is kept; ``None`` keeps nothing.
            trust: what may be built and run; ``None`` is what the user's records say.
        """
        super().__init__()
        self._workspace, self._theme = workspace, theme
        self._memory, self.preferences = memory or WindowMemory(), preferences or Preferences()
        self._icons = Icons(theme)
        self._may_close = False
        self.bridge = EventBridge(self)
        self.state = LoopState(self)
        self.selection = Selection(self)
        self.session = LoopSession(workspace, self.bridge, self.state, trust)
        self.notifications = Notifications(self.state, self.selection, self)
        self.actions_ = Actions(self, self._icons)
        self.editors = EditorArea(workspace.root, theme, self._icons, unsaved=UnsavedTexts(workspace.state))
        self.strip = PipelineStrip(all_checks(), self.state, self.selection, theme, self._icons)
        self.notice = NoticeBar(theme, self._icons)
        self.notices = Notices(self.notice, self)
        self.models = ModelsDesk(self, workspace, self.session.trust_records, self.notices, self._memory)
        self._marks = FindingMarks(workspace.root, self.editors, self.state, self.selection)
        self.status = StatusLine(self.statusBar(), self.state)
        self.toast = Toast(theme, self._icons, self)
        self._bell = NotificationButton(self.notifications, self._icons)
        self.status.add(self._bell)
        self.exports = ExportsDesk(self.session, self.bridge, self.actions_, self.editors, self.selection)
        self._set_center()
        self._context = self._make_context()
        self.perspectives = PerspectiveSwitch(self, self.center, self._context, self._memory)
        self.docks = self.perspectives.docks
        self.models.attach(self.perspectives, self.center.page(GRAPH))
        self.finder = Finder(self, self._context, self.preferences, self._destinations(), self.docks)
        self.reading = ReadingDesk(
            self._context, self.center, self.perspectives, self.editors, self.status, self.preferences
        )
        self.loop = LoopDesk(self._context, self.session, self.editors, self.status, self.notices, self.preferences)
        self.settings_watch = SettingsWatch(workspace, self)
        self._menus = self._make_menus(language)
        self._connect()
        language.changed.connect(self._retranslate)
        self.strip.hide()
        self._restore()

    def _restore(self) -> None:
        self.setMinimumSize(_LEAST_SIZE)
        self.resize(_first_size(self.screen()))
        self.editors.restore(self._memory.editor)
        self.perspectives.restore()
        self._show_title()

    @property
    def graph(self) -> GraphSession:
        """The open model."""
        return self.models.session

    def start(self) -> None:
        """Watch the workspace and check its operators, without waiting for any of it."""
        self.preferences.remember(self._workspace.root)
        self.bridge.start()
        self.settings_watch.start()
        self.session.start()
        self.loop.select_first()
        self.center.focus_shown()

    def go_to(self, place: Place) -> None:
        """Show a place of a finding in the editor."""
        path = self._workspace.root / place.file if place.file else None
        if path is None or not path.is_file():
            self.status.say(self.tr("{0} is not a file").format(place.file or str(place)))
            return
        self.open_file(path, place.line, place.column)

    def open_file(self, path: Path, line: int | None = None, column: int | None = None) -> None:
        """Open a file beside those of the operator that it belongs to, or a model in its graph."""
        if path.suffix.lower() in MODEL_ENDS:
            self.models.open_model(path)
            self.finder.files.note_opened(path)
            return
        owner = self.loop.owner(path)
        if owner:
            self.selection.select_operator(owner)
        self.perspectives.show_editor()
        self.editors.open_file(path, line, column)
        self.finder.files.note_opened(path)

    def show_help(self, page: str) -> None:
        """Show a help page by its name, or the page of the id of a finding."""
        self.reading.show_help(page)

    def make_operator(self, name: str, template: str) -> None:
        """Make an operator from a template and look at it."""
        try:
            folder = new_operator(self._workspace, name, template)
        except StudioError as error:
            self.notices.tell_refusal(error.findings[0])
            return
        self.session.look_again()
        self.perspectives.show("kernels")
        self.selection.select_operator(folder.name)

    def request_workspace(self, root: Path) -> None:
        """Ask for another workspace in place of this one."""
        if root.resolve() != self._workspace.root.resolve():
            self.workspace_requested.emit(root)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask, in place, what becomes of unsaved text; then end the loop and all its processes."""
        if self.editors.modified and not self._may_close:
            event.ignore()
            self.notices.ask_about_unsaved(self.editors, self._save_and_close, self._close_without_saving)
            return
        self.perspectives.keep()
        self._memory.operator = self.selection.operator
        self.models.keep()
        self._memory.editor = self.editors.view()
        self._memory.sync()
        self.preferences.sync()
        self.hide()
        self.settings_watch.stop()
        self.editors.close_texts()
        self.graph.close()
        self.exports.session.cancel()
        self.session.close()
        self.exports.session.close()
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
            self.models.look_again()
            self.session.look_again()

    def _retranslate(self) -> None:
        """Fetch the texts of what is no widget; widgets follow of their own accord."""
        self.actions_.retranslate()
        self._menus.retranslate()
        self.status.retranslate()
        self.docks.retranslate()
        self._show_title()

    def _make_context(self) -> PanelContext:
        return PanelContext(
            workspace=self._workspace,
            theme=self._theme,
            icons=self._icons,
            actions=self.actions_,
            events=self.bridge,
            state=self.state,
            selection=self.selection,
            graph=self.graph,
            fixes=self.models.fixes,
            exports=self.exports.session,
            stage_order=tuple(check.id for check in all_checks()),
            go_to=self.go_to,
            tell_refusal=self.notices.tell_refusal,
            show_help=self.show_help,
            open_model=self.models.open_model,
            cancel_check=self.session.cancel_check,
        )

    def _destinations(self) -> Destinations:
        return Destinations(
            open_file=self.open_file,
            go_to_line=self.editors.go_to_line,
            make_operator=self.make_operator,
            open_workspace=self.request_workspace,
            focus_strip=self.strip.focus_content,
            focus_editor=self.editors.focus_text,
            show_graph=partial(self.perspectives.show, GRAPH),
        )

    def _set_center(self) -> None:
        self.center = Center(self.strip, self.editors, self.notice)
        self.setCentralWidget(self.center)

    def _make_menus(self, language: Language) -> Menus:
        appearance = Appearance(self.actions_, self._theme, language, self.preferences)
        edits = EditActions(self.actions_, self, self.finder.is_passing)
        menus = Menus(self.menuBar(), self.actions_, appearance, edits, self.preferences, self.request_workspace)
        menus.add_panels(self.perspectives.actions, self.docks.toggles(), self.finder.make_pane_actions())
        self.menuBar().setCornerWidget(self.finder.button.framed(self.menuBar()))
        return menus

    def _connect(self) -> None:
        actions = self.actions_
        for action, slot in (
            (actions.save, self.editors.save_current),
            (actions.save_all, self.editors.save_all),
            (actions.close_tab, self.editors.close_current),
            (actions.next_tab, self.editors.next_tab),
            (actions.previous_tab, self.editors.previous_tab),
            (actions.quit, self.close),
            (actions.open_workspace, self._choose_workspace),
            (actions.reset_layout, self.perspectives.reset),
        ):
            action.triggered.connect(slot)
        actions.tab_leaves.toggled.connect(self.editors.set_tab_leaves)
        self._searching = SearchKeys(actions, self.center, self.editors)
        self.exports.attach(self.perspectives)
        self.reading.workspace_chosen.connect(self.request_workspace)
        self.settings_watch.broken.connect(self._tell_broken_settings)
        self.settings_watch.changed.connect(self._tell_changed_settings)
        self.settings_watch.settled.connect(self.notices.forget_settings)
        self.bridge.events_received.connect(self.state.receive)
        self.state.received.connect(self.notifications.receive)
        self.notifications.told.connect(self.toast.show_notification)
        self.toast.chosen.connect(self.selection.select_operator)
        self._bell.chosen.connect(self.selection.select_operator)
        self.loop.shown_changed.connect(self._show_operator)
        self.loop.trusted.connect(self.graph.ask_again)
        self.loop.attach(self.docks, self._memory.operator)
        for signal in (self.editors.page_changed, self.center.shown_changed):
            signal.connect(self._show_title)
            signal.connect(self._show_position)
        self.editors.position_changed.connect(self._show_position)
        self.graph.state_changed.connect(self._show_title)

    def _show_operator(self) -> None:
        self.strip.setVisible(bool(self.selection.operator))
        self._marks.show()
        self._show_title()

    def _tell_broken_settings(self, findings: tuple[Finding, ...]) -> None:
        place = findings[0].places[0] if findings[0].places else Place(file=SETTINGS_FILE)
        self.notices.tell_broken_settings(findings, partial(self.go_to, place))

    def _tell_changed_settings(self) -> None:
        self.notices.tell_changed_settings(partial(self.workspace_requested.emit, self._workspace.root))

    def _choose_workspace(self) -> None:
        title = self.tr("Open a workspace: a folder with opstudio.toml")
        chosen = QFileDialog.getExistingDirectory(self, title, str(self._workspace.root.parent))
        if chosen:
            self.request_workspace(Path(chosen))

    def _show_position(self) -> None:
        self.status.show_page(self.editors.current if self.center.shows_editor else None)

    def _show_title(self) -> None:
        page = self.editors.current
        parts = [page.path.name + "[*]"] if page is not None else []
        if self.center.shown is self.center.page(GRAPH) and self.graph.path is not None:
            parts = [f"{self.graph.path.name}[*]"]
        parts += [part for part in (self.selection.operator, self._workspace.settings.name) if part]
        self.setWindowTitle(" – ".join([*parts, "OpStudio"]))
        self.setWindowModified(page is not None and page.is_modified)

    def _save_and_close(self) -> None:
        if self.editors.save_all():
            self.close()

    def _close_without_saving(self) -> None:
        self.editors.forget_unsaved()
        self.close_at_once()


def _first_size(screen: QScreen) -> QSize:
    """Return the size at first: no larger than the screen, unless there is none and a picture is taken."""
    is_picture = QGuiApplication.platformName() == "offscreen"
    return FIRST_SIZE if is_picture else FIRST_SIZE.boundedTo(screen.availableSize())
