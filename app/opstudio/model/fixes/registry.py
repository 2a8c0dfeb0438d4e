"""All fixes, what they offer for a model, and the edits behind an offer's id."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping

from opstudio.base.discovery import discover
from opstudio.base.names import did_you_mean
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused
from opstudio.model.graph.records import FileFormat

_MOST_FINDINGS = 1000
"""A file with more is damaged or made to be: each offer is held against each finding."""


@functools.cache
def all_fixes() -> Mapping[str, Fix]:
    """Return every fix by its id, in the order of the ids."""
    found = discover("opstudio.model.fixes.known", "FIX", Fix)
    assert not found.broken, found.broken
    fixes = {fix.id: fix for fix in sorted(found.manifests, key=lambda fix: fix.id)}
    assert len(fixes) == len(found.manifests), "an id is used twice"
    return fixes


def find_offers(target: FixTarget) -> tuple[Offer, ...]:
    """Return what can be done about a model: what solves a finding first, then by the order of the fixes.

    Raises:
        CancelledError: the work was asked to end.
    """
    if target.model.format is not FileFormat.ONNX or len(target.findings) > _MOST_FINDINGS:
        return ()
    offers: list[Offer] = []
    for fix in all_fixes().values():
        target.cancel.check()
        offers.extend(fix.offers(target))
    joined: dict[str, Offer] = {}
    for offer in offers:
        first = joined.get(offer.id)
        joined[offer.id] = offer if first is None else _joined(first, offer)
    return tuple(sorted(joined.values(), key=lambda offer: not offer.solves))


def _joined(first: Offer, second: Offer) -> Offer:
    """Return two offers of one change as one, which solves what either does; the first one's title stays."""
    solves = list(first.solves)
    # Findings cannot be hashed: they hold documents.
    solves += [finding for finding in second.solves if finding not in solves]
    return dataclasses.replace(first, solves=tuple(solves), notes=tuple(dict.fromkeys((*first.notes, *second.notes))))


def edits_of(target: FixTarget, offer_id: str) -> tuple[Edit, ...]:
    """Return the changes behind an id, whether it was offered or not.

    Raises:
        InputError: there is no such fix, or it does not fit the model.
        CancelledError: the work was asked to end.
    """
    target.cancel.check()
    name, _, parameters = offer_id.partition(":")
    fix = all_fixes().get(name)
    if fix is None:
        raise refused(
            f"There is no fix {name}",
            cause=did_you_mean(name, all_fixes()),
            fix="Take an id that opstudio fix lists",
        )
    if target.model.format is not FileFormat.ONNX:
        raise refused(
            f"{target.model.path.name} cannot be changed",
            cause="it is in ONNX Runtime's own format, which is made from a model for one release",
            fix="Fix the ONNX model that it was made from, and convert that again",
        )
    edits = tuple(fix.edits(target, parameters))
    assert edits, f"{offer_id} changes nothing and does not say so"
    return edits
