"""A node as it would be: where it stands, and who would implement it after a change."""

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


def _own_imports(target: FixTarget, item: ResolvedNode) -> Mapping[str, int] | None:
    """Return the imports of the function that a node stands in; ``None`` for graphs of the model."""
    owner = function_of(item)
    for function in target.model.functions if owner else ():
        if function.title == owner:
            return function.opsets
    return None


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
    imported: Mapping[str, int] | None = None,
) -> Resolution:
    """Return who would implement a node that is ``node``, or where the model imports some domains otherwise.

    ``imported`` are the versions of these domains. Functions that import one as the model does follow it, and import
    the domain of ``node`` where it is another one.

    Raises:
        CancelledError: the work was asked to end.
    """
    target.cancel.check()
    changed, current = imported or {}, target.model.opsets
    own = _own_imports(target, item)
    if own is not None and changed:
        own = {
            domain: changed.get(domain, version) if version == current.get(domain) else version
            for domain, version in own.items()
        }
    if own is not None and node is not None and node.domain != item.node.domain and node.domain not in own:
        newest = target.catalogue.tables.newest_opsets.get(node.domain, 1)
        own = {**own, node.domain: current.get(node.domain, newest)}
    return resolve_node(target.catalogue, node or item.node, {**current, **changed}, item.input_types, own)


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
