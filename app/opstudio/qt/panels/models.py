"""The model files of the workspace, the graphs of the open one, and the libraries that it is held against."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QAction, QHideEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QLineEdit,
    QStackedLayout,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from opstudio.base.errors import CancelledError
from opstudio.jobs.cancel import CancelToken
from opstudio.qt.background import Background
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.graph.models_content import library_entries, open_model
from opstudio.qt.models.model_tree import Entry, EntryKind, ModelTree, ModelTreeContent
from opstudio.qt.panel import Panel, PanelArea, PanelContext, PanelManifest, PanelState
from opstudio.qt.widgets.detail_delegate import DetailDelegate
from opstudio.qt.widgets.state_page import StatePage
from opstudio.workflows.model_files import FoundModels, RecentModels, find_model_files

_INDENTATION = 12
"""So that sections stand in line with the title of the panel, their arrows before them."""
_SEARCH_FROM = 12
"""How many models it takes for a search field to be of use."""


class ModelsPanel(Panel):
    """A tree; a click opens a model, or enters a graph of the open one."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context, self._session = context, context.graph
        self._root = context.workspace.root
        self._recent = RecentModels(context.workspace.state)
        self._found: FoundModels | None = None
        self._is_looking = False
        self._cancel = CancelToken()
        self._search = QLineEdit()
        self._search_row = QWidget()
        self._open = context.actions.open_model
        self._add, self._remove, self._again = QAction(self), QAction(self), QAction(self)
        self._tree = ModelTree(context.theme, context.icons, self)
        self._view = self._make_view()
        self._empty = StatePage(context.icons)
        self._pages = self._lay_out()
        self._background = Background(self)
        self._background.finished.connect(self._take)
        actions = (self._remove, self._open, self._add, self._again)
        self._buttons = tuple(_button(action) for action in actions)
        self._connect()
        self.retranslate()

    @property
    def tree(self) -> ModelTree:
        """What is listed."""
        return self._tree

    @property
    def view(self) -> QTreeView:
        """The tree."""
        return self._view

    @property
    def search(self) -> QLineEdit:
        """The field for words of a path; shown where there are many models."""
        return self._search

    @property
    def is_looking(self) -> bool:
        """Whether the workspace is being looked through."""
        return self._is_looking

    @property
    def panel_state(self) -> PanelState:
        """What the panel shows now."""
        match self._session.state:
            case GraphState.READING:
                return PanelState.BUSY
            case GraphState.FAILING:
                return PanelState.FAILING
            case GraphState.READY:
                return PanelState.READY
            case GraphState.EMPTY:
                if self._is_looking and self._found is None:
                    return PanelState.BUSY
                return PanelState.READY if any((*self._models(), self._session.libraries)) else PanelState.EMPTY

    def retranslate(self) -> None:
        """Set the texts."""
        icons = self._context.icons
        for action, icon, text in (
            (self._add, "library", self.tr("Add operator libraries…")),
            (self._remove, "clear", self.tr("Do without the selected library")),
            (self._again, "refresh", self.tr("Look for models again")),
        ):
            action.setText(text)
            action.setToolTip(text)
            action.setIcon(icons.icon(icon))
        self._search.setPlaceholderText(self.tr("Search models"))
        self._view.setAccessibleName(self.tr("Models"))
        self._tree.rebuild()
        self._refresh()
        self._unfold()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the buttons that open, add, remove and look again."""
        return self._buttons

    def focus_content(self) -> None:
        """Take the keyboard."""
        self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """Look for what came or went while nobody looked."""
        super().showEvent(event)
        self.look_again()

    def hideEvent(self, event: QHideEvent) -> None:
        """End the search; it begins again when somebody looks."""
        super().hideEvent(event)
        self._cancel.cancel()

    def look_again(self) -> None:
        """Look for model files in the workspace, without waiting for it."""
        self._cancel.cancel("asked anew")
        self._cancel = CancelToken()
        self._is_looking = True
        self._background.run(partial(find_model_files, self._root, self._cancel.check))
        self._refresh()

    def choose_libraries(self) -> None:
        """Ask for operator libraries and hold the model against them."""
        libraries, everything = self.tr("Operator libraries"), self.tr("All files")
        kinds = f"{libraries} (*.so *.dll *.dylib);;{everything} (*)"
        title = self.tr("Add operator libraries: their code is run to ask what they register")
        chosen, _ = QFileDialog.getOpenFileNames(self, title, str(self._folder()), kinds)
        if chosen:
            self._session.add_libraries([Path(name) for name in chosen])

    def remove_selected(self) -> None:
        """Do without the selected library."""
        entry = self._entry(self._view.currentIndex())
        if entry is not None and entry.kind is EntryKind.LIBRARY and entry.path is not None:
            self._session.remove_library(entry.path)

    def _connect(self) -> None:
        self._add.triggered.connect(self.choose_libraries)
        self._remove.triggered.connect(self.remove_selected)
        self._again.triggered.connect(self.look_again)
        self._remove.setShortcut(QKeySequence.StandardKey.Delete)
        self._remove.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.addAction(self._remove)
        self._search.textChanged.connect(self._refresh)
        self._view.clicked.connect(self._choose)
        self._view.activated.connect(self._choose)
        self._view.selectionModel().currentChanged.connect(self._update_actions)
        session = self._session
        session.state_changed.connect(self._follow_state)
        session.resolution_changed.connect(self._refresh)
        session.libraries_changed.connect(self._refresh)
        session.scope_changed.connect(self._show_current)
        self._context.icons.changed.connect(self.retranslate)

    def _make_view(self) -> QTreeView:
        view = QTreeView()
        view.setModel(self._tree)
        view.setItemDelegate(DetailDelegate(self._context.theme, view))
        view.setHeaderHidden(True)
        view.setUniformRowHeights(True)
        view.setIndentation(_INDENTATION)
        view.setExpandsOnDoubleClick(False)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setFrameShape(QTreeView.Shape.NoFrame)
        return view

    def _lay_out(self) -> QStackedLayout:
        self._search.setClearButtonEnabled(True)
        listing = QWidget()
        inner = QVBoxLayout(listing)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        row = QVBoxLayout(self._search_row)
        row.setContentsMargins(8, 6, 8, 2)
        row.addWidget(self._search)
        inner.addWidget(self._search_row)
        inner.addWidget(self._view)
        pages = QStackedLayout(self)
        pages.addWidget(listing)
        pages.addWidget(self._empty)
        return pages

    def _models(self) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """Return the models of the workspace and those from elsewhere."""
        inside = self._found.files if self._found is not None else ()
        opened = self._session.path
        elsewhere = [path for path in self._recent.paths if path not in inside]
        if opened is not None and opened not in inside and opened not in elsewhere:
            elsewhere.insert(0, opened)
        return inside, tuple(elsewhere)

    def _matching(self, paths: tuple[Path, ...]) -> tuple[Path, ...]:
        """Return those whose paths have all words of the search."""
        wanted = self._search.text().casefold().split()
        return tuple(path for path in paths if all(word in str(path).casefold() for word in wanted))

    def _follow_state(self) -> None:
        path = self._session.path
        if self._session.state is GraphState.READY and path is not None and not path.is_relative_to(self._root):
            self._recent.note(path)
        self._refresh()

    def _take(self, found: object) -> None:
        if isinstance(found, CancelledError):
            return
        self._is_looking = False
        if isinstance(found, FoundModels):
            self._found = found
        elif isinstance(found, Exception):
            raise found
        self._refresh()

    def _refresh(self, *_arguments: object) -> None:
        inside, elsewhere = self._models()
        self.badge_changed.emit(f"{len(inside) + len(elsewhere):,}" if inside or elsewhere else "")
        if not (inside or elsewhere or self._session.libraries):
            self._show_empty()
            self._pages.setCurrentIndex(1)
            return
        self._search_row.setVisible(len(inside) + len(elsewhere) >= _SEARCH_FROM or bool(self._search.text()))
        inside, elsewhere = self._matching(inside), self._matching(elsewhere)
        is_cut = self._found is not None and not self._found.is_complete
        note = self.tr("There are more; open them with the button above.") if is_cut else ""
        sections: list[tuple[str, tuple[Path, ...], str]] = []
        if inside:
            sections.append((self.tr("In this workspace"), inside, note))
        if elsewhere:
            sections.append((self.tr("From elsewhere"), elsewhere, ""))
        libraries = library_entries(self._session)
        hint = self.tr("None. Add some with the button above.")
        content = ModelTreeContent(
            root=self._root,
            sections=tuple(sections),
            opened=open_model(self._session),
            libraries_title=self.tr("Operator libraries"),
            libraries=libraries,
            libraries_note="" if libraries else hint,
        )
        if self._tree.show_content(content):
            self._unfold()
        self._pages.setCurrentIndex(0)

    def _unfold(self) -> None:
        """Open the tree, and show where the person is."""
        self._view.expandAll()
        self._show_current()

    def _show_current(self) -> None:
        session = self._session
        entry = (
            Entry(kind=EntryKind.GRAPH, scope=session.scope)
            if session.scope
            else Entry(kind=EntryKind.MODEL, path=session.path)
        )
        item = self._tree.item_of(entry)
        if item is not None and item.index() != self._view.currentIndex():
            self._view.setCurrentIndex(item.index())
        self._update_actions()

    def _choose(self, index: QModelIndex) -> None:
        entry, session = self._entry(index), self._session
        if entry is None:
            return
        if entry.kind is EntryKind.GRAPH:
            session.enter(entry.scope)
        elif entry.kind is EntryKind.MODEL and entry.path is not None:
            if entry.path == session.path and session.state is GraphState.READY:
                session.enter(())
            elif entry.path != session.path or session.state is not GraphState.READING:
                session.open(entry.path)

    def _entry(self, index: QModelIndex | QPersistentModelIndex) -> Entry | None:
        return self._tree.entry(self._tree.itemFromIndex(index)) if index.isValid() else None

    def _update_actions(self, *_indexes: QModelIndex | QPersistentModelIndex) -> None:
        entry = self._entry(self._view.currentIndex())
        can_remove = entry is not None and entry.kind is EntryKind.LIBRARY
        self._remove.setEnabled(can_remove)
        # The title line is narrow: what cannot be used takes no room.
        self._buttons[0].setVisible(can_remove)

    def _show_empty(self) -> None:
        if self._is_looking and self._found is None:
            self._empty.show_state(icon="running", tone="info", title=self.tr("Looking for models"))
            return
        self._empty.show_state(
            icon="model",
            title=self.tr("No models yet"),
            text=self.tr(
                "Files that end in .onnx or .ort appear here by themselves. Others can be opened from anywhere."
            ),
            action=self._open,
        )

    def _folder(self) -> Path:
        return self._session.path.parent if self._session.path is not None else self._root


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    return button


PANEL = PanelManifest(
    id="models",
    title=str(QT_TRANSLATE_NOOP("Panel", "Models")),
    area=PanelArea.LEFT,
    order=20,
    create=ModelsPanel,
    perspectives=("graph",),
)
