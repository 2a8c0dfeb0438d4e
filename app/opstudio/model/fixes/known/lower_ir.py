"""Lowers the version of the file format, where nothing in the file came with a later one.

## When it is offered
A file with a newer IR version than the runtime reads, where nothing in it came with a later one than that.

## What it changes
The number of the IR version.

## What it never touches
Everything else; metadata that older readers pass over stays in the file. It is refused where a part of the file
needs the later version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.model.fixes.field_edits import replaced_number
from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused
from opstudio.model.fixes.ir_features import METADATA_VERSION, NEWEST, OLDEST, features, has_metadata
from opstudio.model.fixes.model_places import IR_VERSION, find_places, open_fields
from opstudio.model.fixes.parameters import whole_number
from opstudio.model.resolution.file_checks import FileProblemKind

_ID, _FORM = "lower-ir", "VERSION"


def _offers(target: FixTarget) -> Iterator[Offer]:
    for problem in target.evidence.problems:
        if problem.kind is FileProblemKind.IR_VERSION and not _needs_more(target, problem.limit):
            yield Offer(
                id=f"{_ID}:{problem.limit}",
                title=f"Write IR version {problem.limit}, the newest that the runtime reads",
                solves=target.findings_that_say(problem.reason),
                notes=_unknown(target),
            )


def _unknown(target: FixTarget) -> tuple[str, ...]:
    if target.model.ir_version <= NEWEST:
        return ()
    return (f"what came with IR versions above {NEWEST} is not known here",)


def _needs_more(target: FixTarget, version: int) -> str:
    """Return what of the file needs a later version; empty where nothing does."""
    feature = max(features(target.model), key=lambda item: item.version)
    return f"{feature.words} came with IR version {feature.version}" if feature.version > version else ""


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    version, model = whole_number(_ID, parameters, _FORM), target.model
    needed = _needs_more(target, version)
    if needed or version >= model.ir_version:
        raise refused(
            f"The file cannot be written with IR version {version}",
            cause=needed or f"it has IR version {model.ir_version}, and this fix lowers it",
            fix="Take a version between what its parts need and what it has",
        )
    notes: tuple[str, ...] = ()
    if version < METADATA_VERSION <= model.ir_version and has_metadata(model):
        notes = ("metadata of graphs and nodes stays in the file; older readers pass over it",)
    places = find_places(model)
    with open_fields(model) as reader:
        return [
            Edit(
                part="file",
                words=f"the IR version {model.ir_version} becomes {version}",
                before=(f"ir_version {model.ir_version}",),
                after=(f"ir_version {version}",),
                splices=tuple(replaced_number(reader, places.whole, IR_VERSION, version)),
                notes=notes,
            )
        ]


FIX = Fix(id=_ID, title=f"Lower the IR version, to {OLDEST} or more", form=_FORM, offers=_offers, edits=_edits)
