"""Corrects where weights lie: a file of that name is in the model's folder, in other letters or in another place.

## When it is offered
Weights beside the model that are missing, where exactly one file of the name is there, in other letters or in another
place, that is long enough and that no other weights are read from.

## What it changes
The location that the tensors name.

## What it never touches
The files of weights; offsets and lengths of tensors. The new model is to lie in the same folder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from opstudio.base.finding import Finding
from opstudio.model.fixes.field_edits import replaced_text
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused
from opstudio.model.fixes.model_places import find_places, open_fields
from opstudio.model.fixes.model_tensors import all_tensors
from opstudio.model.fixes.parameters import split_pair
from opstudio.model.fixes.weight_places import VALUE, LocationPlace, find_locations
from opstudio.model.fixes.weight_search import WeightSearch
from opstudio.model.graph.tensor_records import ExternalBytes, ExternalProblem
from opstudio.model.resolution.file_checks import FileProblemKind

_ID, _FORM = "relocate-weights", "OLD=NEW"
_NOTE = "the new file is to lie in the folder of the model, since weights are found from there"


def _offers(target: FixTarget) -> Iterator[Offer]:
    missing = _missing(target)
    found = _found(target, missing)
    if len(missing) > 1 and len(found) == len(missing):
        yield Offer(
            id=_ID,
            title=f"Read the weights from files that are there, instead of {len(missing)} that are missing",
            solves=_findings(target),
        )
        return
    for old, new in found.items():
        yield Offer(
            id=f"{_ID}:{old}={new}",
            title=f"Read the weights from {new}, which is there, instead of {old}",
            # Of several files that are missing, one finding tells.
            solves=_findings(target) if len(missing) == 1 else (),
        )


def _found(target: FixTarget, missing: Mapping[str, int]) -> dict[str, str]:
    """Return the files that are there by the locations where they are missed.

    A file that other weights are read from as well, or would be, is not certain to be the one that is missed.
    """
    found: dict[str, str] = {}
    search = WeightSearch(target.weights_beside)
    for old, needed in missing.items():
        target.cancel.check()
        if (new := search.found(old, needed)) is not None:
            found[old] = new
    others = {data.location for data in _external(target)} - set(missing)
    uses = Counter(map(search.real, (*others, *found.values())))
    return {old: new for old, new in found.items() if uses[search.real(new)] == 1}


def _external(target: FixTarget) -> Iterator[ExternalBytes]:
    return (tensor.data for tensor in all_tensors(target.model) if isinstance(tensor.data, ExternalBytes))


def _missing(target: FixTarget) -> Mapping[str, int]:
    """Return the locations where no file is, with the bytes that tensors need of it."""
    found: dict[str, int] = {}
    for data in _external(target):
        if data.problem is ExternalProblem.MISSING:
            found[data.location] = max(found.get(data.location, 0), data.offset + data.length)
    return found


def _findings(target: FixTarget) -> tuple[Finding, ...]:
    reasons = [
        problem.reason
        for problem in target.evidence.problems
        if problem.kind is FileProblemKind.WEIGHTS_BESIDE and problem.external is ExternalProblem.MISSING
    ]
    return tuple(finding for finding in target.findings if reasons and finding.cause.startswith(reasons[0]))


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    missing = _missing(target)
    moved = _parsed(parameters, missing) if parameters else _found(target, missing)
    if not moved:
        raise refused(
            "No file of weights is found",
            cause="none is missing"
            if not missing
            else f"{', '.join(missing)} is missing, and in the model's folder "
            "there is not exactly one file of that name that is long enough and that no other weights are read from",
            fix=f"Name the file: {_ID}:{_FORM}",
        )
    search = WeightSearch(target.weights_beside)
    for old, new in moved.items():
        if not search.fits(new, missing[old]):
            raise refused(
                f"The weights cannot be read from {new}",
                cause="in the model's folder, no file lies there, other than the model, that may be read and that has "
                f"the {missing[old]} bytes that are needed",
                fix="Put the weights into the folder of the model, and name them from there",
            )
    whole = find_places(target.model).whole
    with open_fields(target.model) as reader:
        return [
            Edit(
                part=_part(place),
                words=f"{_part(place)}: {place.location} becomes {moved[place.location]}",
                before=(f"location {place.location}",),
                after=(f"location {moved[place.location]}",),
                splices=tuple(replaced_text(reader, place.entry, VALUE, moved[place.location])),
                notes=(_NOTE,),
            )
            for place in find_locations(reader, whole)
            if place.location in moved
        ]


def _parsed(parameters: str, missing: Mapping[str, int]) -> dict[str, str]:
    """Return the location that parameters name, with the new one.

    Raises:
        InputError: it is written otherwise, nothing is missing there, or the new one cannot be read.
    """
    # Names of files may have equals signs.
    pairs = [(old, parameters.removeprefix(f"{old}=")) for old in missing if parameters.startswith(f"{old}=")]
    old, new = pairs[0] if pairs else split_pair(_ID, parameters, _FORM)
    if old not in missing:
        raise refused(
            f"{old} is not missing",
            cause=f"missing are {', '.join(missing)}" if missing else "all files that the model names are there",
            fix="Take an id that opstudio fix lists",
        )
    return {old: new}


def _part(place: LocationPlace) -> str:
    return f"weights of {place.tensor}" if place.tensor else "weights of a constant"


FIX = Fix(id=_ID, title="Correct where weights beside the model lie", form=_FORM, offers=_offers, edits=_edits)
