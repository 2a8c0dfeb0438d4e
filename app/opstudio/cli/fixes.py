"""Fixes of models as they are printed: what is offered with previews, and what came of those that were made."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from opstudio.base.codec import to_json
from opstudio.base.finding import Json
from opstudio.cli.command import ExitCode
from opstudio.cli.terminal import Terminal, plain_line
from opstudio.jobs.cancel import CancelToken

if TYPE_CHECKING:
    from opstudio.model.fixes.fix import Edit
    from opstudio.workflows.fix import AppliedFix, FixedModel, FixesReport, OfferedFix
    from opstudio.workflows.fix_trial import Trial

_MOST_LINES = 24
"""Lines of one difference that are printed for people."""
_MOST_EDITS = 1000
"""Changes of one fix that a document lists; the others are counted."""


def show_offers(terminal: Terminal, found: FixesReport, cancel: CancelToken) -> ExitCode:
    """Print what can be done; the answer is bad where an error is left that nothing solves.

    Raises:
        CancelledError: ``cancel`` was set before all was printed.
    """
    from opstudio.model.graph.records import FileFormat

    report = found.report
    out = terminal.out
    out.print(f"[bold]{plain_line(report.model.path.name)}[/]")
    terminal.show_findings(report.findings, cancel=cancel)
    solving = [item for item in found.offers if item.offer.solves]
    for title, items in (("Fixes", solving), ("Also possible", [i for i in found.offers if not i.offer.solves])):
        if items:
            out.print(f"\n[bold]{title}[/]")
        for item in items:
            cancel.check()
            _show_offer(terminal, item)
    if report.model.format is FileFormat.ORT:
        out.print("ONNX Runtime's own format is made from a model for one release, and cannot be changed")
        out.print("Fix the ONNX model that it was made from, and convert that again")
    elif not found.offers:
        out.print("There is nothing to do by machine")
    if found.unsolved:
        count = len(found.unsolved)
        out.print(f"\n[red]{count} error{'s' if count > 1 else ''}[/] that no fix solves")
    if terminal.as_json:
        terminal.document("fix", _offers_document(found))
    return ExitCode.BAD if found.unsolved else ExitCode.GOOD


def show_fixed(terminal: Terminal, model: Path, fixed: FixedModel) -> ExitCode:
    """Print what was done and how the new file compares.

    The answer is bad where anything is worse, or where only a session itself tells that the file is refused.
    """
    out = terminal.out
    for step in fixed.applied:
        out.print(f"[bold]{plain_line(step.id)}[/]")
        _show_difference(terminal, step.edits)
    for path in fixed.copied:
        out.print(f"copied  {plain_line(str(path))}")
    terminal.show_findings(fixed.after.findings)
    for line in _trial_lines(fixed.trial):
        out.print(plain_line(line))
    for text in fixed.worse:
        out.print(f"[red]worse[/]  {plain_line(text)}")
    is_bad = bool(fixed.worse) or fixed.is_misjudged
    is_done = fixed.is_accepted and not fixed.trial.other_size_error
    state = "[red]✖[/]" if is_bad else "[green]✔[/]" if is_done else "[yellow]○[/]"
    verdict = "takes it" if fixed.is_accepted else "does not take it yet"
    runtime = f"ONNX Runtime {fixed.after.evidence.catalogue.tables.release}"
    out.print(f"{state} {plain_line(str(fixed.output))}: {runtime} {verdict}")
    terminal.document("fix", _fixed_document(model, fixed))
    return ExitCode.BAD if is_bad else ExitCode.GOOD


def _show_offer(terminal: Terminal, item: OfferedFix) -> None:
    out, offer = terminal.out, item.offer
    solves = ", ".join(dict.fromkeys(finding.id for finding in offer.solves))
    out.print(f"[bold]{plain_line(offer.id)}[/]  {plain_line(offer.title)}")
    if solves:
        out.print(f"  solves  {solves}")
    for note in item.notes:
        out.print(f"  note    {plain_line(note)}")
    _show_difference(terminal, item.edits)


def _show_difference(terminal: Terminal, edits: Sequence[Edit]) -> None:
    from opstudio.model.fixes.preview import unified_difference

    styles = {"+": "green", "-": "red", "@": "dim"}
    lines = list(islice(unified_difference(edits), _MOST_LINES + 1))
    for line in lines[:_MOST_LINES]:
        style = styles.get(line[:1], "")
        terminal.out.print(f"    [{style}]{plain_line(line)}[/]" if style else f"    {plain_line(line)}")
    if len(lines) > _MOST_LINES:
        terminal.out.print(f"    [dim]… {len(edits):,} changes in all[/]")


def _notes(edits: Sequence[Edit]) -> list[str]:
    return list(dict.fromkeys(note for edit in edits for note in edit.notes))


def _trial_lines(trial: Trial) -> list[str]:
    lines = []
    for name, before, after in (
        ("checker of ONNX", trial.original.checker, trial.changed.checker),
        ("session", trial.original.session, trial.changed.session),
    ):
        lines.append(f"{name}: the original {_verdict(before)}, the new file {_verdict(after)}")
    if trial.outputs:
        agreeing = sum(item.agrees for item in trial.outputs)
        lines.append(f"run on the same inputs: {agreeing} of {len(trial.outputs)} outputs agree")
    else:
        lines.append(f"not run beside the original: {trial.not_compared}")
    if trial.other_sizes:
        sizes = ", ".join(f"{name} = {size}" for name, size in trial.other_sizes.items())
        lines.append(f"run with {sizes}: {trial.other_size_error or 'it runs'}")
    return lines


def _verdict(said: str | None) -> str:
    if said is None:
        return "was not tried"
    return f"is refused ({said})" if said else "is taken"


def _offers_document(found: FixesReport) -> dict[str, Json]:
    report = found.report
    return {
        "file": str(report.model.path),
        "loads": {"verdict": "accepted" if report.is_accepted else "refused", "reason": report.reason},
        "offers": [
            {
                "id": item.offer.id,
                "title": item.offer.title,
                "solves": [{"id": finding.id, "places": to_json(finding.places)} for finding in item.offer.solves],
                "notes": list(item.notes),
                **_edits_document(item.edits),
            }
            for item in found.offers
        ],
        "unsolved": [finding.id for finding in found.unsolved],
        "findings": [to_json(finding) for finding in report.findings],
    }


def _fixed_document(model: Path, fixed: FixedModel) -> dict[str, Json]:
    after = fixed.after
    return {
        "file": str(model),
        "output": str(fixed.output),
        "copied": [str(path) for path in fixed.copied],
        "applied": [_applied_document(step) for step in fixed.applied],
        "trial": to_json(fixed.trial),
        "worse": list(fixed.worse),
        "loads": {"verdict": "accepted" if fixed.is_accepted else "refused", "reason": fixed.reason},
        "findings": [to_json(finding) for finding in after.findings],
    }


def _applied_document(step: AppliedFix) -> dict[str, Json]:
    return {"id": step.id, "notes": list(_notes(step.edits)), "worse": list(step.worse), **_edits_document(step.edits)}


def _edits_document(edits: Sequence[Edit]) -> dict[str, Json]:
    from opstudio.model.fixes.preview import unified_difference

    shown = edits[:_MOST_EDITS]
    return {
        "edits": [edit.words for edit in shown],
        "difference": list(unified_difference(shown)),
        "left_out": len(edits) - len(shown),
    }
