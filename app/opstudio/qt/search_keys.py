"""The keys that search: in the text, or in the graph, whichever stands in the middle."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from opstudio.qt.actions import Actions
from opstudio.qt.center import Center
from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.graph_page import GraphPage


class SearchKeys(QObject):
    """Leads the actions of searching to the page that is shown."""

    def __init__(self, actions: Actions, center: Center, editors: EditorArea) -> None:
        super().__init__(center)
        self._center, self._editors = center, editors
        actions.find.triggered.connect(self._find)
        actions.replace.triggered.connect(editors.open_replace)
        actions.find_next.triggered.connect(partial(self._step, 1))
        actions.find_previous.triggered.connect(partial(self._step, -1))

    def _find(self) -> None:
        page = self._center.shown
        if isinstance(page, GraphPage):
            page.focus_search()
        else:
            self._editors.open_find()

    def _step(self, by: int) -> None:
        page = self._center.shown
        if isinstance(page, GraphPage):
            page.search.step(by)
        elif by > 0:
            self._editors.find_next()
        else:
            self._editors.find_previous()
