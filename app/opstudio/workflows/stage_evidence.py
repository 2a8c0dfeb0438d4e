"""The evidence of a stage, found and laid out for people."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from opstudio.base.codec import from_json, to_json
from opstudio.base.discovery import discover
from opstudio.base.errors import InputError
from opstudio.base.finding import Finding, Json
from opstudio.base.hashing import content_address
from opstudio.base.names import did_you_mean
from opstudio.checks.check import Check, all_checks
from opstudio.jobs.events import StageState
from opstudio.workflows.evidence_sections import Describer, EvidenceContext, Section, section_to_json
from opstudio.workflows.operators import LoadedOperator, load_operator
from opstudio.workspace.build_history import BuildHistory, HistoryRecord, StageMark
from opstudio.workspace.folder import OperatorFolder, Workspace
from opstudio.workspace.result_store import ResultStore, StageResult


@dataclass(frozen=True, slots=True, kw_only=True)
class StageEvidence:
    """What is known of a stage.

    ``state`` and ``summary`` are those of the build ``number``; ``None`` and empty where the stage never ended.
    ``note`` says what is missing, or that ``sections`` are those of an earlier result, which ``is_current`` denies.
    """

    operator: str
    stage: str
    number: int | None
    state: StageState | None
    seconds: float
    at: float | None
    summary: str
    findings: tuple[Finding, ...]
    sections: tuple[Section, ...]
    is_current: bool = True
    note: str = ""

    def as_document(self) -> dict[str, Json]:
        """Return it as JSON values."""
        return {
            "stage": self.stage,
            "number": self.number,
            "state": None if self.state is None else self.state.value,
            "seconds": self.seconds,
            "at": self.at,
            "summary": self.summary,
            "is_current": self.is_current,
            "note": self.note,
            "findings": [to_json(finding) for finding in self.findings],
            "sections": [section_to_json(section) for section in self.sections],
        }


def stage_evidence(
    workspace: Workspace, folder: OperatorFolder, stage: str, record: HistoryRecord | None = None
) -> StageEvidence:
    """Return the evidence of a stage in one build, by default the newest.

    Where that build has none, because the stage did not run or was broken off, the last one that was kept is shown.

    Raises:
        InputError: there is no such stage.
    """
    check = find_check(stage)
    newest = BuildHistory(workspace.state).latest(folder.name)
    chosen = newest if record is None else record
    mark = None if chosen is None else chosen.stage(stage)
    results = ResultStore(workspace.state)
    result = results.find(folder.name, stage, mark.key) if mark is not None and mark.key else None
    earlier = None
    if result is None and (record is None or (newest is not None and record.number == newest.number)):
        earlier = results.latest(folder.name, stage)
    shown = result or earlier
    context = _context(workspace, folder, check, shown, chosen if earlier is None else None)
    return StageEvidence(
        operator=folder.name,
        stage=stage,
        number=None if chosen is None else chosen.number,
        state=mark.state if mark is not None else None if shown is None else shown.state,
        seconds=mark.seconds if mark is not None else 0.0 if shown is None else shown.seconds,
        at=None if shown is None else shown.at,
        summary=mark.summary if mark is not None else "" if shown is None else shown.summary,
        findings=() if shown is None else shown.findings,
        sections=describe(context),
        is_current=earlier is None,
        note=_note(mark, shown, context, is_current=earlier is None),
    )


def describe_result(workspace: Workspace, folder: OperatorFolder, result: StageResult) -> tuple[Section, ...]:
    """Return a kept result as sections.

    Raises:
        InputError: the result is of no known stage.
    """
    return describe(_context(workspace, folder, find_check(result.stage), result, None))


def describe(context: EvidenceContext) -> tuple[Section, ...]:
    """Return the sections of a stage; none where nobody describes it."""
    describer = _describers().get(context.stage)
    return () if describer is None else tuple(describer.describe(context))


def find_check(stage: str) -> Check:
    """Return the check of a stage.

    Raises:
        InputError: there is none.
    """
    checks = {check.id: check for check in all_checks()}
    if stage not in checks:
        raise InputError.of(
            f"There is no stage {stage}",
            cause=did_you_mean(stage, checks),
            fix=f"Choose one of {', '.join(checks)}",
            stage="evidence",
        )
    return checks[stage]


def _context(
    workspace: Workspace,
    folder: OperatorFolder,
    check: Check,
    result: StageResult | None,
    record: HistoryRecord | None,
) -> EvidenceContext:
    operator: LoadedOperator | None
    try:
        operator = load_operator(workspace, folder)
    except InputError:
        operator = None
    evidence = None
    if result is not None:
        try:
            evidence = from_json(check.evidence, result.evidence)
        except (ValueError, RecursionError):
            evidence = None  # an older studio kept it in another form
    return EvidenceContext(workspace=workspace, stage=check.id, evidence=evidence, operator=operator, record=record)


def _note(mark: StageMark | None, shown: StageResult | None, context: EvidenceContext, *, is_current: bool) -> str:
    if shown is not None and context.evidence is None:
        return "An older studio kept this result in a form that cannot be read any more; check again."
    if not is_current:
        reason = "the stage has not ended since" if mark is None else mark.summary or mark.state.value
        return f"This is an earlier result: {reason}."
    if context.stage == "contract":
        return _contract_note(context)
    if shown is None:
        if mark is None:
            return "The stage has not run yet."
        return "" if mark.state is StageState.SKIPPED else "Nothing was kept of it: it was broken off, or tidied away."
    return ""


def _contract_note(context: EvidenceContext) -> str:
    """Say so where the contract is not the one of the build: it is read, not kept."""
    if context.operator is None:
        return "The contract cannot be read now."
    address = content_address(to_json(context.operator.contract))
    if context.record is not None and context.record.contract not in ("", address):
        return f"The contract was changed since build {context.record.number}; this is the one of now."
    return ""


@functools.cache
def _describers() -> Mapping[str, Describer]:
    found = discover("opstudio.workflows.evidence", "DESCRIBER", Describer)
    assert not found.broken, found.broken
    return {stage: describer for describer in found.manifests for stage in describer.stages}
