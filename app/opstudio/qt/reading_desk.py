"""What is there to read in the window: the welcome page, the help, and about."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from opstudio.qt.about import ABOUT, about_page
from opstudio.qt.actions import Actions
from opstudio.qt.center import Center
from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.panel import PanelContext
from opstudio.qt.panels.help import HelpPanel
from opstudio.qt.perspective_switch import PerspectiveSwitch
from opstudio.qt.preferences import Preferences
from opstudio.qt.reading_page import ReadingPage
from opstudio.qt.status_line import StatusLine
from opstudio.qt.suggestions import first_suggestions
from opstudio.qt.welcome import Suggestion, WelcomePage


class ReadingDesk(QObject):
    """Makes the pages that belong to no perspective, and shows them."""

    workspace_chosen = Signal(Path)
    """The person wants to see another workspace."""

    def __init__(
        self,
        context: PanelContext,
        center: Center,
        perspectives: PerspectiveSwitch,
        editors: EditorArea,
        status: StatusLine,
        preferences: Preferences,
    ) -> None:
        super().__init__(center)
        self._context, self._center, self._perspectives = context, center, perspectives
        self._editors, self._preferences = editors, preferences
        self.welcome = WelcomePage(self._suggestions(), preferences, context.theme, context.icons, can_leave=True)
        self.welcome.workspace_chosen.connect(self.workspace_chosen)
        self.welcome.left.connect(self._leave_welcome)
        self.page = ReadingPage(context, lambda: (about_page(status.versions),))
        self.page.left.connect(center.leave_page)
        for page in (self.welcome, self.page):
            center.add_page(page)
        self._connect(context.actions)

    def show_welcome(self) -> None:
        """Show the page for the first minutes."""
        self.welcome.refresh()
        self._center.show_page(self.welcome)
        self._preferences.was_welcomed = True

    def show_help(self, page: str) -> None:
        """Show a help page by its name, or the page of the id of a finding, in the panel beside the rest."""
        panel = self._perspectives.docks.panels["help"]
        assert isinstance(panel, HelpPanel)
        self._perspectives.docks.reveal("help")
        panel.show_page(page)

    def _connect(self, actions: Actions) -> None:
        actions.help.triggered.connect(self._show_page)
        actions.about.triggered.connect(self._show_about)
        actions.welcome.triggered.connect(self.show_welcome)

    def _suggestions(self) -> tuple[Suggestion, ...]:
        return first_suggestions(
            break_kernel=self._leave_welcome,
            show_evidence=self._show_evidence,
            new_operator=self._context.actions.new_operator.trigger,
        )

    def _show_page(self) -> None:
        self._center.show_page(self.page)

    def _show_about(self) -> None:
        self._show_page()
        self.page.help.show_page(ABOUT)

    def _show_evidence(self) -> None:
        self._leave_welcome()
        self._context.selection.select_stage("value")

    def _leave_welcome(self) -> None:
        self._perspectives.show("kernels")
        self._editors.focus_text()
