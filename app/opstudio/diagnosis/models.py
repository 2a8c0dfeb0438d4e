"""What rules about model files share: nodes with one fault between them, told once, with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from opstudio.base.finding import Finding, Json, Place
from opstudio.diagnosis.rule import Context, Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import ResolvedNode, Step, Unresolved

_MOST_PLACES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelContext(Context):
    """The model file that the evidence is about. ``file`` is its path as people know it."""

    file: str

    def place(self, item: ResolvedNode, *, tensor: str = "") -> Place:
        """Return where a node stands, and one of its values where it is about that."""
        return Place(file=self.file, node=node_title(item), tensor=tensor or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeGroup:
    """Nodes of one operator that have the same fault."""

    nodes: tuple[ResolvedNode, ...]
    fault: Unresolved

    @property
    def domain(self) -> str:
        """The domain of the operator."""
        return self.nodes[0].node.domain

    @property
    def type(self) -> str:
        """The name of the operator."""
        return self.nodes[0].node.type

    @property
    def operator(self) -> str:
        """The operator with its domain."""
        return f"{self.domain}:{self.type}" if self.domain else self.type

    def finding(self, rule: Rule, context: ModelContext, *, cause: str, fix: str, title: str = "") -> Finding:
        """Return what a rule says of them, at the first ones of many."""
        places = [context.place(item, tensor=self._tensor(item)) for item in self.nodes[:_MOST_PLACES]]
        return rule.finding(context, title=title, cause=cause, fix=fix, places=places, evidence=self._evidence())

    def _tensor(self, item: ResolvedNode) -> str:
        """Return the value that it is about: of shapes, the one that gets none."""
        return next(iter(item.node.outputs), "") if self.fault.step is Step.SHAPES else self.fault.tensor

    def _evidence(self) -> dict[str, Json]:
        return {
            "domain": self.domain,
            "type": self.type,
            "step": self.fault.step.value,
            "reason": self.fault.reason,
            "nodes": len(self.nodes),
            "candidates": list(self.fault.candidates),
        }


def node_title(item: ResolvedNode) -> str:
    """Return the name of a node, or its number where it has none, and what it stands in."""
    name = item.node.name or f"{item.node.type} #{item.index}"
    return f"{'/'.join(item.path)}/{name}" if item.path else name


def groups(evidence: GraphEvidence, concerns: Callable[[ResolvedNode, Unresolved], bool]) -> Iterator[NodeGroup]:
    """Yield the unresolved nodes that a rule is about, those with the same operator and fault together."""
    found: dict[tuple[str, str, Unresolved], list[ResolvedNode]] = {}
    for item, fault in evidence.unresolved():
        if concerns(item, fault):
            found.setdefault((item.node.domain, item.node.type, fault), []).append(item)
    for (_, _, fault), nodes in found.items():
        yield NodeGroup(nodes=tuple(nodes), fault=fault)


def count_nodes(nodes: Iterable[ResolvedNode]) -> str:
    """Return how many nodes there are, in words."""
    count = len(tuple(nodes))
    return f"{count} node{'' if count == 1 else 's'}"
