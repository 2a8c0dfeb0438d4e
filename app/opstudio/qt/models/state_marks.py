"""Icon, colour and word of every state, so that none is told by colour alone."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from opstudio.base.finding import Severity
from opstudio.jobs.events import StageState, Verdict
from opstudio.qt.models.operator_view import Activity, OperatorView, StageView
from opstudio.qt.models.stage_titles import stage_title


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
            return Mark("bad", "bad", QCoreApplication.translate("State", "error"))
        case Severity.WARNING:
            return Mark("warning", "warn", QCoreApplication.translate("State", "warning"))
        case Severity.NOTE:
            return Mark("note", "info", QCoreApplication.translate("State", "note"))


def stage_mark(stage: StageView) -> Mark:
    """Return the mark of a stage: that it runs, or how it ended."""
    if stage.since is not None:
        return Mark("running", "info", QCoreApplication.translate("State", "running"))
    match stage.state:
        case None:
            return Mark("unknown", "text_3", QCoreApplication.translate("State", "not run yet"))
        case StageState.GOOD:
            return Mark("good", "good", QCoreApplication.translate("State", "good"))
        case StageState.BAD:
            return Mark("bad", "bad", QCoreApplication.translate("State", "bad"))
        case StageState.SKIPPED:
            return Mark("skipped", "text_2", QCoreApplication.translate("State", "does not apply"))
        case StageState.NOT_RUN:
            return Mark("not_run", "text_2", QCoreApplication.translate("State", "not run"))
        case StageState.CANCELLED:
            return Mark("cancelled", "text_2", QCoreApplication.translate("State", "cancelled"))


def operator_mark(view: OperatorView) -> Mark:
    """Return the mark of an operator: what goes on until there is a verdict, then the verdict."""
    if view.activity is Activity.RUNNING and not view.has_verdict:
        stage = view.running_stage
        return Mark(
            "running",
            "info",
            QCoreApplication.translate("State", "starting…") if stage is None else f"{stage_title(stage.stage)}…",
        )
    if view.activity is Activity.WAITING and not view.has_verdict:
        return Mark("waiting", "text_2", QCoreApplication.translate("State", "waiting"))
    if view.problems:
        return Mark("warning", "warn", QCoreApplication.translate("State", "no verdict"))
    if view.is_cancelled and not view.has_verdict:
        # The last verdict stays in sight, as one that nobody vouches for.
        icon = "cancelled" if view.verdict is None else verdict_mark(view.verdict).icon
        return Mark(icon, "text_2", QCoreApplication.translate("State", "cancelled"))
    return verdict_mark(view.verdict)


def verdict_mark(verdict: Verdict | None) -> Mark:
    """Return the mark of a verdict."""
    match verdict:
        case None:
            return Mark("unknown", "text_2", QCoreApplication.translate("State", "unchecked"))
        case Verdict.GOOD:
            return Mark("good", "good", QCoreApplication.translate("State", "good"))
        case Verdict.BAD:
            return Mark("bad", "bad", QCoreApplication.translate("State", "bad"))
        case Verdict.CANCELLED:
            return Mark("cancelled", "text_2", QCoreApplication.translate("State", "cancelled"))
