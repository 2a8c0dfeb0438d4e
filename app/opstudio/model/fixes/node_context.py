"""A node as it would be: which operator sets hold where it stands, and who would implement it after a change."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping

from opstudio.model.fixes.fix import FixTarget
from opstudio.model.graph.records import NodeRecord
from opstudio.model.resolution.records import Resolution, Resolved, ResolvedNode, Unresolved
from opstudio.model.resolution.triage import resolve_node

_FUNCTION = "function "


def function_of(item: ResolvedNode) -> str:
    """Return the function that a node stands in, with its domain; empty for graphs of the model."""
    return item.path[0].removeprefix(_FUNCTION) if item.path and item.path[0].startswith(_FUNCTION) else ""


def opsets_at(target: FixTarget, item: ResolvedNode) -> Mapping[str, int]:
    """Return the versions that hold where a node stands: imports of a function go before the model's."""
    owner = function_of(item)
    for function in target.model.functions if owner else ():
        if function.title == owner:
            return {**target.model.opsets, **function.opsets}
    return target.model.opsets


def is_call(target: FixTarget, node: NodeRecord) -> bool:
    """Whether a node calls a function of the file."""
    return any(
        (item.domain, item.name, item.overload) == (node.domain, node.type, node.overload)
        for item in target.model.functions
    )


def would_be(
    target: FixTarget,
    item: ResolvedNode,
    *,
    node: NodeRecord | None = None,
    opsets: Mapping[str, int] | None = None,
) -> Resolution:
    """Return who would implement a node that is ``node``, or under other operator sets.

    Raises:
        CancelledError: the work was asked to end.
    """
    target.cancel.check()
    return resolve_node(target.catalogue, node or item.node, opsets or opsets_at(target, item), item.input_types)


def all_would_resolve(target: FixTarget, items: Iterable[ResolvedNode], domain: str, operator: str) -> bool:
    """Whether somebody would implement all these nodes if they were of another operator."""
    return all(
        isinstance(would_be(target, item, node=dataclasses.replace(item.node, domain=domain, type=operator)), Resolved)
        for item in items
    )


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FaultGroup:
    """Nodes of one operator that have the same fault."""

    domain: str
    operator: str
    fault: Unresolved
    nodes: tuple[ResolvedNode, ...]


def fault_groups(target: FixTarget) -> Iterator[FaultGroup]:
    """Yield the unresolved nodes, those with one operator and one fault together.

    Raises:
        CancelledError: the work was asked to end.
    """
    found: dict[tuple[str, str, Unresolved], list[ResolvedNode]] = {}
    for item, fault in target.evidence.unresolved():
        found.setdefault((item.node.domain, item.node.type, fault), []).append(item)
    for (domain, operator, fault), nodes in found.items():
        target.cancel.check()
        yield FaultGroup(domain=domain, operator=operator, fault=fault, nodes=tuple(nodes))
