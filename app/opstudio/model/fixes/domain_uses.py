"""Which imports the nodes of a model need: those of the model, and those of each function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opstudio.model.fixes.fix import FixTarget
from opstudio.model.graph.records import GraphRecord, ModelRecord, NodeRecord


def used_domains(model: ModelRecord) -> frozenset[str]:
    """Return the domains that the model's own imports count for.

    These are the domains of its nodes and of its functions, and of the nodes in functions: ONNX Runtime runs these at
    the versions that the model imports, whatever the functions import.
    """
    return used_in_graphs(model).union(*used_in_functions(model))


def used_in_graphs(model: ModelRecord) -> frozenset[str]:
    """Return the domains of a model's nodes outside of functions, and of its functions."""
    found = {node.domain for node in nodes_within(model.graph.nodes)}
    return frozenset(found | {function.domain for function in model.functions})


def used_in_functions(model: ModelRecord) -> Sequence[frozenset[str]]:
    """Return, for each function in their order, the domains of its nodes."""
    return [frozenset(node.domain for node in nodes_within(function.nodes)) for function in model.functions]


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
