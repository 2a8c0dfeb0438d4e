"""What was explained of exports, and what is being explained: one at a time, on a lane of its own.

Results stay for as long as the window is open, one for each target, until a newer one takes the place.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from opstudio.base.files import cannot_write
from opstudio.base.finding import Finding
from opstudio.jobs.events import JobEvent, JobFinished, JobOutcome, OutputWritten, Progressed
from opstudio.jobs.lanes import Job, JobContext, Lane
from opstudio.model.export_debugging.records import ExportExplanation
from opstudio.model.export_request import DynamicAxis, Exporter
from opstudio.qt.export.export_target import (
    ExportOptions,
    ExportResult,
    ExportTarget,
    RunningExport,
    Varying,
    first_axes,
)
from opstudio.workflows.export_explanation import ExplainOrder, explain_factory, explain_operator, target_runtime
from opstudio.workflows.operators import load_operator
from opstudio.workflows.studio import Studio

_FOLDER = "exports"
"""Where the files of the last explanation of each target are kept, below the workspace's state."""
_KEY = "explain export"


class ExportSession(QObject):
    """Owns the explanations. Panels read from it and ask it; they never talk to workers."""

    target_changed = Signal()
    """Something else is looked at, or will be exported in another way."""
    results_changed = Signal()
    """An explanation began, went on or ended."""
    trust_needed = Signal()
    """The workspace is not trusted: nothing was run."""
    _told = Signal(int, object)

    def __init__(
        self,
        studio: Callable[[], Studio | None],
        needs_trust: Callable[[], bool],
        post: Callable[[JobEvent], None],
        parent: QObject | None = None,
    ) -> None:
        """Prepare.

        Args:
            studio: the studio of the window, or ``None`` while it is being opened.
            needs_trust: tells whether nothing may be run until the person trusts the workspace.
            post: hands on what tools and workers print, from any thread.
            parent: the owner.
        """
        super().__init__(parent)
        self._studio, self._needs_trust, self._post = studio, needs_trust, post
        self._lane: Lane | None = None
        self._job: Job | None = None
        self._refusal: tuple[Finding, ...] = ()
        self._explained: ExportExplanation | None = None
        self._results: dict[ExportTarget, ExportResult] = {}
        self._operator = ""
        self._factory: ExportTarget | None = None
        self.recent: tuple[ExportTarget, ...] = ()
        """The factories that were looked at, the newest first."""
        self.options = ExportOptions()
        self.running: RunningExport | None = None
        self.current_file: Path | None = None
        """The Python file that the person looks at in the editor."""
        self._told.connect(self._take)

    @property
    def target(self) -> ExportTarget | None:
        """What is looked at: a factory that was chosen, else the selected operator."""
        if self._factory is not None:
            return self._factory
        return ExportTarget(operator=self._operator) if self._operator else None

    @property
    def follows_selection(self) -> bool:
        """Whether the selected operator is looked at, whichever it is."""
        return self._factory is None

    @property
    def operator(self) -> str:
        """The selected operator."""
        return self._operator

    @property
    def result(self) -> ExportResult | None:
        """What is known of the target."""
        return None if self.target is None else self._results.get(self.target)

    @property
    def is_running(self) -> bool:
        """Whether the target is being explained."""
        return self.running is not None and self.running.target == self.target

    @property
    def needs_trust(self) -> bool:
        """Whether nothing may be run until the person trusts the workspace."""
        return self._needs_trust()

    def set_operator(self, name: str) -> None:
        """Follow the selection of the window."""
        if name != self._operator:
            self._operator = name
            if self._factory is None:
                self.target_changed.emit()

    def choose_operator(self) -> None:
        """Look at the selected operator, whichever it is."""
        self._choose(None)

    def choose_factory(self, file: Path, factory: str) -> None:
        """Look at a factory, whichever operator is selected."""
        target = ExportTarget(file=file.absolute(), factory=factory)
        self.recent = (target, *(known for known in self.recent if known != target))
        self._choose(target)

    def set_options(self, options: ExportOptions) -> None:
        """Export in another way from now on."""
        if options != self.options:
            self.options = options
            self.target_changed.emit()

    def knows_inputs(self) -> bool:
        """Whether the inputs of the target are known, so that their first axes can vary."""
        return first_axes(self.result) is not None

    def explain(self) -> None:
        """Export the target with both exporters; what was asked before is given up."""
        target = self.target
        if target is None:
            return
        if self._needs_trust():
            self.trust_needed.emit()
            return
        self._give_up("another explanation was asked for")
        self.running = RunningExport(target=target, options=self.options, since=time.monotonic())
        if self._studio() is None and self._refusal:
            self._refuse(self.running, self._refusal)
        self._begin()
        self.results_changed.emit()

    def look_again(self) -> None:
        """Begin what waited for the studio; where nothing may be run before the person allows it, forget it."""
        if self._needs_trust():
            self._give_up("the workspace is not trusted")
        self._begin()
        self.results_changed.emit()

    def take_refusal(self, findings: tuple[Finding, ...]) -> None:
        """Tell whoever waits for the studio why it cannot be opened."""
        self._refusal = findings
        if self.running is not None and not self.running.is_begun and self._studio() is None:
            self._refuse(self.running, findings)
            self.results_changed.emit()

    def keep(self, result: ExportResult) -> None:
        """Put what came of an explanation in the place of what was known; what is looked at stays the same."""
        self._results[result.target] = result
        self.results_changed.emit()

    def _begin(self) -> None:
        studio, running = self._studio(), self.running
        if studio is None or running is None or running.is_begun:
            return
        self.running = dataclasses.replace(running, is_begun=True, since=time.monotonic())
        if self._lane is None:
            self._lane = Lane("export")
        target, options = running.target, running.options
        dynamic = _dynamic(options, self._results.get(target))

        def work(context: JobContext) -> None:
            self._told.emit(job.number, _explain(studio, target, options, dynamic, context))

        def hear(event: JobEvent) -> None:
            self._hear(job.number, event)

        job = Job(f"explain {target.title}", _KEY, work, hear)
        self._job = job
        self._lane.submit(job)

    def cancel(self) -> None:
        """End what runs; what was known before stays."""
        if self.running is not None:
            self._give_up("cancelled")
            self.results_changed.emit()

    def close(self) -> None:
        """End what runs, and its workers, and wait for it. The window's loop is closed by now."""
        self.cancel()
        studio = self._studio()
        if studio is not None and self._lane is not None:
            # What waits for a worker to start can only be ended by ending the worker.
            studio.close()
        if self._lane is not None:
            self._lane.close()
            self._lane = None
            if studio is not None:
                studio.close()

    def _choose(self, factory: ExportTarget | None) -> None:
        if factory != self._factory:
            self._factory = factory
            self.target_changed.emit()

    def _give_up(self, reason: str) -> None:
        self.running, self._explained = None, None
        if self._job is not None:
            self._job.cancel.cancel(reason)
            self._job = None

    def _hear(self, number: int, event: JobEvent) -> None:
        """Take an event of a job; runs on the lane's thread."""
        match event:
            case OutputWritten():
                self._post(event)
            case Progressed() | JobFinished():
                self._told.emit(number, event)
            case _:
                pass

    def _take(self, number: int, news: object) -> None:
        job, running = self._job, self.running
        if job is None or running is None or number != job.number:
            return  # of one that was given up
        match news:
            case Progressed():
                self.running = dataclasses.replace(running, step=news.label, since=time.monotonic())
            case ExportExplanation():
                self._explained = news
                return
            case JobFinished():
                self._end(running, news)
        self.results_changed.emit()

    def _end(self, running: RunningExport, ended: JobFinished) -> None:
        explanation = self._explained
        self.running = self._job = self._explained = None
        match ended.outcome:
            case JobOutcome.SUCCEEDED:
                self.keep(ExportResult(target=running.target, options=running.options, explanation=explanation))
            case JobOutcome.FAILED:
                self._refuse(running, ended.findings)
            case JobOutcome.CANCELLED:
                pass  # by the end of the studio: what was known stays

    def _refuse(self, running: RunningExport, findings: tuple[Finding, ...]) -> None:
        self.running = self._job = self._explained = None
        self.keep(ExportResult(target=running.target, options=running.options, failure=findings))


def _dynamic(options: ExportOptions, known: ExportResult | None) -> tuple[DynamicAxis, ...] | None:
    match options.varying:
        case Varying.CONTRACT:
            return None
        case Varying.NONE:
            return ()
        case Varying.FIRST_AXES:
            return first_axes(known)


def _explain(
    studio: Studio,
    target: ExportTarget,
    options: ExportOptions,
    dynamic: tuple[DynamicAxis, ...] | None,
    job: JobContext,
) -> ExportExplanation:
    """Explain, and keep the files of this explanation only. Runs on the lane's thread."""
    folder = studio.workspace.state / _FOLDER / target.folder_name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error
    order = ExplainOrder(
        route=options.route,
        opset=options.opset,
        dynamic=dynamic,
        folder=folder,
        runtime=target_runtime(studio, None),
    )
    if target.file is not None:
        explanation = explain_factory(studio, target.file, target.factory, order, job)
    else:
        operator = load_operator(studio.workspace, studio.workspace.operator(target.operator))
        explanation = explain_operator(studio, operator, order, job)
    for exporter in Exporter:
        if not explanation.attempt(exporter).has_file:
            for left in folder.glob(f"{exporter.value}.onnx*"):
                left.unlink(missing_ok=True)
    return explanation
