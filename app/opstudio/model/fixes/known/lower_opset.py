"""Lowers the standard opset, where the definition of every operator that is used is the same at the lower one.

## When it is offered
A standard opset that is newer than the runtime knows, or at which an operator is not there or is written otherwise.

## What it changes
The number of the version in the import, of the model and of functions that import the same one.

## What it never touches
Nodes. It is refused where an operator would mean something else at the lower opset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer, refused
from opstudio.model.fixes.node_context import fault_groups
from opstudio.model.fixes.opset_change import changed_operators, import_edits, solving_version, unknown_note
from opstudio.model.fixes.parameters import whole_number
from opstudio.model.resolution.file_checks import FileProblemKind
from opstudio.model.resolution.records import Resolved, Step

_ID, _FORM = "lower-opset", "VERSION"


def _offers(target: FixTarget) -> Iterator[Offer]:
    for problem in target.evidence.problems:
        if problem.kind is FileProblemKind.OPSET and not problem.subject and _keeps_meaning(target, problem.limit):
            yield Offer(
                id=f"{_ID}:{problem.limit}",
                title=f"Lower the standard opset to {problem.limit}, the newest that the runtime knows",
                solves=target.findings_that_say(problem.reason),
                notes=unknown_note(target, ""),
            )
    for group in fault_groups(target):
        if group.domain or group.fault.step not in (Step.VERSION, Step.FORM):
            continue
        version = solving_version(target, group.nodes[0])
        if version is not None and version < target.model.opsets.get("", 0):
            yield Offer(
                id=f"{_ID}:{version}",
                title=f"Lower the standard opset to {version}, which has {group.operator} as it is written",
                solves=target.findings_of("", group.operator, group.fault),
            )


def _keeps_meaning(target: FixTarget, version: int) -> bool:
    return not any(isinstance(item.item.resolution, Resolved) for item in changed_operators(target, "", version))


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    version = whole_number(_ID, parameters, _FORM)
    current = target.model.opsets.get("", 0)
    if 0 < current < version:
        raise refused(
            f"The standard opset is {current}, below {version}",
            cause="this fix lowers it",
            fix=f"To raise it: change-import:ai.onnx={version}",
        )
    return import_edits(target, "", version)


FIX = Fix(id=_ID, title="Lower the standard opset", form=_FORM, offers=_offers, edits=_edits)
