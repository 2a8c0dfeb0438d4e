"""Two graphs with all that is nested in them: nodes by their partners, weights by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opstudio.model.comparison.attribute_comparison import attribute_changes
from opstudio.model.comparison.node_matching import Matching, match_nodes
from opstudio.model.comparison.records import Change, GraphDifferences, NodeChange, NodeEntry
from opstudio.model.comparison.weight_comparison import Weights
from opstudio.model.graph.records import GraphRecord, ModelRecord, NodeRecord
from opstudio.model.graph.value_index import Scope


class GraphComparison:
    """Compares graphs of two models and gathers what differs."""

    def __init__(
        self, first: ModelRecord, second: ModelRecord, *, all_values: bool, checkpoint: Callable[[], None]
    ) -> None:
        self._models = (first, second)
        self._weights = Weights(first, second, all_values=all_values)
        self._checkpoint = checkpoint
        self._matching = Matching()
        self.found = GraphDifferences()

    def compare(self, first: Scope, second: Scope) -> None:
        """Compare two graphs or functions, and the graphs nested in nodes that both have."""
        pending = [(first, second)]
        while pending:
            ours, theirs = pending.pop()
            self._checkpoint()
            self._compare_weights(ours, theirs)
            match_nodes(ours, theirs, self._matching)
            self._compare_nodes(ours, theirs)
            self.found.outputs.extend(self._output_changes(ours, theirs))
            pending.extend(_nested(ours, theirs, self._matching))

    def _compare_weights(self, first: Scope, second: Scope) -> None:
        if isinstance(first.content, GraphRecord) and isinstance(second.content, GraphRecord):
            path = "".join(f"{part}/" for part in first.path)
            renamed = self._weights.renamed(first.content, second.content)
            self._matching.renamed_weights.update(renamed)
            self.found.renamed_weights.extend(
                Change(name=f"{path}{old}", before=old, after=new) for old, new in renamed.items()
            )
            self.found.weights.extend(self._weights.changes(first.content, second.content, path, renamed))

    def _output_changes(self, first: Scope, second: Scope) -> Iterator[Change]:
        """Yield the outputs that are made by something else: of the model by name, of nested graphs by number."""
        pairs = list(zip(first.outputs, second.outputs, strict=False))
        if not first.path:
            pairs = [(name, name) for name in first.outputs if name in second.outputs]
        path = "".join(f"{part}/" for part in first.path)
        for before, after in pairs:
            if self._differ(first, second, before, after):
                yield Change(name=f"{path}{before}", before=_maker(first, before), after=_maker(second, after))
        if first.path and len(first.outputs) != len(second.outputs):
            yield Change(name=f"{path}outputs", before=str(len(first.outputs)), after=str(len(second.outputs)))

    def _differ(self, first: Scope, second: Scope, before: str, after: str) -> bool:
        return self._matching.reading_of_first(first, before) != self._matching.reading_of_second(second, after)

    def _compare_nodes(self, first: Scope, second: Scope) -> None:
        found, matching = self.found, self._matching
        for position, node in enumerate(first.content.nodes):
            if position % 1000 == 0:
                self._checkpoint()
            other = matching.partners.get(node.offset)
            if other is None:
                found.removed.append(_entry(first, node, position))
                continue
            found.matched += 1
            changes = tuple(self._changes(first, second, node, other))
            entry = _entry(first, node, position)
            if changes:
                found.changed.append(
                    NodeChange(path=entry.path, name=entry.name, operator=entry.operator, changes=changes)
                )
            elif node.name != other.name:
                found.renamed.append(Change(name=entry.operator, before=node.name, after=other.name))
        found.added.extend(
            _entry(second, node, position)
            for position, node in enumerate(second.content.nodes)
            if node.offset not in matching.back
        )

    def _changes(self, first: Scope, second: Scope, node: NodeRecord, other: NodeRecord) -> Iterator[Change]:
        for name, before, after in (
            ("domain", node.domain, other.domain),
            ("type", node.type, other.type),
            ("overload", node.overload, other.overload),
            ("outputs", str(len(node.outputs)), str(len(other.outputs))),
        ):
            if before != after:
                yield Change(name=name, before=before, after=after)
        yield from self._input_changes(first, second, node, other)
        yield from attribute_changes(self._models, (node, other), self._weights)

    def _input_changes(self, first: Scope, second: Scope, node: NodeRecord, other: NodeRecord) -> Iterator[Change]:
        """Yield the inputs that read something else; how a value is called does not count, where it is made does."""
        for slot in range(max(len(node.inputs), len(other.inputs))):
            before = node.inputs[slot] if slot < len(node.inputs) else ""
            after = other.inputs[slot] if slot < len(other.inputs) else ""
            if (before or after) and self._differ(first, second, before, after):
                if before == after:
                    # The same name for values that different nodes make: these are what tells them apart.
                    before, after = _maker(first, before), _maker(second, after)
                yield Change(name=f"input {slot}", before=before, after=after)


def _maker(scope: Scope, name: str) -> str:
    source = scope.source(name)
    if source is None:
        return "nothing"
    if source.node is None:
        return f"the {source.kind.value} {name}"
    return f"output {source.slot} of {source.node.type} {source.node.name}".rstrip()


def _nested(first: Scope, second: Scope, matching: Matching) -> Iterator[tuple[Scope, Scope]]:
    """Yield the pairs of graphs nested in one attribute of a node that both have."""
    theirs = {
        (child.owner.offset, child.path[-1], number): child
        for child, number in _numbered(second.children)
        if child.owner is not None
    }
    for child, number in _numbered(first.children):
        partner = matching.partners.get(child.owner.offset) if child.owner is not None else None
        other = None if partner is None else theirs.get((partner.offset, child.path[-1], number))
        if other is not None:
            yield child, other


def _numbered(scopes: list[Scope]) -> Iterator[tuple[Scope, int]]:
    """Yield nested graphs with their number within one attribute, which can hold several."""
    counts: dict[tuple[int, str], int] = {}
    for scope in scopes:
        key = (scope.owner.offset if scope.owner is not None else -1, scope.path[-1])
        counts[key] = counts.get(key, -1) + 1
        yield scope, counts[key]


def _entry(scope: Scope, node: NodeRecord, position: int) -> NodeEntry:
    operator = f"{node.domain}:{node.type}" if node.domain else node.type
    return NodeEntry(path=scope.path, name=node.name or f"{node.type} #{position}", operator=operator)
