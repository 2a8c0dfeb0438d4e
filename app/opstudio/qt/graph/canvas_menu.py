"""The menu of a thing on the canvas."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from opstudio.model.diagram.records import Box, BoxKind
from opstudio.qt.graph.breadcrumbs import scope_title
from opstudio.qt.graph.graph_actions import GraphActions
from opstudio.qt.graph.graph_session import GraphSession
from opstudio.qt.graph.picture import Picture

_MOST_LISTED = 12


class CanvasMenu(QObject):
    """Offers what can be done with a box, a value, or the whole picture."""

    def __init__(self, session: GraphSession, actions: GraphActions, choose_box: Callable[[int], None]) -> None:
        super().__init__(session)
        self._session, self._actions, self._choose_box = session, actions, choose_box

    def open(self, parent: QWidget, at: QPoint, picture: Picture, box: int | None, edge: int | None) -> QMenu:
        """Show the menu; it goes away with the choice."""
        menu = QMenu(parent)
        if box is not None:
            self._add_box(menu, picture, box)
        elif edge is not None:
            self._add_value(menu, picture, picture.placed.diagram.values[edge])
        menu.addActions([self._actions.fit, self._actions.open_all, self._actions.close_again])
        if self._actions.leave.isEnabled():
            menu.addAction(self._actions.leave)
        menu.addSeparator()
        menu.addActions([self._actions.save_picture, self._actions.copy_picture])
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)
        return menu

    def _add_box(self, menu: QMenu, picture: Picture, number: int) -> None:
        box = picture.box(number)
        menu.addAction(self.tr("Copy the name")).triggered.connect(partial(_copy, self._name(box)))
        if box.kind is BoxKind.NODE:
            menu.addAction(self.tr("Copy the operator")).triggered.connect(
                partial(_copy, f"{box.domain}:{box.title}" if box.domain else box.title)
            )
        edges = picture.placed.graph.edges
        self._add_boxes(menu, picture, self.tr("Producers"), edges.source[edges.target == number])
        self._add_boxes(menu, picture, self.tr("Consumers"), edges.target[edges.source == number])
        menu.addSeparator()
        if box.kind is BoxKind.GROUP:
            menu.addAction(self.tr("Open this group")).triggered.connect(partial(self._session.toggle_group, box.group))
        for path in self._session.scopes_of(box.nodes[0]) if box.kind is BoxKind.NODE else ():
            text = self.tr("Enter {0}").format(scope_title(path))
            menu.addAction(text).triggered.connect(partial(self._session.enter, path))
        if box.around:
            text = self.tr("Close the group {0}").format(box.around)
            menu.addAction(text).triggered.connect(partial(self._session.toggle_group, box.around))
        menu.addSeparator()

    def _add_value(self, menu: QMenu, picture: Picture, value: str) -> None:
        menu.addAction(self.tr("Copy the name")).triggered.connect(partial(_copy, value))
        edges = picture.placed.graph.edges
        same = picture.edges_of_value(value)
        self._add_boxes(menu, picture, self.tr("Producers"), edges.source[same])
        self._add_boxes(menu, picture, self.tr("Consumers"), edges.target[same])
        menu.addSeparator()

    def _add_boxes(
        self, menu: QMenu, picture: Picture, title: str, boxes: np.ndarray[tuple[int], np.dtype[np.int64]]
    ) -> None:
        """Add a menu of boxes to go to."""
        found = np.unique(boxes).tolist()
        if not found:
            return
        inner = menu.addMenu(f"{title} ({len(found):,})")
        for number in found[:_MOST_LISTED]:
            box = picture.box(number)
            text = f"{box.title}  {box.name}".rstrip().replace("&", "&&")
            inner.addAction(text).triggered.connect(partial(self._choose_box, number))
        if len(found) > _MOST_LISTED:
            inner.addAction(self.tr("{0} more").format(len(found) - _MOST_LISTED)).setEnabled(False)

    def _name(self, box: Box) -> str:
        node = self._session.node(box.nodes[0]) if box.kind is BoxKind.NODE else None
        if node is not None:
            return node.name or node.type
        return box.group or box.value


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
