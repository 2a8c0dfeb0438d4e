"""The difference of two models as plain data. ``before`` is the first model, ``after`` the one it is held against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from opstudio.base.finding import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something of one name that is not the same in both; empty texts: it is not there."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeEntry:
    """A node that only one model has. ``path`` leads to the graph it stands in; empty for the main graph."""

    path: tuple[str, ...]
    name: str
    operator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeChange:
    """A node that both models have, and what of it differs; ``name`` is that in the first model."""

    path: tuple[str, ...]
    name: str
    operator: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDifference:
    """All differences, in groups. ``head`` are versions and texts of the file as a whole.

    ``renamed_nodes`` and ``renamed_weights`` are those whose name is all that differs. ``weights_compared`` says
    whether the values of large weights were compared as well; those of small ones always are. ``matched`` counts the
    nodes that both models have.
    """

    head: tuple[Change, ...] = ()
    imports: tuple[Change, ...] = ()
    metadata: tuple[Change, ...] = ()
    inputs: tuple[Change, ...] = ()
    outputs: tuple[Change, ...] = ()
    functions: tuple[Change, ...] = ()
    weights: tuple[Change, ...] = ()
    added_nodes: tuple[NodeEntry, ...] = ()
    removed_nodes: tuple[NodeEntry, ...] = ()
    changed_nodes: tuple[NodeChange, ...] = ()
    renamed_nodes: tuple[Change, ...] = ()
    renamed_weights: tuple[Change, ...] = ()
    weights_compared: bool = False
    matched: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not any(content for _, content in self.groups())

    def groups(self) -> Iterator[tuple[str, tuple[Change, ...] | tuple[NodeEntry, ...] | tuple[NodeChange, ...]]]:
        """Yield each group with its name."""
        yield "head", self.head
        yield "imports", self.imports
        yield "metadata", self.metadata
        yield "inputs", self.inputs
        yield "outputs", self.outputs
        yield "functions", self.functions
        yield "weights", self.weights
        yield "added_nodes", self.added_nodes
        yield "removed_nodes", self.removed_nodes
        yield "changed_nodes", self.changed_nodes
        yield "renamed_nodes", self.renamed_nodes
        yield "renamed_weights", self.renamed_weights


@dataclass(slots=True, kw_only=True)
class GraphDifferences:
    """What is gathered while graphs are compared, one nested in another."""

    outputs: list[Change] = field(default_factory=list)
    weights: list[Change] = field(default_factory=list)
    added: list[NodeEntry] = field(default_factory=list)
    removed: list[NodeEntry] = field(default_factory=list)
    changed: list[NodeChange] = field(default_factory=list)
    renamed: list[Change] = field(default_factory=list)
    renamed_weights: list[Change] = field(default_factory=list)
    matched: int = 0


def difference_document(difference: ModelDifference, *, most: int) -> dict[str, Json]:
    """Return a difference as JSON values, ``most`` entries of each group; ``left_out`` counts the others by group."""
    from opstudio.base.codec import to_json

    groups: dict[str, Json] = {}
    counts: dict[str, Json] = {}
    left_out: dict[str, Json] = {}
    for name, entries in difference.groups():
        groups[name] = [to_json(entry) for entry in entries[:most]]
        counts[name] = len(entries)
        if len(entries) > most:
            left_out[name] = len(entries) - most
    return {
        "same": difference.is_empty,
        "matched_nodes": difference.matched,
        "weights_compared": difference.weights_compared,
        "counts": counts,
        "left_out": left_out,
        **groups,
    }
