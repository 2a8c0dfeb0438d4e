"""Finds nodes in all graphs of a model. See ``search_query`` for what can be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from opstudio.model.diagram.records import Marks, NodeState, ScopePath
from opstudio.model.diagram.search_query import Key, Query, Term
from opstudio.model.graph.element_types import element_type_name
from opstudio.model.graph.records import AttributeValue, GraphRecord, NodeRecord
from opstudio.model.graph.value_index import ModelIndex, Scope
from opstudio.model.graph.value_types import Dimension, TensorType

MarksOf = Callable[[ScopePath], Marks]
_STANDARD = "ai.onnx"
_BETWEEN = "\n"
"""Stands between the texts of a node, and in no word."""
_SIZES = re.compile(r"[x×,]")
_LIST_SIGNS = re.compile(r"[\s,;x×\[\]()]+")
_ANY_SIZE = "*"
_SIZE_WORD = re.compile(r"\d+([x×]\d+)+")
"""A word such as ``3x3``, as boxes tell kernels and shapes."""


class ModelSearch:
    """The nodes of a model, prepared once, so that a search of 50,000 takes a few hundredths of a second."""

    def __init__(self, index: ModelIndex) -> None:
        self._scopes = [_SearchedScope(scope) for scope in index.scopes()]

    def find(self, query: Query, marks_of: MarksOf | None = None) -> dict[ScopePath, tuple[int, ...]]:
        """Return the numbers of the nodes that fit, by their graph, in the order of graphs and nodes.

        Graphs in which none fits are left out. Without ``marks_of`` nobody knows who implements a node, so that no
        node is unresolved.
        """
        found: dict[ScopePath, tuple[int, ...]] = {}
        for scope in self._scopes:
            nodes: Sequence[int] = range(scope.node_count)
            for term in query.terms:
                fitting = scope.fitting(term, nodes, marks_of)
                nodes = [node for node in nodes if (node in fitting) is not term.is_negated]
            if nodes:
                found[scope.path] = tuple(nodes)
        return found


class _SearchedScope:
    def __init__(self, scope: Scope) -> None:
        self.path = scope.path
        self._scope = scope
        self._nodes = scope.content.nodes
        self._texts = [_BETWEEN.join(_texts(node)).casefold() for node in self._nodes]
        self._weights: Mapping[str, tuple[str, tuple[Dimension, ...]]] | None = None

    @property
    def node_count(self) -> int:
        return len(self._nodes)

    def fitting(self, term: Term, nodes: Iterable[int], marks_of: MarksOf | None) -> set[int]:
        """Return which of some nodes fit a word, not minding whether it is negated."""
        if term.key is Key.ANY:
            named = {node for node in nodes if self._has_text(term, node)}
            return named | self._with_sizes(term, nodes) if _SIZE_WORD.fullmatch(term.text) else named
        if term.key in (Key.UNRESOLVED, Key.BY):
            return set() if marks_of is None else set(_marked(term, nodes, marks_of(self.path)))
        tests: dict[Key, Callable[[NodeRecord], bool]] = {
            Key.NAME: lambda node: term.matches(node.name),
            Key.TYPE: lambda node: term.matches(node.type),
            Key.DOMAIN: lambda node: term.matches(node.domain or _STANDARD),
            Key.VALUE: lambda node: any(map(term.matches, _values(node))),
            Key.ATTRIBUTE: _attribute_test(term),
            Key.SHAPE: self._shape_test(term),
            Key.DTYPE: lambda node: any(term.matches(kind) for kind, _ in self._types(node)),
        }
        fits = tests[term.key]
        return {number for number in nodes if fits(self._nodes[number])}

    def _has_text(self, term: Term, number: int) -> bool:
        if term.text[:1] in ("/", '"'):
            return any(map(term.matches, _texts(self._nodes[number])))
        return term.matches(self._texts[number])

    def _with_sizes(self, term: Term, nodes: Iterable[int]) -> set[int]:
        """Return which nodes have an attribute, such as the size of a kernel, or a value of these sizes."""
        has_shape = self._shape_test(term)
        return {
            number
            for number in nodes
            if any(
                isinstance(item.value, tuple) and _is_value(item.value, term.text)
                for item in self._nodes[number].attributes
            )
            or has_shape(self._nodes[number])
        }

    def _shape_test(self, term: Term) -> Callable[[NodeRecord], bool]:
        wanted = [size.strip().casefold() for size in _SIZES.split(term.text.strip('"[]()'))]
        return lambda node: any(_is_shape(shape, wanted) for _, shape in self._types(node))

    def _types(self, node: NodeRecord) -> Iterator[tuple[str, Sequence[Dimension] | None]]:
        """Yield element type and shape of the tensors that a node reads and makes."""
        if self._weights is None:
            self._weights = _weights(self._scope)
        for name in _values(node):
            kind = self._scope.type_of(name)
            if isinstance(kind, TensorType):
                yield element_type_name(kind.element_type), kind.shape
            elif name in self._weights:
                yield self._weights[name]


def _texts(node: NodeRecord) -> Iterator[str]:
    yield node.name
    yield node.type
    yield node.domain
    yield from node.inputs
    yield from node.outputs


def _values(node: NodeRecord) -> Iterator[str]:
    yield from filter(None, node.inputs)
    yield from filter(None, node.outputs)


def _weights(scope: Scope) -> dict[str, tuple[str, tuple[Dimension, ...]]]:
    """Return element type and shape of the constants that are seen from a graph, inner ones before outer ones."""
    found: dict[str, tuple[str, tuple[Dimension, ...]]] = {}
    around: Scope | None = scope
    while around is not None:
        for tensor in around.content.initializers if isinstance(around.content, GraphRecord) else ():
            found.setdefault(tensor.name, (element_type_name(tensor.element_type), tensor.shape))
        around = around.parent
    return found


def _marked(term: Term, nodes: Iterable[int], marks: Marks) -> Iterator[int]:
    for node in nodes:
        mark = marks.get(node)
        if mark is None:
            continue
        is_wanted = mark.state is NodeState.UNRESOLVED if term.key is Key.UNRESOLVED else term.matches(mark.party)
        if is_wanted:
            yield node


def _is_shape(shape: Sequence[Dimension] | None, wanted: Sequence[str]) -> bool:
    if shape is None or len(shape) != len(wanted):
        return False
    told = ("?" if size is None else str(size).casefold() for size in shape)
    return all(size in (_ANY_SIZE, actual) for size, actual in zip(wanted, told, strict=True))


def _attribute_test(term: Term) -> Callable[[NodeRecord], bool]:
    if term.text[:1] in ("/", '"'):
        return lambda node: any(term.matches(item.name) for item in node.attributes)
    name, equals, value = (part.casefold() for part in term.text.partition("="))
    if not equals:
        return lambda node: any(name in item.name.casefold() for item in node.attributes)
    return lambda node: any(
        item.name.casefold() == name and _is_value(item.value, value.strip('"')) for item in node.attributes
    )


def _is_value(value: AttributeValue, wanted: str) -> bool:
    match value:
        case int() | float():
            return _number(wanted) == value or f"{value:.6g}" == wanted
        case str():
            return value.casefold() == wanted
        case tuple():
            items = [item for item in _LIST_SIGNS.split(wanted) if item]
            return len(items) == len(value) and all(map(_is_value, value, items))
    return False


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
