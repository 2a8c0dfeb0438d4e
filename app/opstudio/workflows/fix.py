"""Mechanical fixes of a model: what is offered, and a new file with some of them, tried against the original."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import InputError, ToolError
from opstudio.base.finding import Finding, Place, Severity
from opstudio.diagnosis.models import node_title
from opstudio.jobs.cancel import CancelToken
from opstudio.model.fixes.domain_uses import nodes_within
from opstudio.model.fixes.fix import STAGE, Edit, FixTarget, Offer
from opstudio.model.fixes.node_context import function_of
from opstudio.model.fixes.registry import edits_of, find_offers
from opstudio.model.fixes.splices import write_spliced
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.records import Resolution, Step, Unresolved
from opstudio.model.resolution.unexpanded import unexpanded
from opstudio.workflows.fix_target import (
    OutputOrder,
    carried_weights,
    check_output,
    check_weights,
    put_in_place,
    temporary_files,
)
from opstudio.workflows.fix_trial import FileTrial, Trial
from opstudio.workflows.graph import GraphReport

Examine = Callable[[ModelRecord], GraphReport]
"""Holds a model against the runtime, the libraries and the contracts that were chosen."""
Try = Callable[[Path, Path, Sequence[str]], Trial]
"""Tries a changed model, the second path, against the original, with execution providers by their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedFix:
    """An offer and the changes behind it."""

    offer: Offer
    edits: tuple[Edit, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know before, of the fix and of its changes."""
        return tuple(dict.fromkeys((*self.offer.notes, *(note for edit in self.edits for note in edit.notes))))


@dataclass(frozen=True, slots=True, kw_only=True)
class FixesReport:
    """What can be done about a model. ``unsolved`` are the errors that no offer solves."""

    report: GraphReport
    offers: tuple[OfferedFix, ...]

    @property
    def unsolved(self) -> tuple[Finding, ...]:
        """The errors that no offer solves."""
        solved = [finding for item in self.offers for finding in item.offer.solves]
        return tuple(
            finding for finding in self.report.findings if finding.severity is Severity.ERROR and finding not in solved
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedFix:
    """A fix that was made: its id, its changes, and what of the model is worse after it."""

    id: str
    edits: tuple[Edit, ...]
    worse: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedModel:
    """A new file, the fixes in it, what is known of it, and how it compares with the original.

    ``to_blame`` is the first fix after which the trial came out worse; empty where it did not.
    """

    output: Path
    copied: tuple[Path, ...]
    applied: tuple[AppliedFix, ...]
    before: GraphReport
    after: GraphReport
    trial: Trial
    to_blame: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether a session takes the new file, as far as files and lists tell, and as the trial had it."""
        return self.after.is_accepted and self.trial.changed.session == ""

    @property
    def reason(self) -> str:
        """Why not, in one line; empty for a file that is taken."""
        said = self.trial.changed.session
        return self.after.reason or (self.trial.not_compared if said is None else said)

    @property
    def is_misjudged(self) -> bool:
        """Whether files and lists tell that a session takes the new file, and the trial's refuses it."""
        return self.after.is_accepted and not self.is_accepted

    @property
    def worse(self) -> tuple[str, ...]:
        """What is worse than in the original."""
        found = [f"{item.id}: {text}" for item in self.applied for text in item.worse]
        return (*found, *(f"{self.to_blame}: {text}" for text in self.trial.worse()))


def offer_fixes(path: Path, examine: Examine, cancel: CancelToken) -> FixesReport:
    """Look for what can be done about a model; nothing is written.

    Raises:
        InputError: the file is no model or damaged.
        CancelledError: ``cancel`` was set.
        StudioError: what ``examine`` raises.
    """
    report = examine(read_model(path))
    return FixesReport(report=report, offers=tuple(_offered(_target(report, path, cancel))))


def _offered(target: FixTarget) -> Iterator[OfferedFix]:
    for offer in find_offers(target):
        # Names of a model may have what separates the parameters of an id: such an offer cannot be asked for.
        with contextlib.suppress(InputError):
            yield OfferedFix(offer=offer, edits=edits_of(target, offer.id))


def apply_fixes(
    path: Path, ids: Sequence[str], order: OutputOrder, examine: Examine, try_model: Try, cancel: CancelToken
) -> FixedModel:
    """Write a new file with fixes, one after the other; each is made on what the one before left.

    The new file is put in place last; the original is never touched.

    Raises:
        InputError: the file is no model, a fix does not fit it, or the output may not be written.
        SetupError: the output's folder cannot be written or is full.
        ToolError: the new file does not read back as what was meant.
        CancelledError: ``cancel`` was set; nothing is left.
    """
    model = read_model(path)
    check_output(model, order)
    before = report = examine(model)
    applied: list[AppliedFix] = []
    steps: list[Path] = []
    with carried_weights(path, order) as weights, temporary_files(order.path) as files:
        weights.bring(model)
        current = model
        for identifier in ids:
            edits = edits_of(_target(report, path, cancel), identifier)
            steps.append(next(files))
            write_spliced(current, (item for edit in edits for item in edit.splices), steps[-1], cancel)
            added = frozenset(name for edit in edits for name in edit.adds)
            current = _read_back(steps[-1], current, identifier, len(added))
            if weights.bring(current):
                current = read_model(steps[-1])
            following = examine(current)
            worse = worse_in(report.evidence, following.evidence, added)
            applied.append(AppliedFix(id=identifier, edits=edits, worse=worse))
            report = following
        check_weights(current, order.path)
        trials = (_trial((before, report), path, step, try_model) for step in (steps[-1], *steps[:-1]))
        trial = next(trials)
        blamed = "" if not trial.worse() else next((i for i, t in zip(ids, trials, strict=False) if t.worse()), ids[-1])
        put_in_place(current.path, order.path, path)
    return FixedModel(
        output=order.path,
        copied=tuple(weights.copied),
        applied=tuple(applied),
        before=before,
        after=_relocated(report, current.path, order.path),
        trial=trial,
        to_blame=blamed,
    )


def _trial(reports: tuple[GraphReport, GraphReport], original: Path, changed: Path, try_model: Try) -> Trial:
    """Try a changed model, unless a session of it or of the original would take all memory there is."""
    reasons = [unexpanded(report.model, report.evidence.nodes) for report in reports]
    if any(reasons):
        before, after = (FileTrial(session=reason or None) for reason in reasons)
        return Trial(original=before, changed=after, not_compared="there are functions that cannot be expanded")
    return try_model(original, changed, reports[-1].evidence.catalogue.providers)


def worse_in(before: GraphEvidence, after: GraphEvidence, added: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return what of a model is worse than before: nodes that fail earlier, problems of the file that are new.

    ``added`` are values that new nodes make; of such a node, any failure is new.
    """
    # No fix removes nodes or changes their order; in which order functions are met depends on the calls.
    ours, theirs = (sorted(evidence.nodes, key=function_of) for evidence in (before, after))
    known_nodes = [item for item in theirs if added.isdisjoint(item.node.outputs)]
    new_nodes = [item for item in theirs if not added.isdisjoint(item.node.outputs)]
    found = [
        f"{node_title(new)}: {new.resolution.reason}"
        for new, reached in (
            *((new, _rank(old.resolution)) for old, new in zip(ours, known_nodes, strict=True)),
            *((new, len(Step)) for new in new_nodes),
        )
        if isinstance(new.resolution, Unresolved) and _rank(new.resolution) < reached
    ]
    known = {(problem.kind, problem.subject) for problem in before.problems}
    found += [problem.reason for problem in after.problems if (problem.kind, problem.subject) not in known]
    return tuple(found)


def _rank(resolution: Resolution) -> int:
    """Return how far a node comes: the number of questions that it passes."""
    return list(Step).index(resolution.step) if isinstance(resolution, Unresolved) else len(Step)


def _target(report: GraphReport, original: Path, cancel: CancelToken) -> FixTarget:
    return FixTarget(evidence=report.evidence, findings=report.findings, cancel=cancel, original=original)


def _read_back(path: Path, before: ModelRecord, identifier: str, added: int) -> ModelRecord:
    """Read a changed file, which has ``added`` more nodes; no fix removes any, or adds or removes weights.

    Raises:
        ToolError: it is not what was meant, which is a fault of the studio.
    """
    model = read_model(path)
    nodes, initializers, functions = _counts(before)
    if _counts(model) != (nodes + added, initializers, functions):
        raise ToolError.of(
            f"{identifier} could not be made",
            cause="the changed file has other nodes than the one before",
            fix="Please report it with the model; the original is untouched",
            stage=STAGE,
        )
    return model


def _counts(model: ModelRecord) -> tuple[int, int, int]:
    """Return how many nodes, those of nested graphs too, initializers and functions a model has."""
    nodes = sum(1 for _ in nodes_within(model.graph.nodes))
    return nodes, len(model.graph.initializers), len(model.functions)


def _relocated(report: GraphReport, temporary: Path, output: Path) -> GraphReport:
    """Return a report that names the output where it named the temporary file."""

    def moved(place: Place) -> Place:
        return dataclasses.replace(place, file=str(output)) if place.file == str(temporary) else place

    findings = tuple(
        dataclasses.replace(finding, places=tuple(map(moved, finding.places))) for finding in report.findings
    )
    model = dataclasses.replace(report.evidence.model, path=output)
    return dataclasses.replace(report, findings=findings, evidence=dataclasses.replace(report.evidence, model=model))
