"""Drops the import of a domain that no node uses; a runtime can refuse a file for such an import alone.

## When it is offered
An import of the model that no node uses, neither in graphs nor in functions.

## What it changes
The import is dropped, in functions that do not use the domain as well.

## What it never touches
The standard import, where it is not named; the only import of a file; imports that nodes use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.base.finding import Finding
from opstudio.model.fixes.domain_uses import used_domains, used_in_functions
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused, wrong_parameters
from opstudio.model.fixes.import_edits import dropped_import
from opstudio.model.fixes.model_places import find_places
from opstudio.model.fixes.parameters import domain_text
from opstudio.model.graph.read_graphs import normalised_domain
from opstudio.model.resolution.file_checks import FileProblemKind

_ID, _FORM = "remove-import", "DOMAIN"


def _offers(target: FixTarget) -> Iterator[Offer]:
    # Every file needs one import at least, and readers expect the standard one.
    unused = set(target.model.opsets) - target.once(used_domains) - {""}
    for domain in sorted(unused):
        if len(target.model.opsets) > 1:
            yield Offer(
                id=f"{_ID}:{domain}",
                title=f"Drop the import of {domain}, which no node uses",
                solves=_solved(target, domain),
            )


def _solved(target: FixTarget, domain: str) -> tuple[Finding, ...]:
    reasons = [
        problem.reason
        for problem in target.evidence.problems
        if problem.kind is FileProblemKind.OPSET and problem.subject == domain
    ]
    return tuple(finding for reason in reasons for finding in target.findings_that_say(reason))


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    if not parameters:
        raise wrong_parameters(_ID, parameters, _FORM)
    domain = normalised_domain(parameters)
    places = target.once(find_places)
    owners = [(places.imports, target.once(used_domains))]
    owners += list(zip(places.functions, target.once(used_in_functions), strict=True))
    edits = [
        dropped_import(imports, item) for imports, used in owners if domain not in used for item in imports.of(domain)
    ]
    if edits and len(places.imports.imports) > sum(edit.part == places.imports.part for edit in edits):
        return edits
    imported = any(imports.of(domain) for imports, _ in owners)
    used = any(domain in used for _, used in owners)
    raise refused(
        f"The import of {domain_text(domain)} cannot be dropped",
        cause="nodes use it" if imported and used else "it is the only one" if imported else "there is none",
        fix="Take a fix that opstudio fix lists",
    )


FIX = Fix(id=_ID, title="Drop an import that no node uses", form=_FORM, offers=_offers, edits=_edits)
