"""Scenes of the panel Export: exports that were really explained, one of a model that fails, one that waits."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from opstudio.base.errors import StudioError
from opstudio.model.export_debugging.records import ExportExplanation
from opstudio.qt.export.explanation_view import Section
from opstudio.qt.export.export_target import ExportOptions, ExportResult, ExportTarget
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState
from opstudio.qt.panels import export
from opstudio.qt.panels.export import ExportPanel
from opstudio.workflows.studio import Studio
from opstudio.workspace.folder import open_workspace
from tests.faults.exports.explaining import NET, NO_SYMBOLIC, NO_TRANSLATION, Explainer, applied
from tests.qt.window_access import panel_of
from tests.support.workspaces import TestWorkspace

GOOD, UNTRANSLATED, BROKEN = "good", "untranslated", "broken"
"""What each result is of: a model that both exporters write, one that neither does, one that cannot be made."""
_FACTORY_FAILS = ("    return Net()", '    raise ValueError("there are no weights here")')
_SECONDS, _BYTES = 1.5, 2048
"""In place of figures that are others with every run."""
_WAITED_SECONDS = 3.0
SHOWN: tuple[tuple[str, Section, PanelState], ...] = (
    (BROKEN, Section.OVERVIEW, PanelState.FAILING),
    (UNTRANSLATED, Section.OVERVIEW, PanelState.FAILING),
    (UNTRANSLATED, Section.FINDINGS, PanelState.FAILING),
    (UNTRANSLATED, Section.CODE, PanelState.FAILING),
    (GOOD, Section.OVERVIEW, PanelState.READY),
    (GOOD, Section.FINDINGS, PanelState.READY),
    (GOOD, Section.OPERATORS, PanelState.READY),
    (GOOD, Section.REQUEST, PanelState.READY),
)
"""The pictures of results: of which, the section that is shown, and what the panel says of it."""


def make_results(workspace: TestWorkspace) -> Mapping[str, ExportResult]:
    """Explain exports in this workspace, by real exporters, and return what came of them."""
    with Studio(open_workspace(workspace.root)) as studio:
        explainer = Explainer(studio)
        good = explainer.explain(NET, dynamic={"x": "batch"})
        untranslated = explainer.explain(applied(NET, NO_SYMBOLIC, NO_TRANSLATION), dynamic={"x": "batch"})
        with pytest.raises(StudioError) as refused:
            explainer.explain(applied(NET, _FACTORY_FAILS))
    return {
        GOOD: _result(workspace, 1, _settled(good)),
        UNTRANSLATED: _result(workspace, 2, _settled(untranslated)),
        BROKEN: replace(_result(workspace, 3, None), failure=refused.value.findings),
    }


def wait_for_worker(window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for an explanation in a window whose studio is not open yet."""
    session = window.exports.session
    session.choose_factory(file, "make")
    session.explain()
    assert session.running is not None
    now = session.running.since + _WAITED_SECONDS
    monkeypatch.setattr(export, "time", SimpleNamespace(monotonic=lambda: now, time=time.time))
    panel_of(window, ExportPanel).refresh()


def show_result(window: MainWindow, result: ExportResult, section: Section) -> ExportPanel:
    """Show what came of an explanation."""
    session, panel = window.exports.session, panel_of(window, ExportPanel)
    session.cancel()
    assert result.target.file is not None
    session.choose_factory(result.target.file, result.target.factory)
    session.keep(result)
    panel.view.select(section)
    return panel


def _result(workspace: TestWorkspace, number: int, explanation: ExportExplanation | None) -> ExportResult:
    target = ExportTarget(file=workspace.root / f"net_{number}.py", factory="make")
    return ExportResult(target=target, options=ExportOptions(), explanation=explanation)


def _settled(explanation: ExportExplanation) -> ExportExplanation:
    attempts = tuple(
        replace(attempt, seconds=_SECONDS, bytes=_BYTES if attempt.has_file else 0) for attempt in explanation.attempts
    )
    return replace(explanation, attempts=attempts)
