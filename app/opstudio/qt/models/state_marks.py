"""Icon, colour and word of every state, so that none is told by colour alone."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from opstudio.base.finding import Severity
from opstudio.jobs.events import StageState, Verdict
from opstudio.qt.models.operator_view import Activity, OperatorView, StageView


@dataclass(frozen=True, slots=True)
class Mark:
    """How a state looks: an icon, the token of its colour, a word."""

    icon: str
    token: str
    word: str


def severity_mark(severity: Severity) -> Mark:
    """Return the mark of a finding."""
    match severity:
        case Severity.ERROR:
            return Mark("bad", "bad", _tr("error"))
        case Severity.WARNING:
            return Mark("warning", "warn", _tr("warning"))
        case Severity.NOTE:
            return Mark("note", "info", _tr("note"))


def stage_mark(stage: StageView) -> Mark:
    """Return the mark of a stage: that it runs, or how it ended."""
    if stage.since is not None:
        return Mark("running", "info", _tr("running"))
    match stage.state:
        case None:
            return Mark("unknown", "text_3", _tr("not run yet"))
        case StageState.GOOD:
            return Mark("good", "good", _tr("good"))
        case StageState.BAD:
            return Mark("bad", "bad", _tr("bad"))
        case StageState.SKIPPED:
            return Mark("skipped", "text_2", _tr("does not apply"))
        case StageState.NOT_RUN:
            return Mark("not_run", "text_2", _tr("not run"))
        case StageState.CANCELLED:
            return Mark("cancelled", "text_2", _tr("cancelled"))


def operator_mark(view: OperatorView) -> Mark:
    """Return the mark of an operator: what goes on until there is a verdict, then the verdict."""
    if view.activity is Activity.RUNNING and not view.has_verdict:
        stage = view.running_stage
        return Mark("running", "info", _tr("starting…") if stage is None else f"{stage.stage}…")
    if view.activity is Activity.WAITING and not view.has_verdict:
        return Mark("waiting", "text_2", _tr("waiting"))
    if view.problems:
        return Mark("warning", "warn", _tr("no verdict"))
    if view.is_cancelled and not view.has_verdict:
        return Mark("cancelled", "text_2", _tr("cancelled"))
    return verdict_mark(view.verdict)


def verdict_mark(verdict: Verdict | None) -> Mark:
    """Return the mark of a verdict."""
    match verdict:
        case None:
            return Mark("unknown", "text_2", _tr("unchecked"))
        case Verdict.GOOD:
            return Mark("good", "good", _tr("good"))
        case Verdict.BAD:
            return Mark("bad", "bad", _tr("bad"))
        case Verdict.CANCELLED:
            return Mark("cancelled", "text_2", _tr("cancelled"))


def _tr(text: str) -> str:
    return QCoreApplication.translate("State", text)
