"""Adds the import of a domain that nodes use: to the model, and to functions, which need imports of their own.

## When it is offered
Domains that nodes use and the model does not import; of those that only functions use, the ones that nobody provides.
And domains, the standard one as well, that nodes of a function use and the function does not import.

## What it changes
The import is added to the model where it has none of the domain, and to each function whose nodes need it.

## What it never touches
Imports that are there, with whatever version; nodes; weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.base.finding import Finding
from opstudio.model.fixes.domain_uses import used_domains, used_in_functions, used_in_graphs, version_to_import
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused
from opstudio.model.fixes.import_edits import added_import
from opstudio.model.fixes.model_places import find_places
from opstudio.model.fixes.node_context import fault_groups
from opstudio.model.fixes.parameters import domain_text, split_domain_version
from opstudio.model.resolution.records import Step

_ID, _FORM = "add-import", "DOMAIN=VERSION"


def _offers(target: FixTarget) -> Iterator[Offer]:
    missing = sorted(_missing_in_model(target) | _missing_in_functions(target))
    solves = _solved(target) if missing else {}
    for domain in missing:
        # What a function lacks is best imported as the model does: its nodes run at that version.
        version = target.model.opsets.get(domain) or version_to_import(target, domain)
        yield Offer(
            id=f"{_ID}:{domain_text(domain)}={version}",
            title=f"Import the domain {domain_text(domain)}, version {version}",
            solves=tuple(solves.get(domain, ())),
            notes=_notes(target, domain),
        )


def _solved(target: FixTarget) -> dict[str, list[Finding]]:
    """Return the findings about imports that are missing, by domain."""
    found: dict[str, list[Finding]] = {}
    for group in fault_groups(target):
        if group.fault.step is Step.IMPORT:
            found.setdefault(group.domain, []).extend(target.findings_of(group.domain, group.operator, group.fault))
    return found


def _missing_in_model(target: FixTarget) -> set[str]:
    """Return what the model should import.

    A domain that only functions use, and import, is left to the runtime where somebody provides it. A file without a
    standard import says nothing of the version: it must be exported again, or told it by a person.
    """
    used = set(target.once(used_in_graphs))
    used |= {domain for domain in target.once(used_domains) if not target.catalogue.has_domain(domain)}
    return used - set(target.model.opsets) - {""}


def _missing_in_functions(target: FixTarget) -> set[str]:
    functions = zip(target.model.functions, target.once(used_in_functions), strict=True)
    missing = {domain for function, used in functions for domain in used if domain not in function.opsets}
    return missing if target.model.opsets.get("") else missing - {""}


def _notes(target: FixTarget, domain: str) -> tuple[str, ...]:
    if not target.catalogue.has_domain(domain):
        return (f"nobody who is loaded provides {domain}: the library that brings it is needed as well",)
    if domain in _missing_in_functions(target):
        return ()
    return ("ONNX Runtime runs the file without it; the checker of ONNX, quantisers and converters refuse it",)


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    domain, version = split_domain_version(_ID, parameters, _FORM)
    places = target.once(find_places)
    edits = [] if places.imports.of(domain) else [added_import(places.imports, domain, version)]
    for imports, used in zip(places.functions, target.once(used_in_functions), strict=True):
        if domain in used and not imports.of(domain):
            edits.append(added_import(imports, domain, version))
    if not edits:
        raise refused(
            f"The domain {domain_text(domain)} is imported already",
            cause=f"with version {places.imports.of(domain)[0].version}",
            fix=f"To change the version: change-import:{domain_text(domain)}={version}",
        )
    return edits


FIX = Fix(id=_ID, title="Import a domain that nodes use", form=_FORM, offers=_offers, edits=_edits)
