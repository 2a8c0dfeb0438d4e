"""All nodes of a model in one row, with where each stands and who implements it, as far as that is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from opstudio.model.graph.element_types import ELEMENT_TYPES
from opstudio.model.graph.records import GraphRecord, NodeRecord
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord
from opstudio.model.graph.value_index import ModelIndex, Scope
from opstudio.model.graph.value_types import TensorType
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Resolved, ResolvedNode, Unresolved
from opstudio.model.runtime.element_types import element_type_text
from opstudio.model.shapes.records import shape_text
from opstudio.qt.models.party_words import party_title, step_word

_SHORT_TYPES = {element_type_text(code): kind.name for code, kind in ELEMENT_TYPES.items()}


class NodeRow(NamedTuple):
    """A node and its place: ``number`` counts within its scope."""

    scope: Scope
    number: int
    node: NodeRecord


class NodeRows:
    """The nodes of a model, those of the main graph first. Finds one by its record or by its place."""

    def __init__(self, index: ModelIndex) -> None:
        self.rows = tuple(
            NodeRow(scope, number, node) for scope in index.scopes() for number, node in enumerate(scope.content.nodes)
        )
        # Nodes are told apart by identity: two of a file may be equal.
        self._numbers = {id(row.node): number for number, row in enumerate(self.rows)}
        self._answered: tuple[Iterable[ResolvedNode], Mapping[int, ResolvedNode]] = ((), {})
        self._firsts: dict[tuple[str, ...], int] | None = None
        self._tensors: dict[int, dict[str, TensorRecord | SparseTensorRecord]] = {}

    def find(self, node: NodeRecord) -> NodeRow | None:
        """Return where a node of this model stands."""
        number = self._numbers.get(id(node))
        return None if number is None else self.rows[number]

    def number(self, scope: Scope, index: int) -> int | None:
        """Return the row of a node of a scope."""
        nodes = scope.content.nodes
        return self._numbers.get(id(nodes[index])) if 0 <= index < len(nodes) else None

    def tensor(self, scope: Scope, name: str) -> TensorRecord | SparseTensorRecord | None:
        """Return the constant that a name means, seen from a scope."""
        defining = scope.defining(name)
        if defining is None or not isinstance(defining.content, GraphRecord):
            return None
        graph = defining.content
        if id(defining) not in self._tensors:
            sparse = {tensor.name: tensor for tensor in graph.sparse_initializers}
            self._tensors[id(defining)] = {**sparse, **{tensor.name: tensor for tensor in graph.initializers}}
        return self._tensors[id(defining)].get(name)

    def stated_type(self, scope: Scope, name: str) -> str:
        """Return what the file says of the type of a value; empty where it says nothing."""
        stated = scope.type_of(name)
        if stated is not None:
            return str(stated)
        match self.tensor(scope, name):
            case TensorRecord(element_type=element_type, shape=shape):
                return str(TensorType(element_type=element_type, shape=shape))
            case SparseTensorRecord(values=values, shape=shape):
                return str(TensorType(element_type=values.element_type, shape=shape, is_sparse=True))
            case None:
                return ""

    def numbers(self, found: Mapping[tuple[str, ...], Sequence[int]]) -> Sequence[int]:
        """Return the rows of nodes that are told by their graphs and their numbers there."""
        if self._firsts is None:
            self._firsts = {}
            for number, row in enumerate(self.rows):
                self._firsts.setdefault(row.scope.path, number)
        return [self._firsts[path] + index for path, nodes in found.items() for index in nodes]

    def answers(self, resolved: Iterable[ResolvedNode]) -> Mapping[int, ResolvedNode]:
        """Return what is known of the rows, by their numbers; the last answer is kept, as all panels ask for it."""
        asked, found = self._answered
        if asked is not resolved:
            numbers = self._numbers
            found = {numbers[id(item.node)]: item for item in resolved if id(item.node) in numbers}
            self._answered = (resolved, found)
        return found


def short_type(text: str) -> str:
    """Return a type in the words of files that state one: ``tensor(float)`` is ``float32``."""
    return _SHORT_TYPES.get(text, text)


def scope_title(path: tuple[str, ...]) -> str:
    """Return how people read the path of a scope; the main graph has no title."""
    return " / ".join(path)


def party_of(answer: ResolvedNode | None) -> str:
    """Return who implements a node, in words: a provider, a library's file; for others the question that it fails."""
    match answer.resolution if answer is not None else None:
        case Resolved(party=party):
            return party_title(party.removesuffix("ExecutionProvider"))
        case Unresolved(step=step):
            return step_word(step)
        case None:
            return ""


def inferred_type(evidence: GraphEvidence | None, scope: Scope, name: str) -> str:
    """Return what was found out of the type of a value beyond what the file says; empty where that is nothing."""
    made = scope.source(name)
    if evidence is None or made is None or made.node is None:
        return ""
    found = evidence.inferred(made.node, made.slot)
    if found is None:
        return ""
    return short_type(found.type) + ("" if found.shape is None else shape_text(found.shape))


def input_types(
    nodes: NodeRows, row: NodeRow, answer: ResolvedNode | None, evidence: GraphEvidence | None
) -> Iterator[str]:
    """Yield what is known of the types of a node's inputs: what follows from the file, or else what it says."""
    known = () if answer is None else answer.input_types
    for slot, name in enumerate(row.node.inputs):
        if not name:
            yield "–"
        else:
            told = short_type(known[slot] if slot < len(known) else "")
            yield inferred_type(evidence, row.scope, name) or nodes.stated_type(row.scope, name) or told or "?"
