"""Model files, the graphs of the open one, and the operator libraries that it is held against, as a Qt tree."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QStandardItem, QStandardItemModel

from opstudio.qt.models.plain_tips import plain_tip
from opstudio.qt.models.state_marks import Mark
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

ENTRY_ROLE = Qt.ItemDataRole.UserRole
DETAIL_ROLE = Qt.ItemDataRole.UserRole + 1
"""What stands at the right end of a row."""
FOLDER_ROLE = Qt.ItemDataRole.UserRole + 2
"""The same, where it gives way to the name."""
_MOST_GRAPHS = 1_000


class EntryKind(enum.Enum):
    """What a row stands for."""

    SECTION = enum.auto()
    MODEL = enum.auto()
    GRAPH = enum.auto()
    LIBRARY = enum.auto()
    NOTE = enum.auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row: what it stands for, and the file or the graph that it leads to."""

    kind: EntryKind
    path: Path | None = None
    scope: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEntry:
    """A graph of the open model. ``depth`` counts the graphs around it; functions and the main graph have 0."""

    scope: tuple[str, ...]
    title: str
    detail: str
    depth: int
    is_function: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryEntry:
    """An operator library and whether it can be used; ``reason`` says why not."""

    path: Path
    detail: str
    mark: Mark
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenModel:
    """The model that is open, in one mark and a few words, with its graphs; ``reason`` says what is wrong with it."""

    path: Path
    detail: str
    mark: Mark
    reason: str = ""
    graphs: tuple[GraphEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTreeContent:
    """All that is shown. Files are listed by the titles of their sections; notes stand at the end of one."""

    root: Path
    sections: tuple[tuple[str, tuple[Path, ...], str], ...]
    opened: OpenModel | None
    libraries_title: str
    libraries: tuple[LibraryEntry, ...]
    libraries_note: str


class ModelTree(QStandardItemModel):
    """Shows models and libraries; replaced as a whole when something of it changed."""

    def __init__(self, theme: Theme, icons: Icons, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self._content: ModelTreeContent | None = None
        self._items: dict[Entry, QStandardItem] = {}

    def show_content(self, content: ModelTreeContent) -> bool:
        """Show this; return whether it is something else than before."""
        if content == self._content:
            return False
        self._content = content
        self.rebuild()
        return True

    def rebuild(self) -> None:
        """Make all rows anew, for instance in other colours."""
        content = self._content
        if content is None:
            return
        self.clear()
        self._items.clear()
        for title, paths, note in content.sections:
            section = self._add_section(title)
            for path in paths:
                self._add_model(section, path, content)
            if note:
                self._add_note(section, note)
        section = self._add_section(content.libraries_title)
        for library in content.libraries:
            self._add_library(section, library)
        if content.libraries_note:
            self._add_note(section, content.libraries_note)

    def entry(self, item: QStandardItem | None) -> Entry | None:
        """Return what a row stands for."""
        found = item.data(ENTRY_ROLE) if item is not None else None
        return found if isinstance(found, Entry) else None

    def item_of(self, entry: Entry) -> QStandardItem | None:
        """Return the row of something that is listed."""
        return self._items.get(entry)

    def _add_section(self, title: str) -> QStandardItem:
        item = self._item(title, "text_2", Entry(kind=EntryKind.SECTION))
        item.setFont(ui_font(SMALL_PIXELS, semibold=True))
        item.setSelectable(False)
        self.appendRow(item)
        return item

    def _add_note(self, parent: QStandardItem, text: str, tone: str = "text_2") -> None:
        item = self._item(text, tone, Entry(kind=EntryKind.NOTE))
        item.setFont(ui_font(SMALL_PIXELS))
        item.setSelectable(False)
        item.setToolTip(plain_tip(text))
        parent.appendRow(item)

    def _add_model(self, section: QStandardItem, path: Path, content: ModelTreeContent) -> None:
        entry = Entry(kind=EntryKind.MODEL, path=path)
        opened = content.opened if content.opened is not None and content.opened.path == path else None
        item = self._item(path.name, "text", entry)
        item.setToolTip(plain_tip(str(path)))
        if opened is None:
            item.setIcon(self._icons.icon("model"))
            item.setData(_folder(path, content.root), FOLDER_ROLE)
            section.appendRow(item)
            return
        item.setFont(ui_font(semibold=True))
        item.setIcon(self._icons.icon(opened.mark.icon, opened.mark.token))
        item.setData(opened.detail, DETAIL_ROLE)
        item.setToolTip(plain_tip(f"{path}\n{opened.mark.word}"))
        section.appendRow(item)
        if opened.reason:
            self._add_note(item, opened.reason, "bad")
        self._add_graphs(item, opened.graphs)

    def _add_graphs(self, item: QStandardItem, graphs: Sequence[GraphEntry]) -> None:
        parents = [item]
        for graph in graphs[:_MOST_GRAPHS]:
            entry = Entry(kind=EntryKind.GRAPH, scope=graph.scope)
            del parents[graph.depth + 1 :]
            child = self._item(graph.title, "custom" if graph.is_function else "text", entry)
            child.setIcon(self._icons.icon("function" if graph.is_function else "model"))
            child.setToolTip(plain_tip(" / ".join(graph.scope)))
            child.setData(graph.detail, DETAIL_ROLE)
            parents[-1].appendRow(child)
            parents.append(child)
        if len(graphs) > _MOST_GRAPHS:
            self._add_note(item, self.tr("and {0} more").format(f"{len(graphs) - _MOST_GRAPHS:,}"))

    def _add_library(self, section: QStandardItem, library: LibraryEntry) -> None:
        item = self._item(library.path.name, "text", Entry(kind=EntryKind.LIBRARY, path=library.path))
        item.setIcon(self._icons.icon(library.mark.icon, library.mark.token))
        item.setToolTip(plain_tip(f"{library.path}\n{library.mark.word}"))
        item.setData(library.detail, DETAIL_ROLE)
        section.appendRow(item)
        if library.reason:
            self._add_note(item, library.reason, "bad")

    def _item(self, text: str, tone: str, entry: Entry) -> QStandardItem:
        item = QStandardItem(text)
        item.setEditable(False)
        item.setData(entry, ENTRY_ROLE)
        item.setForeground(QColor(getattr(self._theme.tokens, tone)))
        self._items.setdefault(entry, item)
        return item


def _folder(path: Path, root: Path) -> str:
    folder = path.parent.relative_to(root) if path.is_relative_to(root) else path.parent
    return "" if str(folder) == "." else str(folder)
