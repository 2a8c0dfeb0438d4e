"""The nodes of a model as a Qt model: made for fifty thousand rows, so it sorts and filters itself."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import ResolvedNode, Unresolved
from opstudio.qt.models.node_rows import NodeRow, NodeRows, input_types, party_of, scope_title
from opstudio.qt.models.plain_tips import plain_tip
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

_Index = QModelIndex | QPersistentModelIndex


class NodeColumn(enum.IntEnum):
    """The columns, the important ones first."""

    NAME = 0
    TYPE = 1
    DOMAIN = 2
    PARTY = 3
    INPUTS = 4
    SCOPE = 5


class NodeTableModel(QAbstractTableModel):
    """Shows nodes; cells are made when they are looked at.

    A ``QSortFilterProxyModel`` asks Python for every comparison, which takes seconds for so many rows.
    """

    def __init__(self, theme: Theme, icons: Icons, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self._nodes: NodeRows | None = None
        self._answers: Mapping[int, ResolvedNode] = {}
        self._evidence: GraphEvidence | None = None
        self._shown: Sequence[int] = ()
        self._places: dict[int, int] = {}
        self._matches: Sequence[int] | None = None
        self._only_unresolved = False
        self._column, self._order = -1, Qt.SortOrder.AscendingOrder

    @property
    def total(self) -> int:
        """The number of nodes, whatever is shown of them."""
        return 0 if self._nodes is None else len(self._nodes.rows)

    @property
    def unresolved(self) -> int:
        """How many nodes nobody implements, as far as it is known."""
        return sum(isinstance(answer.resolution, Unresolved) for answer in self._answers.values())

    def node_at(self, row: int) -> NodeRow:
        """Return the node of a row that is shown."""
        assert self._nodes is not None
        return self._nodes.rows[self._shown[row]]

    def row_of(self, number: int | None) -> int:
        """Return where a node of :class:`NodeRows` is shown, or -1."""
        return -1 if number is None else self._places.get(number, -1)

    def set_nodes(self, nodes: NodeRows | None) -> None:
        """Show the nodes of another model; nothing is known of them yet."""
        self._change(lambda: self._take_nodes(nodes))

    def set_evidence(self, evidence: GraphEvidence | None) -> None:
        """Say who implements the nodes."""
        self._change(lambda: self._take_evidence(evidence))

    def set_matches(self, matches: Sequence[int] | None) -> None:
        """Show the nodes of these numbers, in their order; ``None`` is all of them."""
        if matches != self._matches:
            self._matches = matches
            self._change(lambda: None)

    def set_only_unresolved(self, wanted: bool) -> None:  # noqa: FBT001 - Qt's signal
        """Show the nodes that nobody implements, and no others."""
        if wanted != self._only_unresolved:
            self._only_unresolved = wanted
            self._change(lambda: None)

    def retranslate(self) -> None:
        """Fetch all texts again."""
        self._change(lambda: None)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 is the order of the file."""
        if (column, order) != (self._column, self._order):
            self._column, self._order = column, order
            self._change(lambda: None)

    def text(self, row: int, column: int) -> str:
        """Return the text of a cell that is shown."""
        return self._text(self._shown[row], NodeColumn(column))

    def rowCount(self, parent: _Index | None = None) -> int:
        """Return the number of nodes that are shown."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(NodeColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles of the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            titles = (
                self.tr("Name"),
                self.tr("Operator"),
                self.tr("Domain"),
                self.tr("Implemented by"),
                self.tr("Inputs"),
                self.tr("Graph"),
            )
            return titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        if not index.isValid():
            return None
        number, column = self._shown[index.row()], NodeColumn(index.column())
        answer = self._answers.get(number)
        is_bad = answer is not None and isinstance(answer.resolution, Unresolved)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                text = self._text(number, column)
                return self.tr("nobody: {0}").format(text) if is_bad and column is NodeColumn.PARTY else text
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._tip(number, column, answer))
            case Qt.ItemDataRole.DecorationRole if column is NodeColumn.PARTY and answer is not None:
                return self._icons.icon("bad", "bad") if is_bad else self._icons.icon("good", "good")
            case Qt.ItemDataRole.ForegroundRole:
                return QColor(getattr(self._theme.tokens, self._tone(number, column, is_bad=is_bad)))
            case _:
                return None

    def _tone(self, number: int, column: NodeColumn, *, is_bad: bool) -> str:
        assert self._nodes is not None
        node = self._nodes.rows[number].node
        if column is NodeColumn.PARTY:
            return "bad" if is_bad else "text_2"
        if column in (NodeColumn.TYPE, NodeColumn.DOMAIN) and node.domain:
            return "custom"
        return "text" if column in (NodeColumn.NAME, NodeColumn.TYPE) else "text_2"

    def _tip(self, number: int, column: NodeColumn, answer: ResolvedNode | None) -> str:
        if column is NodeColumn.PARTY and answer is not None and isinstance(answer.resolution, Unresolved):
            return answer.resolution.reason
        return self._text(number, column)

    def _text(self, number: int, column: NodeColumn) -> str:
        assert self._nodes is not None
        row, answer = self._nodes.rows[number], self._answers.get(number)
        match column:
            case NodeColumn.NAME:
                return row.node.name or f"{row.node.type} #{row.number}"
            case NodeColumn.TYPE:
                return row.node.type
            case NodeColumn.DOMAIN:
                return row.node.domain or "ai.onnx"
            case NodeColumn.PARTY:
                return party_of(answer)
            case NodeColumn.INPUTS:
                return ", ".join(input_types(self._nodes, row, answer, self._evidence))
            case NodeColumn.SCOPE:
                return scope_title(row.scope.path)

    def _take_nodes(self, nodes: NodeRows | None) -> None:
        self._nodes, self._answers, self._evidence, self._matches = nodes, {}, None, None

    def _take_evidence(self, evidence: GraphEvidence | None) -> None:
        self._evidence = evidence
        known = evidence.nodes if evidence is not None else ()
        self._answers = self._nodes.answers(known) if self._nodes is not None else {}

    def _change(self, change: Callable[[], None]) -> None:
        self.beginResetModel()
        change()
        self._shown = self._ordered(self._matching())
        self._places = {number: row for row, number in enumerate(self._shown)}
        self.endResetModel()

    def _matching(self) -> Sequence[int]:
        numbers: Sequence[int] = range(self.total) if self._matches is None else self._matches
        if self._only_unresolved:
            known = self._answers
            numbers = [number for number in numbers if _is_unresolved(known.get(number))]
        return numbers

    def _ordered(self, numbers: Sequence[int]) -> Sequence[int]:
        if self._column < 0:
            return numbers
        column = NodeColumn(self._column)
        keys = {number: self._text(number, column).casefold() for number in numbers}
        return sorted(numbers, key=keys.__getitem__, reverse=self._order is Qt.SortOrder.DescendingOrder)


def _is_unresolved(answer: ResolvedNode | None) -> bool:
    return answer is not None and isinstance(answer.resolution, Unresolved)
