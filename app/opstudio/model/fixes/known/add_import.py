"""Adds the import of a domain that nodes use and the file does not import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.model.fixes.domain_uses import used_domains, used_in_functions, version_to_import
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused
from opstudio.model.fixes.import_edits import added_import
from opstudio.model.fixes.model_places import find_places
from opstudio.model.fixes.node_context import fault_groups
from opstudio.model.fixes.parameters import domain_text, split_domain_version
from opstudio.model.resolution.records import Step

_ID, _FORM = "add-import", "DOMAIN=VERSION"


def _offers(target: FixTarget) -> Iterator[Offer]:
    for domain in sorted(_missing(target)):
        version = version_to_import(target, domain)
        yield Offer(
            id=f"{_ID}:{domain_text(domain)}={version}",
            title=f"Import the domain {domain_text(domain)}, version {version}",
            solves=tuple(
                finding
                for group in fault_groups(target)
                if group.domain == domain and group.fault.step is Step.IMPORT
                for finding in target.findings_of(domain, group.operator, group.fault)
            ),
            notes=_notes(target, domain),
        )


def _missing(target: FixTarget) -> set[str]:
    # A file without a standard import says nothing of the version: it must be exported again, or told it by a person.
    missing = (used_domains(target.model) - set(target.model.opsets)) - {""}
    for function, used in zip(target.model.functions, used_in_functions(target.model), strict=True):
        missing |= {domain for domain in used - set(function.opsets) if domain and domain not in target.model.opsets}
    return missing


def _notes(target: FixTarget, domain: str) -> tuple[str, ...]:
    if target.catalogue.has_domain(domain):
        return ("ONNX Runtime runs the file without it; the checker of ONNX, quantisers and converters refuse it",)
    return (f"nobody who is loaded provides {domain}: the library that brings it is needed as well",)


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    domain, version = split_domain_version(_ID, parameters, _FORM)
    places = find_places(target.model)
    edits = [] if places.imports.of(domain) else [added_import(places.imports, domain, version)]
    for imports, used in zip(places.functions, used_in_functions(target.model), strict=True):
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
