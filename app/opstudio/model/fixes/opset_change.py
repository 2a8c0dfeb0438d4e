"""Whether a model means the same at another version of an operator set: what its operators' definitions say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opstudio.model.fixes.fix import Edit, FixTarget, refused
from opstudio.model.fixes.import_edits import changed_import
from opstudio.model.fixes.model_places import find_places, open_fields
from opstudio.model.fixes.node_context import is_call, would_be
from opstudio.model.fixes.parameters import domain_text, operator_text
from opstudio.model.resolution.records import Resolved, ResolvedNode, Unresolved


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedOperator:
    """An operator that another version of its set does not have, or has otherwise."""

    item: ResolvedNode
    reason: str


def changed_operators(target: FixTarget, domain: str, version: int) -> Iterator[ChangedOperator]:
    """Yield the operators that speak against a version.

    An operator that nobody implements now is asked whether somebody would; of all others, the definition in force must
    be the same one. Operators of libraries have no versions that matter.
    """
    yield from _changed(target, _distinct(target, domain), version)


def _changed(target: FixTarget, items: Iterable[ResolvedNode], version: int) -> Iterator[ChangedOperator]:
    for item in items:
        target.cancel.check()
        if reason := _reason(target, item, version):
            yield ChangedOperator(item=item, reason=f"{operator_text(item.node.domain, item.node.type)} {reason}")


def _distinct(target: FixTarget, domain: str) -> list[ResolvedNode]:
    """Return one node for each operator of a domain, and for each fault of one."""
    found: dict[tuple[str, Unresolved | None], ResolvedNode] = {}
    for item in target.evidence.nodes:
        if item.node.domain == domain:
            fault = item.resolution if isinstance(item.resolution, Unresolved) else None
            found.setdefault((item.node.type, fault), item)
    return [item for item in found.values() if not is_call(target, item.node)]


def _reason(target: FixTarget, item: ResolvedNode, version: int) -> str:
    node, catalogue, opsets = item.node, target.catalogue, target.model.opsets
    if catalogue.provided(node.domain, node.type):
        return ""
    now = catalogue.schema(node.domain, node.type, opsets.get(node.domain, version))
    then = catalogue.schema(node.domain, node.type, version)
    if isinstance(item.resolution, Unresolved):
        would = would_be(target, item, imported={node.domain: version})
        return f"would not be implemented either: {would.reason}" if isinstance(would, Unresolved) else ""
    if then is None:
        since = catalogue.versions_of(node.domain, node.type)
        return f"exists since version {since[0]} only" if since else "is not known at any version"
    if now is not None and now.since_version != then.since_version:
        return f"changed at version {max(now.since_version, then.since_version)}"
    return ""


def solving_version(target: FixTarget, item: ResolvedNode) -> int | None:
    """Return the version of an operator set, as near as can be, at which a node resolves and all others mean the same.

    ``None`` where there is none.
    """
    domain = item.node.domain
    current, newest = target.model.opsets.get(domain), target.catalogue.tables.newest_opsets.get(domain)
    if current is None or newest is None:
        return None
    distinct = _distinct(target, domain)
    # Operators that nobody implements cannot get worse.
    others = [other for other in distinct if isinstance(other.resolution, Resolved)]
    same = [other for other in distinct if other.node.type == item.node.type and other not in others]
    for version in sorted(range(1, newest + 1), key=lambda number: (abs(number - current), -number)):
        would = would_be(target, item, imported={domain: version})
        if isinstance(would, Resolved) and not any(_changed(target, [*others, *same], version)):
            return version
    return None


def import_edits(target: FixTarget, domain: str, version: int) -> list[Edit]:
    """Return the edits that import another version of a domain, in functions with the model's version as well.

    Raises:
        InputError: the domain is not imported, has that version, or an operator means something else there.
    """
    places = target.once(find_places)
    current = target.model.opsets.get(domain)
    if current is None:
        raise refused(
            f"The domain {domain_text(domain)} is not imported",
            cause="there is no version to change",
            fix=f"Add it: add-import:{domain_text(domain)}={version}",
        )
    if current == version:
        raise refused(
            f"{domain_text(domain)} has version {version} already",
            cause="nothing is to be changed",
            fix="Take another version",
        )
    against = [item for item in changed_operators(target, domain, version) if _counts(item)]
    if against and domain in target.catalogue.runtime_domains:
        more = f"; so do {len(against) - 1} more operators" if len(against) > 1 else ""
        raise refused(
            f"The model would mean something else at {domain_text(domain)} {version}",
            cause=f"{against[0].reason}{more}",
            fix="Export the model again with that version, or convert it: onnx.version_converter",
        )
    with open_fields(target.model) as reader:
        return [
            changed_import(reader, imports, item, domain, version)
            for imports in places.lists()
            for item in imports.of(domain)
            if item.version == current
        ]


def _counts(changed: ChangedOperator) -> bool:
    """Whether an operator speaks against a version: one that nobody implements now cannot get worse."""
    return isinstance(changed.item.resolution, Resolved)


def unknown_note(target: FixTarget, domain: str) -> tuple[str, ...]:
    """Return what to know where the present version is newer than anything that is known here."""
    current, newest = target.model.opsets.get(domain, 0), target.catalogue.tables.newest_opsets.get(domain)
    if newest is None or current <= newest:
        return ()
    return (f"what changed between {domain_text(domain)} {newest} and {current} is not known here",)
