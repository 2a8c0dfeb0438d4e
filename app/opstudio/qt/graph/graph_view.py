"""The open model on the canvas: what the session knows becomes a picture, what the person does goes to the session."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from opstudio.layout.arrays import Integers
from opstudio.model.diagram.records import BoxKind, ScopePath
from opstudio.qt.graph.canvas import GraphCanvas
from opstudio.qt.graph.colouring import ColourBy, colour, unresolved_boxes
from opstudio.qt.graph.graph_session import GraphSession, GraphState
from opstudio.qt.graph.hover_card import HoverCard
from opstudio.qt.graph.look import Look
from opstudio.qt.graph.overview import Overview
from opstudio.qt.graph.picture import Picture
from opstudio.qt.graph.walking import next_of, reading_order
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme


@dataclass(frozen=True, slots=True)
class _Anchor:
    """Something that shall be seen at the same place of the screen in the next picture."""

    node: int | None
    value: str
    at: QPointF


class GraphView(QWidget):
    """Canvas, overview and what is told about the thing under the pointer."""

    shown_changed = Signal()
    """Another picture is shown, or its boxes look different."""

    def __init__(self, session: GraphSession, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.canvas = GraphCanvas(theme, icons, self)
        self.overview = Overview(self.canvas, theme)
        self.card = HoverCard(session, self.canvas)
        session.metrics = self.canvas.metrics
        self._colour_by = ColourBy.FAMILY
        self._cameras: dict[ScopePath, tuple[float, float, float]] = {}
        self._shown: ScopePath | None = None
        self._starts = False
        self._must_reveal = False
        self._found: Integers = np.empty(0, dtype=np.int64)
        self._order: Integers = self._found
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.canvas)
        self.setFocusProxy(self.canvas)
        session.state_changed.connect(self._take_state)
        session.placed_changed.connect(self._take_placed)
        session.resolution_changed.connect(self._take_resolution)
        session.selection_changed.connect(self._take_selection)
        session.reveal_requested.connect(self._reveal)
        self.canvas.box_chosen.connect(self._choose_box)
        self.canvas.edge_chosen.connect(self._choose_edge)
        self.canvas.box_opened.connect(self.open_box)
        self.canvas.leave_requested.connect(session.leave)
        self.canvas.pointed_changed.connect(self._point)

    @property
    def colour_by(self) -> ColourBy:
        """What is told by colour."""
        return self._colour_by

    def set_colour_by(self, by: ColourBy) -> None:
        """Tell something else by colour."""
        self._colour_by = by
        self._colour()

    def set_found(self, nodes: Integers) -> None:
        """Mark the boxes of what a search found. Shape: (nodes found,)."""
        self._found = nodes
        picture, look = self.canvas.picture, self.canvas.look
        if picture is None or look is None:
            return
        look.found[:] = False
        look.found[picture.boxes_of_nodes(nodes)] = True
        look.current = None
        self.canvas.update()

    def set_found_boxes(self, boxes: Integers) -> None:
        """Mark some boxes as if they had been found. Shape: (boxes,)."""
        picture, look = self.canvas.picture, self.canvas.look
        if picture is not None and look is not None:
            look.found[:] = False
            look.found[boxes] = True
            look.current = None
            self.canvas.update()

    def step_found(self, by: int) -> int | None:
        """Go to the next box that was found, or the one before; return its number."""
        look = self.canvas.look
        return None if look is None else self._step(look.found, look.current, by)

    def step_unresolved(self, by: int) -> int | None:
        """Go to the next box that nobody implements, or the one before; return its number."""
        look = self.canvas.look
        return None if look is None else self._step(look.unresolved, look.selected, by)

    def found_rank(self) -> tuple[int, int]:
        """Return which of the boxes found was gone to, counted from 1, or 0, and how many there are."""
        look = self.canvas.look
        if look is None:
            return 0, 0
        chosen = self._order[look.found[self._order]]
        rank = 0 if look.current is None else int(np.argmax(chosen == look.current)) + 1 if chosen.size else 0
        return rank, int(chosen.size)

    def open_box(self, box: int) -> None:
        """Open a group, or enter what a node holds."""
        picture = self.canvas.picture
        if picture is None or self._is_old:
            return
        shown = picture.box(box)
        if shown.kind is BoxKind.GROUP:
            self._session.toggle_group(shown.group)
        elif shown.nodes:
            scopes = self._session.scopes_of(shown.nodes[0])
            if scopes:
                self._session.enter(scopes[0])

    @property
    def _is_old(self) -> bool:
        """Whether the picture that is seen is one of another graph, until that of this one is ready."""
        return self._shown is None or self._shown != self._session.scope

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Begin at the start once it is known how much room there is."""
        super().resizeEvent(event)
        if self._starts and self.isVisible():
            self.canvas.show_start()

    def _take_state(self) -> None:
        if self._session.state is GraphState.READING:
            self._cameras.clear()
            self._shown = None

    def _take_placed(self) -> None:
        placed = self._session.placed
        if placed is None:
            return
        is_same = placed.diagram.scope == self._shown
        anchor = self._anchor() if is_same else None
        self._keep_camera()
        picture = Picture(placed)
        self._shown = placed.diagram.scope
        self._order = reading_order(picture)
        self.canvas.set_picture(picture, Look.plain(picture))
        self._starts = False
        if anchor is not None:
            self._hold(anchor, picture)
        elif self._shown in self._cameras:
            self.canvas.camera.x, self.canvas.camera.y, zoom = self._cameras[self._shown]
            self.canvas.set_zoom(zoom)
        else:
            self._starts = True
            self.canvas.show_start()
        self._take_resolution()
        self._take_selection()
        self.set_found(self._found)
        if self._must_reveal:
            self._reveal()

    def _take_resolution(self) -> None:
        picture, look = self.canvas.picture, self.canvas.look
        if picture is not None and look is not None and not self._is_old:
            look.unresolved = unresolved_boxes(picture.placed.diagram, self._session.marks())
            self._colour()

    def _colour(self) -> None:
        picture, look, scope = self.canvas.picture, self.canvas.look, self._session.current
        if picture is None or look is None or scope is None or self._is_old:
            return
        look.colouring = colour(picture.placed.diagram, scope.content.nodes, self._session.marks(), self._colour_by)
        self.canvas.update()
        self.overview.forget()
        self.shown_changed.emit()

    def _take_selection(self) -> None:
        picture, look = self.canvas.picture, self.canvas.look
        if picture is None or look is None or self._is_old:
            return
        node, value = self._session.selected_node, self._session.selected_value
        look.selected = self._box_of(picture, node, value)
        if value:
            look.selected_edges = picture.edges_of_value(value)
        elif look.selected is not None:
            look.selected_edges = picture.edges_of_box(look.selected)
        else:
            look.selected_edges = np.empty(0, dtype=np.int64)
        self._starts = self._starts and look.selected is None
        shown = None if look.selected is None else picture.box(look.selected)
        self.canvas.setAccessibleDescription("" if shown is None else f"{shown.title} {shown.name}".rstrip())
        self.canvas.update()

    def _reveal(self) -> None:
        picture, look = self.canvas.picture, self.canvas.look
        self._must_reveal = self._is_old or self._session.is_placing
        if self._must_reveal or picture is None or look is None:
            return
        box = look.selected
        if box is None and self._session.selected_value:
            box = picture.box_of_value(self._session.selected_value)
        if box is not None:
            self._starts = False
            self.canvas.reveal(box)

    def _choose_box(self, box: int | None) -> None:
        picture, look = self.canvas.picture, self.canvas.look
        if picture is None or look is None or self._is_old:
            return
        shown = None if box is None else picture.box(box)
        if shown is None or shown.kind is BoxKind.GROUP:
            self._session.select_node(None)
            look.selected = box
            look.selected_edges = look.selected_edges[:0] if box is None else picture.edges_of_box(box)
            self.canvas.update()
        elif shown.nodes:
            self._session.select_node(shown.nodes[0])
        else:
            self._session.select_value(shown.value)

    def _choose_edge(self, edge: int) -> None:
        if self.canvas.picture is not None and not self._is_old:
            self._session.select_value(self.canvas.picture.placed.diagram.values[edge])

    def _point(self, box: int | None, edge: int | None) -> None:
        picture, look = self.canvas.picture, self.canvas.look
        if picture is None or look is None:
            self.card.hide()
            return
        look.hovered = box
        if box is not None:
            look.hovered_edges = picture.edges_of_box(box)
        else:
            look.hovered_edges = look.hovered_edges[:0] if edge is None else picture.edges_with(edge)
        self.card.show_thing(picture, box, edge)
        self.canvas.update()

    def _step(self, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]], box: int | None, by: int) -> int | None:
        """Go to the next of the chosen boxes."""
        look = self.canvas.look
        reached = next_of(chosen, self._order, box, by)
        if reached is not None and look is not None:
            self._starts = False
            self._choose_box(reached)
            look.current = reached if look.found[reached] else look.current
            self.canvas.reveal(reached)
        return reached

    def _box_of(self, picture: Picture, node: int | None, value: str) -> int | None:
        if node is not None:
            found = picture.boxes_of_nodes(np.array([node], dtype=np.int64))
            return int(found[0]) if found.size else None
        box = picture.box_of_value(value) if value else None
        # The node that makes a value was not selected with it.
        return box if box is not None and not picture.box(box).nodes else None

    def _keep_camera(self) -> None:
        if self._shown is not None:
            camera = self.canvas.camera
            self._cameras[self._shown] = (camera.x, camera.y, camera.zoom)

    def _anchor(self) -> _Anchor | None:
        """Return the selected box, or the one nearest to the middle of the view."""
        picture, look = self.canvas.picture, self.canvas.look
        if picture is None or look is None or not picture.boxes.count or self._starts:
            return None
        camera = self.canvas.camera
        box = look.selected
        if box is None or not camera.seen.holds(picture.box_area(box)):
            box = picture.nearest_box(camera.x, camera.y)
        shown, area = picture.box(box), picture.box_area(box)
        at = camera.to_screen((area.left + area.right) / 2, area.top)
        return _Anchor(shown.nodes[0] if shown.nodes else None, shown.value, at)

    def _hold(self, anchor: _Anchor, picture: Picture) -> None:
        box = self._box_of(picture, anchor.node, anchor.value)
        if box is not None:
            area, camera = picture.box_area(box), self.canvas.camera
            now = camera.to_screen((area.left + area.right) / 2, area.top)
            camera.pan(anchor.at.x() - now.x(), anchor.at.y() - now.y())
