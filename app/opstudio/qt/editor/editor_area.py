"""The files of the selected operator in tabs. Files of other operators stay open behind them."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from opstudio.base.finding import Severity
from opstudio.qt.editor.editor_page import EditorPage
from opstudio.qt.editor.line_marks import LineMark
from opstudio.qt.editor.operator_files import operator_files
from opstudio.qt.editor.tab_strip import Tab, TabStrip
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.state_page import StatePage
from opstudio.qt.widgets.translated import TranslatedWidget
from opstudio.workspace.folder import OperatorFolder
from opstudio.workspace.unsaved_texts import UnsavedTexts

_LOOK_MS = 400
_KEPT_GROUPS = 8
"""Operators whose files stay open."""


@dataclass(slots=True)
class _Group:
    """The open files of an operator: its own, and others that the person opened beside them."""

    files: tuple[Path, ...] = ()
    others: list[Path] = field(default_factory=list)
    current: Path | None = None

    @property
    def paths(self) -> list[Path]:
        return [*self.files, *(path for path in self.others if path not in self.files)]


class EditorArea(TranslatedWidget):
    """Shows one group of files at a time."""

    saved = Signal(Path)
    page_changed = Signal()
    """Another page is in front, or that in front was modified, saved or loaded."""
    position_changed = Signal()
    paused = Signal()
    """Something was typed, and then nothing for a while."""

    def __init__(
        self,
        root: Path,
        theme: Theme,
        icons: Icons,
        *,
        unsaved: UnsavedTexts | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._root, self._theme, self._icons, self._unsaved = root, theme, icons, unsaved
        self._pages: dict[Path, EditorPage] = {}
        self._groups: OrderedDict[str, _Group] = OrderedDict({"": _Group()})
        self._folders: dict[str, OperatorFolder] = {}
        self._name = ""
        self._tab_leaves = False
        self._marks: Mapping[Path, Sequence[LineMark]] = {}
        self._positions: dict[Path, tuple[int, int]] = {}
        self._tabs, self._stack = TabStrip(icons, self), QStackedWidget(self)
        self._blank = StatePage(icons, self._stack)
        self._stack.addWidget(self._blank)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._tabs)
        layout.addWidget(self._stack, 1)
        self._tabs.chosen.connect(self._bring_to_front)
        self._tabs.close_requested.connect(self.close_file)
        self.setFocusProxy(self._stack)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look_outside)
        self._timer.start()
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts."""
        self._blank.show_state(
            icon="file",
            title=self.tr("No file is open"),
            text=self.tr("The files of the selected operator appear here."),
        )

    @property
    def current(self) -> EditorPage | None:
        """The page in front."""
        page = self._stack.currentWidget()
        return page if isinstance(page, EditorPage) else None

    @property
    def modified(self) -> tuple[EditorPage, ...]:
        """The pages with something to save, of all operators."""
        return tuple(page for page in self._pages.values() if page.is_modified)

    def has_modified(self, name: str) -> bool:
        """Whether files of an operator have something to save."""
        return name in self._groups and self._any_modified(self._groups[name].paths)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files with a tab, in their order."""
        return tuple(self._groups[self._name].paths)

    def show_operator(self, name: str, folder: OperatorFolder | None) -> None:
        """Show the files of an operator, the one in front that was there before."""
        group = self._groups.setdefault(name, _Group())
        self._groups.move_to_end(name)
        self._name = name
        if folder is not None:
            self._folders[name] = folder
            group.files = self._present_or_modified(operator_files(folder, group.files), group.files)
        self._forget_others()
        self._show_group()

    def open_file(self, path: Path, line: int | None = None, column: int | None = None) -> EditorPage:
        """Bring a file to the front, in the group that is shown, and put the cursor at a place."""
        group = self._groups[self._name]
        if path not in group.paths:
            group.others.append(path)
        group.current = path
        self._show_group()
        page = self._page(path)
        if line is not None:
            page.editor.go_to(line, column)
        page.setFocus()
        return page

    def close_file(self, path: Path) -> None:
        """Close a file that is not one of the operator's own."""
        group = self._groups[self._name]
        if path in group.others and not self._page(path).is_modified:
            group.others.remove(path)
            self._drop(path)
            if group.current == path:
                group.current = None
            self._show_group()

    def close_current(self) -> None:
        """Close the file in front, if it is not one of the operator's own."""
        if self.current is not None:
            self.close_file(self.current.path)

    def next_tab(self) -> None:
        """Bring the next file to the front."""
        self._step(1)

    def previous_tab(self) -> None:
        """Bring the file before to the front."""
        self._step(-1)

    def _step(self, by: int) -> None:
        paths = self.paths
        if paths and self.current is not None:
            self._bring_to_front(paths[(paths.index(self.current.path) + by) % len(paths)])

    def go_to_line(self, line: int, column: int | None = None) -> None:
        """Put the cursor at a place of the file in front."""
        if self.current is not None:
            self.current.editor.go_to(line, column)
            self.current.setFocus()

    def open_find(self) -> None:
        """Search the file in front."""
        if self.current is not None:
            self.current.find_bar.open()

    def open_replace(self) -> None:
        """Search the file in front, to replace what is found."""
        if self.current is not None:
            self.current.find_bar.open(replace=True)

    def find_next(self) -> None:
        """Select the next match in the file in front."""
        if self.current is not None:
            self.current.find_bar.find_next()

    def find_previous(self) -> None:
        """Select the match before in the file in front."""
        if self.current is not None:
            self.current.find_bar.find_previous()

    def save_current(self) -> None:
        """Write the file in front."""
        if self.current is not None:
            self._save(self.current)

    def save_by_itself(self) -> None:
        """Write the file in front after a pause: nobody asked, so that nobody is disturbed."""
        if self.current is not None:
            self._save(self.current, by_itself=True)

    def save_operator(self, name: str) -> bool:
        """Write the modified files of an operator; return whether all are written. One that is not comes to front."""
        paths = self._groups[name].paths if name in self._groups else []
        pages = [self._pages[path] for path in paths if self._any_modified([path])]
        failed = [page for page in pages if not self._save(page)]
        if failed and name == self._name:
            self._groups[name].current = failed[0].path
            self._show_group()
            failed[0].notice.call()
        return not failed

    def save_all(self) -> bool:
        """Write all modified files; return whether all are written."""
        return [self._save(page) for page in self.modified].count(False) == 0

    def forget_unsaved(self) -> None:
        """Give up all that was typed and not saved."""
        for page in self.modified:
            page.forget_unsaved()

    def set_tab_leaves(self, leaves: bool) -> None:  # noqa: FBT001 - Qt's signal
        """Let Tab and Shift+Tab take the keyboard out of texts, or indent and outdent lines."""
        self._tab_leaves = leaves
        for page in self._pages.values():
            page.editor.tab_leaves = leaves

    def focus_text(self) -> None:
        """Take the keyboard to the text in front."""
        if self.current is not None:
            self.current.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def title_of(self, page: EditorPage) -> str:
        """Return the path of a file below the workspace, as people know it."""
        return self._name_of(page.path)

    def close_texts(self) -> None:
        """Let go of unsaved texts: the next studio may offer them."""
        if self._unsaved is not None:
            self._unsaved.close()

    def look_outside(self) -> None:
        """Take over what other programs wrote."""
        for page in list(self._pages.values()):
            page.look_outside()

    def view(self) -> dict[str, Any]:
        """Return which files are open and where their cursors are, as JSON values, to be taken up by :meth:`restore`.

        Files outside the workspace are left out.
        """
        return {
            "groups": {
                name: {
                    "others": [self._name_of(path) for path in group.others if path.is_relative_to(self._root)],
                    "current": "" if group.current is None else self._name_of(group.current),
                }
                for name, group in self._groups.items()
            },
            "positions": {self._name_of(path): page.position for path, page in self._pages.items()},
        }

    def restore(self, view: Mapping[str, Any]) -> None:
        """Take up what :meth:`view` returned; files that are gone are left out."""
        # What does not look like a view is not worth a word.
        with contextlib.suppress(AttributeError, KeyError, TypeError, ValueError):
            for name, kept in view.get("groups", {}).items():
                paths = [self._root / other for other in kept["others"]]
                current = self._root / kept["current"]
                self._groups[name] = _Group(
                    others=[path for path in paths if path.is_file()], current=current if current.is_file() else None
                )
            positions = view.get("positions", {})
            self._positions = {self._root / name: (int(at), int(top)) for name, (at, top) in positions.items()}

    def _name_of(self, path: Path) -> str:
        return str(path.relative_to(self._root)) if path.is_relative_to(self._root) else str(path)

    def set_marks(self, marks: Mapping[Path, Sequence[LineMark]]) -> None:
        """Show findings of the selected operator at their lines."""
        self._marks = marks
        self._apply_marks()

    def _save(self, page: EditorPage, *, by_itself: bool = False) -> bool:
        written = page.save(by_itself=by_itself)
        if written:
            self.saved.emit(page.path)
        return written

    def _show_group(self) -> None:
        group = self._groups[self._name]
        paths = group.paths
        if group.current not in paths:
            group.current = paths[0] if paths else None
        if group.current is None:
            self._stack.setCurrentIndex(0)
        else:
            self._stack.setCurrentWidget(self._page(group.current))
        self._apply_marks()
        self.page_changed.emit()

    def _bring_to_front(self, path: Path) -> None:
        self._groups[self._name].current = path
        self._show_group()
        self._page(path).setFocus()

    def _page(self, path: Path) -> EditorPage:
        """Return the page of a file, opened if need be. What lies outside the workspace is only read."""
        page = self._pages.get(path)
        if page is None:
            page = EditorPage(
                path,
                self._theme,
                self._icons,
                editable=path.is_relative_to(self._root),
                unsaved=self._unsaved,
                parent=self,
            )
            page.state_changed.connect(self._page_state_changed)
            page.content_replaced.connect(self._content_replaced)
            page.editor.position_changed.connect(self.position_changed)
            page.paused.connect(self.paused)
            page.editor.tab_leaves = self._tab_leaves
            if path in self._positions:
                page.position = self._positions.pop(path)
            self._pages[path] = page
            self._stack.addWidget(page)
        return page

    def _apply_marks(self) -> None:
        for path in self.paths:
            if path in self._pages:
                self._pages[path].editor.set_marks(self._marks.get(path, ()))
        self._refresh_tabs()

    def _refresh_tabs(self) -> None:
        group = self._groups[self._name]
        tabs = [
            Tab(
                path=path,
                is_modified=path in self._pages and self._pages[path].is_modified,
                has_errors=any(_is_error(mark) for mark in self._marks.get(path, ())),
                is_closable=path not in group.files,
            )
            for path in group.paths
        ]
        self._tabs.setVisible(bool(tabs))
        self._tabs.show_tabs(tabs, group.current)

    def _page_state_changed(self) -> None:
        self._refresh_tabs()
        self.page_changed.emit()

    def _content_replaced(self) -> None:
        """Look which files the operator names now, in case its contract changed."""
        folder = self._folders.get(self._name)
        if folder is not None:
            group = self._groups[self._name]
            group.files = self._present_or_modified(operator_files(folder, group.files), group.files)
            self._show_group()

    def _forget_others(self) -> None:
        """Close the files of operators that were shown longest ago, unless they are modified."""
        old = [name for name in self._groups if name not in ("", self._name)]
        for name in old[: max(len(old) - _KEPT_GROUPS, 0)]:
            group = self._groups[name]
            if not self._any_modified(group.paths):
                del self._groups[name]
                for path in group.paths:
                    self._drop(path)

    def _present_or_modified(self, present: Sequence[Path], before: Sequence[Path]) -> tuple[Path, ...]:
        """Return the files that are there, and those that went away while they hold text that is not saved."""
        kept = [path for path in before if path not in present and self._any_modified([path])]
        return (*present, *kept)

    def _any_modified(self, paths: Iterable[Path]) -> bool:
        return any(path in self._pages and self._pages[path].is_modified for path in paths)

    def _drop(self, path: Path) -> None:
        """Close the page of a file that no group shows any more."""
        if path in self._pages and not any(path in group.paths for group in self._groups.values()):
            page = self._pages.pop(path)
            self._stack.removeWidget(page)
            page.deleteLater()


def _is_error(mark: LineMark) -> bool:
    return mark.finding.severity is Severity.ERROR and not mark.stale
