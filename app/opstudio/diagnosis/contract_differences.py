"""What rules share that hold nodes against the contracts of a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opstudio.base.finding import Finding, Place, Severity
from opstudio.diagnosis.models import ModelContext, count_nodes
from opstudio.diagnosis.rule import Rule
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import ContractDifference, DifferenceKind, Resolved, ResolvedNode

_MOST_PLACES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractGroup:
    """Nodes of one operator that differ from its contract in one way."""

    nodes: tuple[ResolvedNode, ...]
    difference: ContractDifference

    @property
    def operator(self) -> str:
        """The operator with its domain."""
        node = self.nodes[0].node
        return f"{node.domain}:{node.type}"

    def finding(self, rule: Rule, context: ModelContext, *, title: str, fix: str) -> Finding:
        """Return what a rule says of them; where a session takes the nodes all the same, it is a warning."""
        taken = all(isinstance(item.resolution, Resolved) for item in self.nodes)
        places = [context.place(item) for item in self.nodes[:_MOST_PLACES]]
        return rule.finding(
            context,
            title=title,
            cause=f"{count_nodes(self.nodes)}: {self.difference.reason}",
            fix=fix,
            places=[*places, Place(file=self.difference.path)],
            evidence={"contract": self.difference.contract, "nodes": len(self.nodes)},
            severity=Severity.WARNING if taken else Severity.ERROR,
        )


def contract_groups(evidence: GraphEvidence, kind: DifferenceKind) -> Iterator[ContractGroup]:
    """Yield the nodes that differ from contracts, those with one difference together."""
    found: dict[tuple[str, str, ContractDifference], list[ResolvedNode]] = {}
    for item, difference in evidence.differences:
        if difference.kind is kind:
            found.setdefault((item.node.domain, item.node.type, difference), []).append(item)
    for (_, _, difference), nodes in found.items():
        yield ContractGroup(nodes=tuple(nodes), difference=difference)


def how_to_build(evidence: GraphEvidence, domain: str, operator: str) -> str:
    """Return how the workspace makes a library with an operator; empty where it has no contract of it."""
    known = evidence.catalogue.contract(domain, operator)
    if known is None:
        return ""
    if known.release:
        return f"Register the release of {known.name} before the session: --library {known.release}"
    return f"Build it with opstudio build --release {known.name}, then register {known.expected} before the session"
