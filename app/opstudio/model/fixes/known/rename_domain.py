"""Renames a domain in nodes and imports: one letter or one capital is enough for a runtime to know nothing of it.

## When it is offered
A domain that nobody provides, where one comes near that has the operators.

## What it changes
The domain of its nodes and of the imports, in functions as well; an import that is there already is not written twice.

## What it never touches
Calls of functions of the file, and imports that these need; names and attributes of nodes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from opstudio.base.finding import Finding
from opstudio.model.fixes.domain_uses import version_to_import
from opstudio.model.fixes.field_spans import FieldReader
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused, wrong_parameters
from opstudio.model.fixes.import_edits import added_import, changed_import, dropped_import
from opstudio.model.fixes.model_places import ImportList, find_places, open_fields
from opstudio.model.fixes.node_context import FaultGroup, fault_groups, function_of, is_call, would_be
from opstudio.model.fixes.node_edits import renamed_operator
from opstudio.model.fixes.parameters import domain_text, split_pair
from opstudio.model.graph.read_graphs import normalised_domain
from opstudio.model.resolution.records import Resolved, ResolvedNode, Step

_ID, _FORM = "rename-domain", "OLD=NEW"


def _offers(target: FixTarget) -> Iterator[Offer]:
    groups: dict[str, list[FaultGroup]] = {}
    for group in fault_groups(target):
        if group.domain and group.fault.step in (Step.IMPORT, Step.DOMAIN):
            groups.setdefault(group.domain, []).append(group)
    for domain, found in groups.items():
        candidates = dict.fromkeys(name for group in found for name in group.fault.candidates if name != domain)
        for name in candidates:
            solved = tuple(_solved(target, found, name))
            if solved:
                yield Offer(
                    id=f"{_ID}:{domain}={domain_text(name)}",
                    title=f"Call the domain {domain} {domain_text(name)}, in nodes and imports",
                    solves=solved,
                )


def _solved(target: FixTarget, groups: Iterable[FaultGroup], name: str) -> Iterator[Finding]:
    """Yield the findings that are gone when nodes are of the domain ``name``."""
    for group in groups:
        moved = (dataclasses.replace(item.node, domain=name) for item in group.nodes)
        if all(
            isinstance(would_be(target, item, node=node), Resolved)
            for item, node in zip(group.nodes, moved, strict=True)
        ):
            yield from target.findings_of(group.domain, group.operator, group.fault)


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    first, second = split_pair(_ID, parameters, _FORM)
    old, new = normalised_domain(first), normalised_domain(second)
    if old == new:
        raise wrong_parameters(_ID, parameters, f"two different domains, {_FORM}")
    items = [item for item in target.evidence.nodes if item.node.domain == old and not is_call(target, item.node)]
    places = find_places(target.model)
    if not items and not any(imports.of(old) for imports in places.lists()):
        raise refused(
            f"The domain {domain_text(old)} is not in the model",
            cause="no node and no import has it",
            fix=f"The model has {', '.join(sorted(map(domain_text, target.model.opsets)))}",
        )
    edits: list[Edit] = []
    with open_fields(target.model) as reader:
        edits.extend(renamed_operator(reader, item, new, item.node.type) for item in items)
        for imports in places.lists():
            edits.extend(_renamed_imports(target, reader, imports, old, new, items))
    return edits


def _renamed_imports(
    target: FixTarget, reader: FieldReader, imports: ImportList, old: str, new: str, items: list[ResolvedNode]
) -> Iterator[Edit]:
    """Yield what becomes of the imports of the model or of one function."""
    is_needed = any(function_of(item) == imports.owner for item in items)
    is_kept = old in {function.domain for function in target.model.functions}
    former = [item.version for item in imports.of(old)]
    version = former[-1] if former else version_to_import(target, new)
    limit = target.catalogue.tables.newest_opsets.get(new, version)
    for position, item in enumerate(imports.of(old)):
        if is_kept:
            continue
        if imports.of(new) or position:
            yield dropped_import(imports, item)
        else:
            yield changed_import(reader, imports, item, new, min(version, limit))
    if is_needed and not imports.of(new) and (is_kept or not imports.of(old)):
        yield added_import(imports, new, min(version, limit))


FIX = Fix(id=_ID, title="Rename a domain in nodes and imports", form=_FORM, offers=_offers, edits=_edits)
