"""What came of a new file: how it compares with the original, or why it was not written."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QUrl, Signal
from PySide6.QtWidgets import QTextBrowser

from opstudio.base.finding import Finding, Place, Severity
from opstudio.qt.theme.fonts import SMALL_PIXELS
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.finding_text import finding_html
from opstudio.workflows.fix import FixedModel
from opstudio.workflows.fix_trial import FileTrial, Trial

_MOST_ROWS = 20


class TrialRow(NamedTuple):
    """Something that was asked of the new file. ``tone`` is the state that the answer tells."""

    name: str
    answer: str
    tone: str = "text"


class OutcomeView(QTextBrowser):
    """One text, made again with the language and the theme by whoever owns it."""

    help_requested = Signal(str)
    """The id of a finding that the person wants explained."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(12)
        self.anchorClicked.connect(self._take_link)

    def show_result(self, fixed: FixedModel) -> None:
        """Tell how a new file compares with the original."""
        tokens = self._theme.tokens
        tone = tokens.bad if fixed.worse else tokens.good if fixed.is_accepted else tokens.warn
        parts = [
            f"<p style='margin:0; font-weight:600'>{html.escape(_headline(fixed))}</p>",
            f"<p style='margin:2px 0 8px 0; color:{tone}'>{html.escape(_verdict(fixed))}</p>",
        ]
        rows = [*_worse_rows(fixed), *_trial_rows(fixed.trial), *_remaining_rows(fixed.after.findings)]
        cells = (
            f"<tr><td style='padding-right:16px; color:{tokens.text_2}'>{html.escape(row.name)}</td>"
            f"<td style='color:{getattr(tokens, row.tone)}'>{html.escape(row.answer)}</td></tr>"
            for row in rows
        )
        parts.append(f"<table cellspacing='0' cellpadding='1'>{''.join(cells)}</table>")
        parts.append(
            f"<p style='margin:8px 0 0 0; font-size:{SMALL_PIXELS}px; color:{tokens.text_2}'>"
            f"{html.escape(', '.join(step.id for step in fixed.applied))}<br>{html.escape(str(fixed.output))}</p>"
        )
        self.setHtml("".join(parts))

    def show_failure(self, findings: Sequence[Finding]) -> None:
        """Tell why no file was written."""
        self.setHtml("".join(finding_html(finding, self._theme.tokens, _no_place) for finding in findings))

    def _take_link(self, link: QUrl) -> None:
        if link.scheme() == "help":
            self.help_requested.emit(link.path())


def _no_place(_place: Place) -> str:
    """Leave places out: their titles name the file, and the window cannot show one that was not written."""
    return ""


def _headline(fixed: FixedModel) -> str:
    return QCoreApplication.translate("FixOutcome", "{0} is written").format(fixed.output.name)


def _verdict(fixed: FixedModel) -> str:
    release = fixed.after.evidence.catalogue.tables.release
    if fixed.worse:
        return QCoreApplication.translate("FixOutcome", "It is worse than the original")
    if fixed.is_accepted:
        return QCoreApplication.translate("FixOutcome", "ONNX Runtime {0} takes it").format(release)
    return QCoreApplication.translate("FixOutcome", "ONNX Runtime {0} does not take it yet").format(release)


def _worse_rows(fixed: FixedModel) -> Iterator[TrialRow]:
    for text in fixed.worse[:_MOST_ROWS]:
        yield TrialRow(QCoreApplication.translate("FixOutcome", "Worse"), text, "bad")


def _trial_rows(trial: Trial) -> Iterator[TrialRow]:
    translate = QCoreApplication.translate
    for name, part in (
        (translate("FixOutcome", "Checker of ONNX"), "checker"),
        (translate("FixOutcome", "Session"), "session"),
    ):
        yield _both(name, _said(trial.original, part), _said(trial.changed, part))
    run = translate("FixOutcome", "Run on the same inputs")
    if trial.outputs:
        agreeing, count = sum(item.agrees for item in trial.outputs), len(trial.outputs)
        text = translate("FixOutcome", "{0} of {1} outputs agree").format(agreeing, count)
        yield TrialRow(run, text, "good" if agreeing == count else "bad")
    else:
        yield TrialRow(run, translate("FixOutcome", "not compared: {0}").format(trial.not_compared))
    if trial.other_sizes:
        sizes = ", ".join(f"{name} = {size}" for name, size in trial.other_sizes.items())
        name = translate("FixOutcome", "Run with {0}").format(sizes)
        error = trial.other_size_error
        yield TrialRow(name, error or translate("FixOutcome", "it runs"), "bad" if error else "good")


def _both(name: str, before: str | None, after: str | None) -> TrialRow:
    """Return what was said of the original and of the new file: nothing, an empty text for good, or an error."""
    translate = QCoreApplication.translate
    if after is None:
        return TrialRow(name, translate("FixOutcome", "was not asked"))
    if before:
        if after:
            return TrialRow(name, translate("FixOutcome", "refuses both: {0}").format(after), "warn")
        return TrialRow(name, translate("FixOutcome", "refused the original, takes the new file"), "good")
    if after:
        return TrialRow(name, translate("FixOutcome", "refuses the new file: {0}").format(after), "bad")
    return TrialRow(name, translate("FixOutcome", "takes both"), "good")


def _said(trial: FileTrial, part: str) -> str | None:
    return trial.checker if part == "checker" else trial.session


def _remaining_rows(findings: Sequence[Finding]) -> Iterator[TrialRow]:
    """Yield what is still wrong with the new file."""
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    name = QCoreApplication.translate("FixOutcome", "Problems left")
    text = QCoreApplication.translate("FixOutcome", "{0} of {1} errors").format(errors, len(findings))
    if findings:
        yield TrialRow(name, text, "warn" if errors else "text")
    else:
        yield TrialRow(name, QCoreApplication.translate("FixOutcome", "none"), "good")
