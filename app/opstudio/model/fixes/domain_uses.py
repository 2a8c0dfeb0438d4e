"""Which imports the nodes of a model need: those of the model, and those of each function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.model.fixes.fix import FixTarget
from opstudio.model.graph.records import GraphRecord, ModelRecord, NodeRecord


def used_domains(model: ModelRecord) -> set[str]:
    """Return the domains that the model's own imports are needed for.

    These are the domains of its nodes and of its functions, and those of nodes in functions which do not import them
    themselves.
    """
    found = {node.domain for node in nodes_within(model.graph.nodes)}
    for function in model.functions:
        found.add(function.domain)
        found |= {node.domain for node in nodes_within(function.nodes)} - set(function.opsets)
    return found


def used_in_functions(model: ModelRecord) -> Iterator[set[str]]:
    """Yield, for each function in their order, the domains of its nodes."""
    for function in model.functions:
        yield {node.domain for node in nodes_within(function.nodes)}


def nodes_within(nodes: Iterable[NodeRecord]) -> Iterator[NodeRecord]:
    """Yield nodes and those of the graphs nested in them."""
    pending: list[NodeRecord | GraphRecord] = [*nodes]
    while pending:
        current = pending.pop()
        if isinstance(current, GraphRecord):
            pending.extend(current.nodes)
            continue
        yield current
        pending.extend(graph for _, graph in current.subgraphs)


def version_to_import(target: FixTarget, domain: str) -> int:
    """Return the version under which a domain is best imported.

    It is the contract's where the workspace has one, the newest that the runtime knows of its own domains, else 1.
    """
    if stated := target.contract_versions(domain):
        return max(stated)
    return target.catalogue.tables.newest_opsets.get(domain, 1)
