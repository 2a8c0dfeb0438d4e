"""Which nodes of two graphs are the same: by name, by what they make, then by what stands around them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from opstudio.model.graph.records import NodeRecord
from opstudio.model.graph.value_index import Scope, SourceKind

_ROUNDS = 4
"""Passes over the nodes that found no partner yet, forwards and backwards; each pass follows whole chains."""
_MOST_CANDIDATES = 64
"""Nodes of one operator that are looked at for one partner."""
_Key = Callable[[NodeRecord], Hashable]


@dataclass(slots=True, kw_only=True)
class Matching:
    """Pairs of nodes by where the first stands in its file, and back; weights of the first that the second renamed."""

    partners: dict[int, NodeRecord] = field(default_factory=dict)
    back: dict[int, NodeRecord] = field(default_factory=dict)
    renamed_weights: dict[str, str] = field(default_factory=dict)

    def add(self, first: NodeRecord, second: NodeRecord) -> None:
        """Note that two nodes are the same one."""
        self.partners[first.offset] = second
        self.back[second.offset] = first

    def reading_of_first(self, scope: Scope, name: str) -> Hashable:
        """Return what a value of the first model is in terms of the second; ``None`` where no node there makes it."""
        node, reading = _reading(scope, name)
        if node is None:
            return ("weight", self.renamed_weights.get(name, name)) if reading == ("weight", name) else reading
        partner = self.partners.get(node.offset)
        return None if partner is None else (partner.offset, reading)

    @staticmethod
    def reading_of_second(scope: Scope, name: str) -> Hashable:
        """Return what a value of the second model is."""
        node, reading = _reading(scope, name)
        return reading if node is None else (node.offset, reading)


def _reading(scope: Scope, name: str) -> tuple[NodeRecord | None, Hashable]:
    """Return the node that makes a value with its slot, else what the value is.

    Inputs of the model and weights are known by their names, inputs of nested graphs and of functions by their number.
    """
    defining = scope.defining(name)
    if defining is None:
        return None, ("unknown", name)
    source = defining.sources[name]
    if source.node is not None:
        return source.node, source.slot
    if source.kind is SourceKind.INITIALIZER:
        return None, ("weight", name)
    if not defining.path:
        return None, ("input", name)
    names = [item if isinstance(item, str) else item.name for item in defining.content.inputs]
    return None, ("input", len(defining.path), names.index(name))


def match_nodes(first: Scope, second: Scope, matching: Matching) -> None:
    """Match the nodes of two graphs; each has one partner at most. Nodes around them were matched before.

    A name counts only together with the operator: exporters number their names, and one node more shifts them all.
    """
    ours, theirs = list(first.content.nodes), list(second.content.nodes)
    _match_unique(matching, ours, theirs, lambda node: (node.name, node.domain, node.type) if node.name else None)
    _match_unique(matching, ours, theirs, lambda node: (node.outputs, node.domain, node.type))
    _match_in_order(matching, ours, theirs)
    for _ in range(_ROUNDS):
        before = len(matching.partners)
        _match_forwards(matching, first, second)
        _match_backwards(matching, first, second)
        if len(matching.partners) == before:
            break
    # What is left may have changed its operator and kept its name.
    _match_unique(matching, ours, theirs, lambda node: node.name or None)


def _match_unique(matching: Matching, ours: Iterable[NodeRecord], theirs: Iterable[NodeRecord], key: _Key) -> None:
    """Match nodes without partner whose key is one of a kind on both sides."""
    left = _unique((node for node in ours if node.offset not in matching.partners), key)
    right = _unique((node for node in theirs if node.offset not in matching.back), key)
    for value, node in left.items():
        if (other := right.get(value)) is not None:
            matching.add(node, other)


def _match_in_order(matching: Matching, ours: Iterable[NodeRecord], theirs: Iterable[NodeRecord]) -> None:
    """Match nodes that are written alike, names and all, in their order: files exist with many of one name."""
    waiting: dict[Hashable, deque[NodeRecord]] = {}
    for node in theirs:
        if node.offset not in matching.back:
            waiting.setdefault(_as_written(node), deque()).append(node)
    for node in ours:
        if node.offset not in matching.partners and (others := waiting.get(_as_written(node))):
            matching.add(node, others.popleft())


def _as_written(node: NodeRecord) -> Hashable:
    return node.name, node.domain, node.type, node.inputs, node.outputs


def _unique(nodes: Iterable[NodeRecord], key: _Key) -> dict[Hashable, NodeRecord]:
    found: dict[Hashable, NodeRecord] = {}
    counts: Counter[Hashable] = Counter()
    for node in nodes:
        if (value := key(node)) is not None:
            counts[value] += 1
            found[value] = node
    return {value: node for value, node in found.items() if counts[value] == 1}


def _match_forwards(matching: Matching, first: Scope, second: Scope) -> None:
    """Match nodes of one operator that read the same; those with the same readings pair up in their order."""
    waiting: dict[Hashable, list[NodeRecord]] = {}
    for node in second.content.nodes:
        if node.offset not in matching.back:
            waiting.setdefault((node.domain, node.type, len(node.inputs)), []).append(node)
    for node in first.content.nodes:
        if node.offset in matching.partners:
            continue
        candidates = waiting.get((node.domain, node.type, len(node.inputs)), [])
        found = _same_readings(matching, first, second, node, candidates)
        if found is not None:
            matching.add(node, candidates.pop(found))


def _same_readings(
    matching: Matching, first: Scope, second: Scope, node: NodeRecord, candidates: Sequence[NodeRecord]
) -> int | None:
    wanted = [matching.reading_of_first(first, name) for name in node.inputs]
    if not candidates or None in wanted:
        return None
    for position, other in enumerate(candidates[:_MOST_CANDIDATES]):
        if [matching.reading_of_second(second, name) for name in other.inputs] == wanted:
            return position
    return None


def _match_backwards(matching: Matching, first: Scope, second: Scope) -> None:
    """Match nodes that feed the same input of matched nodes, the last ones first."""
    for node in reversed(first.content.nodes):
        other = matching.partners.get(node.offset)
        if other is None:
            continue
        for ours, theirs in zip(node.inputs, other.inputs, strict=False):
            left, right = first.sources.get(ours), second.sources.get(theirs)
            if left is None or right is None or left.node is None or right.node is None or left.slot != right.slot:
                continue
            is_free = left.node.offset not in matching.partners and right.node.offset not in matching.back
            if is_free and (left.node.domain, left.node.type) == (right.node.domain, right.node.type):
                matching.add(left.node, right.node)
