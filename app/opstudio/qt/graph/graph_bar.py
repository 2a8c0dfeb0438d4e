"""The line above the graph: where the person is, what nobody implements, the search, and how it is shown."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout

from opstudio.qt.graph.breadcrumbs import Breadcrumbs
from opstudio.qt.graph.colour_menu import ColourButton
from opstudio.qt.graph.graph_actions import GraphActions
from opstudio.qt.graph.graph_session import GraphSession
from opstudio.qt.graph.graph_view import GraphView
from opstudio.qt.graph.search_field import SearchField
from opstudio.qt.theme.fonts import ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget

_LEAST_TITLE = 80


class GraphBar(TranslatedWidget):
    """Follows session and view; what is chosen here is carried out by the page."""

    def __init__(
        self, session: GraphSession, view: GraphView, actions: GraphActions, theme: Theme, icons: Icons
    ) -> None:
        super().__init__()
        self._session, self._actions, self._icons = session, actions, icons
        self._leave = QToolButton()
        self._leave.setDefaultAction(actions.leave)
        self._leave.setIconSize(QSize(16, 16))
        self._leave.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._title, self.crumbs = QLabel(), Breadcrumbs()
        self._title.setFont(ui_font(semibold=True))
        # However long it is, the search keeps its room.
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._title.setMinimumWidth(_LEAST_TITLE)
        self._title.installEventFilter(self)
        self.search = SearchField(icons)
        self.colours = ColourButton(view, theme, icons)
        self.resolution = QPushButton()
        self.resolution.setProperty("look", "row")
        self.resolution.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._lay_out()
        self.resolution.clicked.connect(actions.next_unresolved.trigger)
        self._session.resolution_changed.connect(self.refresh)
        self._session.scope_changed.connect(self.refresh)
        self._session.state_changed.connect(self.refresh)
        icons.changed.connect(self.refresh)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts."""
        self.colours.retranslate()
        self.refresh()

    def refresh(self) -> None:
        """Show where the person is and what is known."""
        path = self._session.path
        name = path.name if path is not None else ""
        self._show_title()
        self._title.setToolTip("" if path is None else str(path))
        self.crumbs.show_way(name, self._session.current)
        self.crumbs.setVisible(bool(self._session.scope))
        text, icon, tone, detail = self._known()
        self.resolution.setText(text)
        self.resolution.setIcon(self._icons.icon(icon, tone))
        self.resolution.setToolTip(detail)
        self.resolution.setVisible(bool(text))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the room that the search leaves."""
        if event.type() is QEvent.Type.Resize:
            self._show_title()
        return super().eventFilter(watched, event)

    def _show_title(self) -> None:
        path = self._session.path
        name = "" if path is None else path.name
        room = self._title.width()
        self._title.setText(self._title.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, room))

    def _known(self) -> tuple[str, str, str, str]:
        """Return in a few words who implements the nodes, with an icon, its tone, and what there is to add."""
        session = self._session
        if session.is_resolving:
            return self.tr("Asking the runtime…"), "running", "info", ""
        if session.report is None:
            first = next(iter(session.findings), None)
            if session.model is None or first is None:
                return "", "unknown", "text_3", ""
            return self.tr("Not resolved"), "warning", "warn", f"{first.title}: {first.cause}"
        count = sum(1 for _ in session.report.evidence.unresolved())
        if count:
            text = self.tr("{0} unresolved").format(f"{count:,}")
            return text, "bad", "bad", self._actions.next_unresolved.toolTip()
        if not session.report.is_accepted:
            return self.tr("Refused"), "bad", "bad", session.report.reason
        return self.tr("All resolved"), "good", "good", self.tr("Every node is implemented")

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self._leave)
        row.addWidget(self._title, 1)
        row.addWidget(self.resolution)
        row.addWidget(self.search)
        row.addSpacing(4)
        row.addWidget(self.colours)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.crumbs)
