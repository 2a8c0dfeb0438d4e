"""The fixes of the open model: what can be done, what the person chose of it, and a new file with that.

What was found out of the model is that of the session of the graph; everything else happens behind the window, and
what starts processes on a lane.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from opstudio.base.errors import CancelledError
from opstudio.base.finding import Finding
from opstudio.jobs.cancel import CancelToken
from opstudio.jobs.events import JobEvent, JobFinished
from opstudio.jobs.lanes import Job, JobContext, Lane
from opstudio.model.graph.records import ModelRecord
from opstudio.qt.background import Background
from opstudio.qt.fixes.choices import FixChoice, FixPreview, choices_of, preview_of, with_parameters
from opstudio.qt.fixes.writing import FixOrder, OutputQuestion, Progress, WritingStep, write_fixed
from opstudio.qt.graph.answers import Answer, answer, findings_of, raise_fault
from opstudio.qt.graph.graph_session import GraphSession
from opstudio.workflows.fix import FixedModel
from opstudio.workflows.fix_target import OutputOrder
from opstudio.workflows.graph import GraphReport
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge

_KEY = "fix"
_NOTHING_TOLD = Progress(step=WritingStep.EXAMINING)


class FixSession(QObject):
    """Owns what is chosen and what comes of it; one new file is written at a time. Original files are never changed."""

    shown_changed = Signal()
    """The person wants to see the fixes, or no more."""
    choices_changed = Signal()
    """What can be done, or what was chosen of it."""
    preview_changed = Signal()
    work_changed = Signal()
    """A file is being written, it was, it could not be, or something must be asked first."""
    _told = Signal(object, object)

    def __init__(self, graph: GraphSession, python: Callable[[], str], parent: QObject | None = None) -> None:
        """Follow the open model; ``python`` tells the interpreter whose runtime tries new files."""
        super().__init__(parent)
        self._graph, self._python = graph, python
        self._model: ModelRecord | None = None
        self._report: GraphReport | None = None
        self._forget()
        self._cancel = CancelToken()
        self._knowledge: RuntimeKnowledge | None = None
        self._looking, self._previewing = Background(self), Background(self)
        self._lane: Lane | None = None
        self._looking.finished.connect(self._take_choices)
        self._previewing.finished.connect(self._take_preview)
        self._told.connect(self._take_news)
        graph.resolution_changed.connect(self._follow)
        graph.closing.connect(self.close)

    def _forget(self) -> None:
        """Know nothing: at first, and of another model."""
        self.is_shown = False
        self.choices: tuple[FixChoice, ...] = ()
        self.chosen: tuple[str, ...] = ()
        """Keys of what is to be done, in the order in which it was chosen."""
        self.current = ""
        """The key of the choice that is looked at."""
        self.preview: FixPreview | None = None
        self.order: FixOrder | None = None
        """What is being written, or was to be written last."""
        self.progress: Progress | None = None
        self.busy_since = 0.0
        """When the step began, by ``time.monotonic``."""
        self.result: FixedModel | None = None
        self.failure: tuple[Finding, ...] = ()
        self.question: OutputQuestion | None = None
        self.was_cancelled = False

    @property
    def is_writing(self) -> bool:
        """Whether a file is being written."""
        return self.progress is not None

    @property
    def is_cancelling(self) -> bool:
        """Whether what is being written was given up and ends."""
        return self.is_writing and self._cancel.is_cancelled

    @property
    def can_write(self) -> bool:
        """Whether something is chosen, as far as it is known to fit the model."""
        has_failed = self.preview is not None and bool(self.preview.failure) and self.current in self.chosen
        return bool(self.chosen) and not has_failed and not self.is_writing

    @property
    def proposed_path(self) -> Path | None:
        """A name beside the model for the new file."""
        return None if self._model is None else self._model.path.with_name(f"{self._model.path.stem}-fixed.onnx")

    def choice(self, key: str) -> FixChoice | None:
        """Return what can be done, by its key."""
        return next((choice for choice in self.choices if choice.key == key), None)

    def solving(self, finding: Finding) -> tuple[FixChoice, ...]:
        """Return what can be done about a finding."""
        return tuple(choice for choice in self.choices if choice.offer is not None and finding in choice.offer.solves)

    def show(self, key: str = "") -> None:
        """Let the fixes be seen: one that is chosen thereby, in place of others, or all of them."""
        if self.choice(key) is not None and not self.is_writing:
            self.chosen = (key,)
            self._put_away()
        first = next(iter(self.chosen), self.choices[0].key if self.choices else "")
        self.is_shown = True
        self.look_at(key or self.current or first)
        for signal in (self.choices_changed, self.work_changed, self.shown_changed):
            signal.emit()

    def leave(self) -> None:
        """Let the problems be seen again; what is being written goes on."""
        self.is_shown = False
        self.shown_changed.emit()

    def look_at(self, key: str) -> None:
        """Work out what a choice changes."""
        choice, report = self.choice(key), self._report
        self.current = key if choice is not None else ""
        if choice is None or report is None:
            self.preview = None
            self.preview_changed.emit()
        elif self.preview is None or self.preview.choice != choice:
            self._previewing.run(partial(answer, report.model, partial(preview_of, report, choice)))

    def choose(self, key: str, *, chosen: bool) -> None:
        """Put a choice to those that are made, or take it away."""
        others = tuple(known for known in self.chosen if known != key)
        self.chosen = (*others, key) if chosen else others
        self.choices_changed.emit()

    def set_parameters(self, key: str, parameters: str) -> None:
        """Do something else than was offered, which is chosen thereby."""
        self.choices = tuple(
            with_parameters(choice, parameters) if choice.key == key else choice for choice in self.choices
        )
        self.look_at(key)
        self.choose(key, chosen=True)

    def write(self, path: Path, *, replace: bool = False, copy_weights: bool = False) -> None:
        """Write what is chosen into a new file and try that beside the original."""
        report = self._report
        if report is None or not self.can_write:
            return
        chosen = tuple(choice.id for key in self.chosen if (choice := self.choice(key)) is not None)
        output = OutputOrder(path=path.absolute(), force=replace, copy_weights=copy_weights)
        self.order = order = FixOrder(
            model=report.model.path,
            ids=chosen,
            libraries=self._graph.libraries,
            contracts=self._graph.contracts,
            python=self._python(),
            output=output,
        )
        self._put_away()
        self._cancel = cancel = CancelToken()
        self._knowledge = knowledge = RuntimeKnowledge(order.python)
        self.progress, self.busy_since = _NOTHING_TOLD, time.monotonic()
        tell = partial(self._told.emit, cancel)
        made: list[Answer] = []

        def work() -> object:
            with knowledge:
                return write_fixed(order, knowledge, cancel, tell)

        def run(_context: JobContext) -> None:
            made.append(answer(report.model, work))

        def hear(event: JobEvent) -> None:
            if isinstance(event, JobFinished):
                tell(made[0] if made else Answer(report.model, CancelledError(cancel.reason)))

        if self._lane is None:
            self._lane = Lane("fix")
        self._lane.submit(Job(f"fix {order.model.name}", _KEY, run, hear, cancel=cancel))
        self.work_changed.emit()

    def answer_question(self) -> None:
        """Go on as was asked."""
        order, question = self.order, self.question
        if order is not None and question is not None:
            output = order.output
            self.write(
                output.path,
                replace=output.force or question is OutputQuestion.REPLACE,
                copy_weights=output.copy_weights or question is OutputQuestion.COPY_WEIGHTS,
            )

    def put_away(self) -> None:
        """Forget what came of the last file."""
        self._put_away()
        self.work_changed.emit()

    def cancel(self) -> None:
        """Give up what is being written; nothing of it is left."""
        if self.is_writing:
            self._cancel.cancel("cancelled")
            self.work_changed.emit()

    def close(self) -> None:
        """End what runs and wait for it."""
        self._cancel.cancel("the window is closed")
        if self._knowledge is not None:
            # What waits for a worker to start can only be ended by ending the worker.
            self._knowledge.__exit__(None, None, None)
        for background in (self._looking, self._previewing):
            background.wait()
        if self._lane is not None:
            self._lane.close()
            self._lane = None

    def _put_away(self) -> None:
        self.result, self.failure, self.question, self.was_cancelled = None, (), None, False

    def _follow(self) -> None:
        """Look for what can be done about a model once it is known what is wrong with it."""
        graph = self._graph
        if graph.model is not self._model:
            self._cancel.cancel("the model is not open any more")
            self._model, self._report = graph.model, None
            self._forget()
            for signal in (self.choices_changed, self.preview_changed, self.work_changed, self.shown_changed):
                signal.emit()
        if graph.report is not self._report and not graph.is_resolving:
            self._report = report = graph.report
            if report is None:
                self._set_choices(())
            else:
                self._looking.run(partial(answer, report.model, partial(choices_of, report)))

    def _take_choices(self, found: Answer) -> None:
        if found.model is self._model:
            self._set_choices(found.result if isinstance(found.result, tuple) else ())
            raise_fault(found.result)

    def _set_choices(self, choices: tuple[FixChoice, ...]) -> None:
        self.choices = choices
        self.chosen = tuple(key for key in self.chosen if self.choice(key) is not None)
        self.preview = None
        self.look_at(self.current)
        self.choices_changed.emit()

    def _take_preview(self, found: Answer) -> None:
        if found.model is not self._model:
            return
        if isinstance(found.result, FixPreview):
            self.preview = found.result
            self.preview_changed.emit()
        raise_fault(found.result)

    def _take_news(self, cancel: CancelToken, news: Progress | Answer) -> None:
        if cancel is not self._cancel or not self.is_writing:
            return  # of a model that is not open any more
        if isinstance(news, Progress):
            self.progress, self.busy_since = news, time.monotonic()
        else:
            self._take_written(news.result)
        self.work_changed.emit()
        if isinstance(news, Answer):
            raise_fault(news.result)

    def _take_written(self, result: object) -> None:
        self.progress = self._knowledge = None
        match result:
            case FixedModel():
                self.result = result
            case OutputQuestion():
                self.question = result
            case CancelledError():
                self.was_cancelled = True
            case _:
                self.failure = findings_of(result)
