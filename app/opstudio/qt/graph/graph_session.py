"""The model that is open: read, drawn and held against the runtime behind the window, one after the other.

What is known arrives in steps: the graph first, its picture next, then who implements its nodes. Each step is told by
a signal of its own, and what was known before stays until the next is there.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from opstudio.base.errors import CancelledError
from opstudio.base.finding import Finding
from opstudio.jobs.cancel import CancelToken
from opstudio.model.diagram.building import build_diagram
from opstudio.model.diagram.placing import place_diagram
from opstudio.model.diagram.records import Marks, PlacedDiagram, ScopePath
from opstudio.model.diagram.text_metrics import ESTIMATED, TextMetrics
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import FileIdentity, ModelRecord, NodeRecord
from opstudio.model.graph.value_index import ModelIndex, Scope, index_model
from opstudio.model.resolution.contracts import KnownContract
from opstudio.qt.background import Background
from opstudio.qt.graph.answers import Answer, answer, findings_of, raise_fault
from opstudio.qt.graph.examining import Examination, Examined
from opstudio.qt.models.node_rows import NodeRows
from opstudio.workflows.graph import GraphReport
from opstudio.workflows.graph_marks import marks_of
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge


class GraphState(enum.Enum):
    """What is known of the model."""

    EMPTY = enum.auto()
    READING = enum.auto()
    FAILING = enum.auto()
    """The file is no model, or damaged: ``findings`` say how."""
    READY = enum.auto()
    """It is read; its picture and who implements its nodes follow."""


class GraphSession(QObject):
    """Owns the open model. Panels read from it, and ask it to look elsewhere; they never talk to one another."""

    state_changed = Signal()
    """The model, or what is known of the file."""
    scope_changed = Signal()
    """Another graph of the model is looked at."""
    placed_changed = Signal()
    """A picture is ready."""
    resolution_changed = Signal()
    """Who implements the nodes, or why that cannot be told."""
    libraries_changed = Signal()
    trust_needed = Signal(tuple)
    """Paths of operator libraries whose code the person must allow first: answer with :meth:`trust_libraries`."""
    selection_changed = Signal()
    closing = Signal()
    """The window goes away: what runs about the model must end."""
    reveal_requested = Signal()
    """The selection shall be brought into view."""

    def __init__(
        self,
        python: Callable[[], str],
        may_run: Callable[[], bool] = lambda: True,
        parent: QObject | None = None,
        *,
        contracts: Callable[[], Sequence[KnownContract]] = tuple,
    ) -> None:
        """Prepare.

        Args:
            python: tells the interpreter whose runtime is asked, whenever something is asked.
            may_run: tells whether the code of operator libraries may run without a question.
            parent: the owner.
            contracts: reads those of the workspace, which explain nodes as well; called on another thread.
        """
        super().__init__(parent)
        self._python, self._may_run = python, may_run
        self.contracts = contracts
        self._knowledge: tuple[str, RuntimeKnowledge] | None = None
        self.metrics: TextMetrics = ESTIMATED
        """The widths of the letters that boxes are made for."""
        self.state = GraphState.EMPTY
        self.busy_since = 0.0
        """When reading or placing began, by ``time.monotonic``."""
        self.path: Path | None = None
        self.model: ModelRecord | None = None
        self.index: ModelIndex | None = None
        self.nodes: NodeRows | None = None
        """All nodes of the model, in one row for all panels."""
        self.report: GraphReport | None = None
        self.findings: tuple[Finding, ...] = ()
        """About the file, its nodes and the libraries."""
        self.is_resolving = self.is_placing = False
        self.libraries: tuple[Path, ...] = ()
        self.scope: ScopePath = ()
        self.placed: PlacedDiagram | None = None
        self.selected_node: int | None = None
        """A node of the scope."""
        self.selected_value = ""
        """The name of a value of the scope; with a node, one of its own."""
        self._collapsed: dict[ScopePath, frozenset[str]] = {}
        self._wanted_scope: ScopePath = ()
        self._entered_at: dict[ScopePath, tuple[ScopePath, int]] = {}
        self._opened: FileIdentity | None = None
        self._seen: FileIdentity | None = None
        self._marks: tuple[GraphReport | None, ScopePath, Marks] | None = None
        self._cancel_placing, self._cancel_resolving = CancelToken(), CancelToken()
        self._reading, self._placing, self._resolving = Background(self), Background(self), Background(self)
        self._reading.finished.connect(self._take_model)
        self._placing.finished.connect(self._take_placed)
        self._resolving.finished.connect(self._take_report)

    def open(self, path: Path) -> None:
        """Read a model in place of the one that is open."""
        self._collapsed, self._wanted_scope = {}, ()
        self._open(path.absolute())

    def reload(self) -> None:
        """Read the file again, and look at the same graph of it."""
        if self.path is not None:
            self._wanted_scope = self.scope
            self._open(self.path)

    def look_again(self) -> None:
        """Read the file again where another content stands at its place than the one that was read."""
        if self.path is None or self.state is GraphState.READING:
            return
        found = _identity(self.path)
        if found is not None and found != (self._opened if self.model is None else self.model.identity):
            self.reload()

    def watch(self) -> None:
        """Look whether the file is another one; call it regularly. One that is still being written is left alone."""
        found = None if self.path is None else _identity(self.path)
        is_settled, self._seen = found == self._seen, found
        if is_settled:
            self.look_again()

    def add_libraries(self, paths: Collection[Path]) -> None:
        """Hold the model against further operator libraries; their code runs, in a worker, once that is allowed."""
        added = self._unknown(paths)
        if added and not self._may_run():
            self.trust_needed.emit(added)
        else:
            self.trust_libraries(added)

    def trust_libraries(self, paths: Collection[Path]) -> None:
        """Hold the model against further operator libraries, as the person allowed."""
        self._set_libraries((*self.libraries, *self._unknown(paths)))

    def remove_library(self, path: Path) -> None:
        """Do without an operator library."""
        self._set_libraries(tuple(known for known in self.libraries if known != path))

    def enter(self, scope: ScopePath) -> None:
        """Look at another graph of the model: the main one (empty), a nested one, or a function."""
        if scope != self.scope and self.find_scope(scope) is not None:
            if self.selected_node is not None and scope in self.scopes_of(self.selected_node):
                self._entered_at[scope] = (self.scope, self.selected_node)
            self.scope = scope
            self.placed = None
            self.selected_node, self.selected_value = None, ""
            self.scope_changed.emit()
            self.selection_changed.emit()
            self._place()

    def leave(self) -> None:
        """Look at the graph around the one that is looked at, and select the node that holds it.

        A function, which several nodes may call, is left to the node that it was entered at.
        """
        inner = self.find_scope(self.scope)
        if self.index is None or inner is None or not self.scope:
            return
        if inner.owner is None and self.scope in self._entered_at:
            scope, node = self._entered_at[self.scope]
            self.enter(scope)
            self.select_node(node, reveal=True)
            return
        around = inner.parent or self.index.main
        owner = inner.owner
        self.enter(around.path)
        if owner is not None:
            numbers = (number for number, node in enumerate(around.content.nodes) if node is owner)
            self.select_node(next(numbers, None), reveal=True)

    def find_scope(self, path: ScopePath) -> Scope | None:
        """Return a graph of the model by its path."""
        if self.index is None:
            return None
        return next((scope for scope in self.index.scopes() if scope.path == path), None)

    @property
    def current(self) -> Scope | None:
        """The graph that is looked at."""
        return self.find_scope(self.scope)

    def node(self, number: int | None) -> NodeRecord | None:
        """Return a node of the scope."""
        scope = self.current
        if scope is None or number is None or not 0 <= number < len(scope.content.nodes):
            return None
        return scope.content.nodes[number]

    def scopes_of(self, number: int) -> tuple[ScopePath, ...]:
        """Return the graphs that a node of the scope can be entered into: its function, and those nested in it."""
        scope, node = self.current, self.node(number)
        if scope is None or node is None or self.index is None:
            return ()
        function = self.index.functions.get((node.domain, node.type, node.overload))
        nested = [child.path for child in scope.children if child.owner is node]
        return tuple(nested) if function is None else (function.path, *nested)

    def set_collapsed(self, groups: Collection[str]) -> None:
        """Draw these groups of the scope as one box each."""
        self._collapsed[self.scope] = frozenset(groups)
        self._place()

    def collapse_as_first(self) -> None:
        """Draw those groups as one box each that were chosen when the picture was first made."""
        self._collapsed.pop(self.scope, None)
        self._place()

    def toggle_group(self, group: str) -> None:
        """Open a group that is closed, or close one that is open."""
        if self.placed is not None:
            self.set_collapsed(self.placed.diagram.collapsed ^ {group})

    def select_node(self, node: int | None, *, reveal: bool = False) -> None:
        """Select a node of the scope, or nothing; ``reveal`` brings it into view."""
        self._select(node, "", reveal=reveal)

    def select_value(self, value: str, *, node: int | None = None, reveal: bool = False) -> None:
        """Select a value of the scope, perhaps as one of a node."""
        self._select(node, value, reveal=reveal)

    def marks(self) -> Marks:
        """Return who implements the nodes of the scope, as far as it is known."""
        known = self._marks
        if known is None or known[0] is not self.report or known[1] != self.scope:
            marks = {} if self.report is None else marks_of(self.report, self.scope)
            self._marks = known = (self.report, self.scope, marks)
        return known[2]

    def ask_again(self) -> None:
        """Hold the model against the runtime again: another interpreter may have become allowed."""
        self._resolve()

    def close(self) -> None:
        """End what runs."""
        self._cancel_all()
        self.closing.emit()
        if self._knowledge is not None:
            # What waits for a worker to start can only be ended by ending the worker.
            self._knowledge[1].__exit__(None, None, None)
        for background in (self._reading, self._placing, self._resolving):
            background.wait()
        self._forget_knowledge()

    def _open(self, path: Path) -> None:
        self._cancel_all()
        self.path, self._opened = path, _identity(path)
        self.model = self.index = self.nodes = self.report = self.placed = None
        self.findings, self.scope, self._entered_at = (), (), {}
        self.selected_node, self.selected_value = None, ""
        self.state, self.busy_since = GraphState.READING, time.monotonic()
        self.state_changed.emit()
        self.placed_changed.emit()
        self.resolution_changed.emit()
        self._reading.run(lambda: _read(path))

    def _unknown(self, paths: Collection[Path]) -> tuple[Path, ...]:
        wanted = dict.fromkeys(path.absolute() for path in paths)
        return tuple(path for path in wanted if path not in self.libraries)

    def _select(self, node: int | None, value: str, *, reveal: bool) -> None:
        if (node, value) != (self.selected_node, self.selected_value):
            self.selected_node, self.selected_value = node, value
            self.selection_changed.emit()
        if reveal:
            self.reveal_requested.emit()

    def _set_libraries(self, libraries: tuple[Path, ...]) -> None:
        if libraries != self.libraries:
            self.libraries = libraries
            self.libraries_changed.emit()
            self._resolve()

    def _take_model(self, found: object) -> None:
        if isinstance(found, tuple):
            self.model, self.index, self.nodes = found
            self.state = GraphState.READY
            if self.find_scope(self._wanted_scope) is not None:
                self.scope = self._wanted_scope
            self._place()
            self._resolve()
        else:
            self.findings = findings_of(found)
            self.state = GraphState.FAILING
        self.state_changed.emit()
        raise_fault(found)

    def _place(self) -> None:
        scope = self.current
        if scope is None or self.model is None:
            return
        self._cancel_placing.cancel("another picture is wanted")
        self._cancel_placing = cancel = CancelToken()
        model, earlier, metrics, collapsed = self.model, self.placed, self.metrics, self._collapsed.get(self.scope)
        if not self.is_placing:
            self.busy_since = time.monotonic()
        self.is_placing = True

        def work() -> PlacedDiagram:
            diagram = build_diagram(model, scope, collapsed, checkpoint=cancel.check)
            return place_diagram(diagram, metrics, earlier, checkpoint=cancel.check)

        self._placing.run(partial(answer, model, work))

    def _take_placed(self, found: Answer) -> None:
        if found.model is not self.model:
            return  # of the file that was open before
        self.is_placing = False
        if isinstance(found.result, PlacedDiagram):
            self.placed = found.result
        self.placed_changed.emit()
        raise_fault(found.result)

    def _resolve(self) -> None:
        if self.model is None:
            return
        self._cancel_resolving.cancel("asked anew")
        self._cancel_resolving = cancel = CancelToken()
        model, knowledge = self.model, self._known()
        asked = Examination(
            model=model, nodes=self.nodes, scope=self.scope, libraries=self.libraries, contracts=self.contracts
        )
        self.is_resolving = True
        self._resolving.run(partial(answer, model, partial(asked.run, knowledge, cancel)))
        self.resolution_changed.emit()

    def _take_report(self, found: Answer) -> None:
        if found.model is not self.model or isinstance(found.result, CancelledError):
            return
        self.is_resolving = False
        if isinstance(found.result, Examined):
            self.report, self.findings = found.result.report, found.result.findings
            self._marks = (self.report, found.result.scope, found.result.marks)
        else:
            self.report, self.findings = None, findings_of(found.result)
        self.resolution_changed.emit()
        raise_fault(found.result)

    def _known(self) -> RuntimeKnowledge:
        """Return what is known of the runtime of the interpreter, which is another one once a workspace is trusted."""
        python = self._python()
        if self._knowledge is None or self._knowledge[0] != python:
            self._resolving.wait()
            self._forget_knowledge()
            self._knowledge = (python, RuntimeKnowledge(python))
        return self._knowledge[1]

    def _forget_knowledge(self) -> None:
        if self._knowledge is not None:
            self._knowledge[1].__exit__(None, None, None)
            self._knowledge = None

    def _cancel_all(self) -> None:
        for cancel in (self._cancel_placing, self._cancel_resolving):
            cancel.cancel()


def _read(path: Path) -> tuple[ModelRecord, ModelIndex, NodeRows]:
    model = read_model(path)
    index = index_model(model)
    return model, index, NodeRows(index)


def _identity(path: Path) -> FileIdentity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return FileIdentity(size=status.st_size, device=status.st_dev, inode=status.st_ino, modified_ns=status.st_mtime_ns)
