"""What the pointer is on, in a few lines beside it: names, types, shapes, who implements a node."""

from __future__ import annotations

import html

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from opstudio.layout.graph import NO_PORT
from opstudio.model.diagram.records import Box, BoxKind, NodeState
from opstudio.qt.graph.graph_session import GraphSession
from opstudio.qt.graph.picture import Picture
from opstudio.qt.models.party_words import party_title
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.widgets.translated import TranslatedWidget

_AWAY = QPoint(14, 18)
_WIDEST = 420
_LONGEST = 200


class HoverCard(TranslatedWidget):
    """A card over the canvas; it takes no clicks."""

    def __init__(self, session: GraphSession, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._session, self._canvas = session, canvas
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.RichText)
        self._text.setFont(ui_font(SMALL_PIXELS))
        frame = QFrame()
        frame.setProperty("look", "card")
        inner = QVBoxLayout(frame)
        inner.setContentsMargins(10, 6, 10, 7)
        inner.addWidget(self._text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(frame)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @property
    def text(self) -> str:
        """What the card says, as rich text."""
        return self._text.text()

    def show_thing(self, picture: Picture, box: int | None, edge: int | None) -> None:
        """Tell about a box or an edge; about nothing, go away."""
        if self._session.current is None or (box is None and edge is None):
            self.hide()
            return
        lines = self._of_box(picture.box(box)) if box is not None else self._of_edge(picture, edge or 0)
        self._text.setText("<br>".join(lines))
        self._text.setWordWrap(False)
        is_wide = self._text.sizeHint().width() > _WIDEST
        self._text.setWordWrap(is_wide)
        self._text.setFixedWidth(_WIDEST if is_wide else self._text.sizeHint().width())
        self.adjustSize()
        self._place()
        self.show()
        self.raise_()

    def _place(self) -> None:
        at = self._canvas.mapFromGlobal(QCursor.pos()) + _AWAY
        room = self._canvas.size() - self.size()
        self.move(max(min(at.x(), room.width()), 0), max(min(at.y(), room.height()), 0))

    def _of_box(self, box: Box) -> list[str]:
        if box.kind is BoxKind.GROUP:
            lines = [_strong(box.group), self.tr("{0} nodes").format(f"{len(box.nodes):,}")]
            if box.repeats > 1:
                lines.append(self.tr("{0} equal blocks in a row").format(box.repeats))
            unresolved = self._unresolved(box)
            if unresolved:
                lines.append(self.tr("{0} of them implemented by nobody").format(unresolved))
            return [*lines, self.tr("A double click opens it")]
        if not box.nodes:
            kinds = {BoxKind.INPUT: self.tr("Input"), BoxKind.OUTPUT: self.tr("Output")}
            kind = kinds.get(box.kind, self.tr("Value of the graph around"))
            return [_strong(box.value), self._type(box.value), kind]
        title = f"{box.domain}:{box.title}" if box.domain else box.title
        node = self._session.node(box.nodes[0])
        name = node.name if node is not None else box.name
        lines = [_strong(title), _plain(name), self._party(box.nodes[0])]
        if self._session.scopes_of(box.nodes[0]):
            lines.append(self.tr("A double click enters it"))
        return [line for line in lines if line]

    def _of_edge(self, picture: Picture, edge: int) -> list[str]:
        value = picture.placed.diagram.values[edge]
        edges = picture.placed.graph.edges
        source = int(edges.source[edge])
        same = picture.edges_with(edge)
        readers = np.unique(edges.target[same]).size
        start = picture.box(source)
        port = int(edges.source_port[edge])
        made = _titled(start)
        if port not in (0, NO_PORT):
            made = self.tr("output {0} of {1}").format(port, made)
        read = self.tr("read by {0} boxes").format(readers) if readers > 1 else self._reader(picture, edge)
        return [_strong(value), self._type(value), _plain(f"{made} → {read}")]

    def _reader(self, picture: Picture, edge: int) -> str:
        edges = picture.placed.graph.edges
        box, port = picture.box(int(edges.target[edge])), int(edges.target_port[edge])
        name = _titled(box)
        return name if port == NO_PORT else self.tr("input {0} of {1}").format(port, name)

    def _type(self, value: str) -> str:
        scope = self._session.current
        known = None if scope is None else scope.type_of(value)
        return self.tr("type not stated") if known is None else _plain(str(known))

    def _party(self, node: int) -> str:
        mark = self._session.marks().get(node)
        if mark is None or mark.state is NodeState.UNKNOWN:
            return ""
        if mark.state is NodeState.UNRESOLVED:
            return self.tr("Implemented by nobody")
        if mark.party == "function":
            return self.tr("A function of the file")
        return self.tr("Implemented by {0}").format(_plain(party_title(mark.party)))

    def _unresolved(self, box: Box) -> int:
        marks = self._session.marks()
        found = (marks.get(node) for node in box.nodes)
        return sum(mark is not None and mark.state is NodeState.UNRESOLVED for mark in found)


def _titled(box: Box) -> str:
    return f"{box.title} {box.name}".rstrip()


def _plain(text: str) -> str:
    return html.escape(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def _strong(text: str) -> str:
    return f"<b>{_plain(text)}</b>"
