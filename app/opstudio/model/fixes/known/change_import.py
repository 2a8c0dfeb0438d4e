"""Changes the version under which a domain is imported, where every operator means the same at both.

## When it is offered
A domain that is imported with another version than the workspace's contracts state, that is newer than the runtime
knows, or at which an operator of the model is not there or is written otherwise.

## What it changes
The number of the version in the import, of the model and of functions that import the same one.

## What it never touches
Nodes. It is refused where an operator would mean something else at the other version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opstudio.model.fixes.fix import Edit, Fix, FixTarget, Offer
from opstudio.model.fixes.node_context import fault_groups
from opstudio.model.fixes.opset_change import import_edits, solving_version
from opstudio.model.fixes.parameters import domain_text, split_domain_version
from opstudio.model.resolution.file_checks import FileProblemKind
from opstudio.model.resolution.records import Step

_ID, _FORM = "change-import", "DOMAIN=VERSION"


def _offers(target: FixTarget) -> Iterator[Offer]:
    yield from _to_contracts(target)
    yield from _to_runtime(target)
    for group in fault_groups(target):
        if group.fault.step not in (Step.VERSION, Step.FORM) or group.fault.library:
            continue
        version = solving_version(target, group.nodes[0])
        current = target.model.opsets.get(group.domain, 0)
        # Lowering the standard domain has an id of its own.
        if version is not None and (version > current or group.domain):
            yield Offer(
                id=f"{_ID}:{domain_text(group.domain)}={version}",
                title=f"Import {domain_text(group.domain)} {version}, which has {group.operator} as it is written",
                solves=target.findings_of(group.domain, group.operator, group.fault),
            )


def _to_contracts(target: FixTarget) -> Iterator[Offer]:
    for domain, version in target.model.opsets.items():
        stated = target.contract_versions(domain)
        if stated and version not in stated:
            yield Offer(
                id=f"{_ID}:{domain}={max(stated)}",
                title=f"Import {domain} {max(stated)}, the version of the workspace's contracts",
                notes=("ONNX Runtime does not look at the version of a domain that a library brings",),
            )


def _to_runtime(target: FixTarget) -> Iterator[Offer]:
    for problem in target.evidence.problems:
        if problem.kind is FileProblemKind.OPSET and problem.subject:
            yield Offer(
                id=f"{_ID}:{problem.subject}={problem.limit}",
                title=f"Import {problem.subject} {problem.limit}, the newest that the runtime knows",
                solves=target.findings_that_say(problem.reason),
            )


def _edits(target: FixTarget, parameters: str) -> Iterable[Edit]:
    return import_edits(target, *split_domain_version(_ID, parameters, _FORM))


FIX = Fix(id=_ID, title="Import another version of a domain", form=_FORM, offers=_offers, edits=_edits)
