"""The loop behind the window: opened on a thread of its own, fed with checks, closed with all its processes."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from opstudio.base.errors import InputError, SetupError, StudioError
from opstudio.base.finding import Finding
from opstudio.checks.check import all_checks
from opstudio.jobs.events import VerdictReached
from opstudio.jobs.lanes import Job
from opstudio.qt.bridge import (
    CheckRequested,
    EnvironmentKnown,
    EventBridge,
    LoopOpened,
    LoopRefused,
    OperatorsChanged,
    TrustNeeded,
    WindowEvent,
)
from opstudio.qt.models.loop_state import LoopState
from opstudio.workflows.check import CheckOptions
from opstudio.workflows.studio import FRAMEWORKS, Studio
from opstudio.workflows.watch import LiveLoop
from opstudio.workspace.folder import OperatorFolder, Workspace
from opstudio.workspace.result_store import ResultStore
from opstudio.workspace.trust import Trust, UntrustedError

_HOLD_MS = 300
"""From a save to the moment when the watcher has noticed it."""


class _WatchedLoop(LiveLoop):
    """The loop, with each check announced before it is queued, and kept so that it can be cancelled."""

    def __init__(self, studio: Studio, post: Callable[[WindowEvent], None]) -> None:
        super().__init__(studio, post)
        self._post = post
        self._jobs_lock = threading.Lock()
        self._jobs: list[Job] = []
        self._fresh: dict[str, Job] = {}
        """By operator the last check that was to run all stages."""

    def request(self, folder: OperatorFolder, options: CheckOptions | None = None) -> Job:
        """Check an operator; called by the person's thread and by that which watches the files."""
        self._post(CheckRequested(folder.name))
        with self._jobs_lock:
            # What was saved for a run of all stages is noticed a moment later, and takes its place: with all stages.
            before = self._fresh.get(folder.name)
            if options is None and before is not None and not before.done.is_set():
                options = CheckOptions(fresh=True)
        job = super().request(folder, options)
        with self._jobs_lock:
            self._jobs = [*(known for known in self._jobs if not known.done.is_set()), job]
            if options is not None and options.fresh:
                self._fresh[folder.name] = job
        return job

    def membership_changed(self) -> None:
        """Tell the window that its list is old."""
        self._post(OperatorsChanged())

    def pending(self) -> list[Job]:
        """Return the checks that run or wait."""
        with self._jobs_lock:
            return [job for job in self._jobs if not job.done.is_set()]


class LoopSession(QObject):
    """Owns the studio of the window.

    All operators are checked once, one after another, the selected one first; what the person saves or asks for goes
    before the rest of them.
    """

    opened = Signal()
    refused = Signal(tuple)
    """The findings that say why."""
    trust_needed = Signal()
    environment_known = Signal(tuple)
    """Pairs of names and releases."""

    def __init__(self, workspace: Workspace, bridge: EventBridge, state: LoopState, trust: Trust | None = None) -> None:
        super().__init__(bridge)
        self._workspace = workspace
        self._bridge = bridge
        self._state = state
        self._results = ResultStore(workspace.state)
        self._studio: Studio | None = None
        self._loop: _WatchedLoop | None = None
        self._round: deque[str] = deque()
        self._round_job: Job | None = None
        self._wanted = ""
        self._hold = QTimer(self)
        self._hold.setSingleShot(True)
        self._hold.setInterval(_HOLD_MS)
        self._hold.timeout.connect(self._continue_round)
        self._is_open = self._needs_trust = False
        self._closing = threading.Event()
        self._trust = trust or Trust.of_user()
        self._opener = self._make_opener()
        bridge.events_received.connect(self._receive)
        state.checks_ended.connect(self._continue_round)
        state.unknown_operator.connect(self.look_again)

    @property
    def is_open(self) -> bool:
        """Whether checks can be requested."""
        return self._is_open

    @property
    def studio(self) -> Studio | None:
        """The studio; ``None`` until it is opened."""
        return self._studio

    @property
    def trust_records(self) -> Trust:
        """What the person trusts."""
        return self._trust

    @property
    def needs_trust(self) -> bool:
        """Whether nothing is built or run until the person trusts the workspace."""
        return self._needs_trust

    def start(self) -> None:
        """List the operators and open the loop, without waiting for it."""
        self.look_again()
        self._opener.start()

    def trust(self) -> None:
        """Trust the workspace, as the person chose, and open the loop."""
        # Where it cannot be kept it holds for this session.
        with contextlib.suppress(SetupError):
            self._trust.grant(self._workspace.root)
        self._needs_trust = False
        self._opener.join()
        self._opener = self._make_opener()
        self._opener.start()

    def look_again(self) -> None:
        """List the operators of the workspace."""
        try:
            self._state.set_operators(self._workspace.operators())
        except InputError as error:
            self.refused.emit(error.findings)

    def run_fresh(self, name: str) -> None:
        """Run all stages of an operator, whatever is known of them."""
        folder = self._state.folder(name)
        if self._loop is not None and self._is_open and folder is not None:
            self.prefer(name)
            self._loop.request(folder, CheckOptions(fresh=True))

    def prefer(self, name: str) -> None:
        """Let everything wait for an operator that the person works on: what runs or is queued is asked again."""
        others = [job for job in self._pending() if job.key != name]
        for job in reversed(others):
            if job.key not in self._round:
                self._round.appendleft(job.key)
            job.cancel.cancel("another operator goes first")
        # What was saved is noticed a moment later; nothing else may begin before it.
        self._hold.start()

    def cancel_check(self, name: str) -> None:
        """End the check of one operator, whether it runs or waits."""
        if name in self._round:
            self._round.remove(name)
            self._state.set_waiting([name], waiting=False)
        for job in self._pending():
            if job.key == name:
                job.cancel.cancel()

    def cancel(self) -> None:
        """End what runs and forget what waits."""
        self._state.set_waiting(self._round, waiting=False)
        self._round.clear()
        for job in self._pending():
            job.cancel.cancel()

    def check_all(self) -> None:
        """Check every operator; what is known of one and did not change is quick."""
        if self._is_open:
            self._round = deque(self._state.names)
            self._put_first(self._wanted)
            self._continue_round()

    def show_first(self, name: str) -> None:
        """Recall earlier results of an operator, and check it before others of the first round."""
        if not self._state.view(name).stages:
            results = (self._results.latest(name, check.id) for check in all_checks())
            self._state.recall(name, [result for result in results if result is not None])
        self._wanted = name
        self._put_first(name)

    def close(self) -> None:
        """End the loop and all its processes. Waits for them."""
        self._closing.set()
        self._hold.stop()
        self.cancel()
        if self._studio is not None:
            # What waits for a worker to start can only be ended by ending the worker.
            self._studio.close()
        if self._opener.is_alive():
            self._opener.join()
        if self._loop is not None:
            self.cancel()
            self._loop.close()
        if self._studio is not None:
            self._studio.close()
        self._bridge.stop()

    def _pending(self) -> list[Job]:
        return self._loop.pending() if self._loop is not None else []

    def _put_first(self, name: str) -> None:
        if name in self._round:
            self._round.remove(name)
            self._round.appendleft(name)

    def _let_others_begin(self, name: str) -> None:
        """Put the slow stages of a round's operator behind the verdicts of all others."""
        job = self._round_job
        others = [other for other in self._round if not self._state.view(other).has_verdict]
        if others and job is not None and job.key == name and not job.done.is_set():
            self._round_job = None
            self._round.append(name)
            job.cancel.cancel("the others get their verdicts first")

    def _make_opener(self) -> threading.Thread:
        return threading.Thread(target=self._open, name="opstudio-open", daemon=True)

    def _open(self) -> None:
        """Open the loop; runs on its own thread."""
        try:
            self._studio = Studio(self._workspace, warm=True, trust=self._trust)
            loop = _WatchedLoop(self._studio, self._bridge.post)
            self._loop = loop
            if not self._closing.is_set():
                loop.start(check_now=False)
                self._bridge.post(LoopOpened())
            if not self._closing.is_set():
                self._bridge.post(EnvironmentKnown(_describe(self._studio)))
        except UntrustedError as error:
            self._bridge.post(TrustNeeded(error.findings))
        except StudioError as error:
            if not self._closing.is_set():
                self._bridge.post(LoopRefused(error.findings))
        except Exception as error:
            self._bridge.post(LoopRefused((_fault(error),)))
            raise

    def _receive(self, events: list[WindowEvent]) -> None:
        for event in events:
            match event:
                case LoopOpened():
                    self._is_open = True
                    self._round = deque(self._state.names)
                    self._put_first(self._wanted)
                    self.opened.emit()
                    self._continue_round()
                case OperatorsChanged():
                    self.look_again()
                case VerdictReached() if not event.final:
                    self._let_others_begin(event.operator)
                case TrustNeeded():
                    self._needs_trust = True
                    self.trust_needed.emit()
                case LoopRefused():
                    self.refused.emit(event.findings)
                case EnvironmentKnown():
                    self.environment_known.emit(event.versions)
                case _:
                    pass

    def _continue_round(self) -> None:
        """Check the next operator of the first round, once nothing else is to be done."""
        if self._loop is None or self._closing.is_set() or self._hold.isActive():
            return
        self._state.set_waiting(self._round, waiting=True)
        if self._loop.pending():
            return
        while self._round:
            folder = self._state.folder(self._round.popleft())
            if folder is not None:
                self._round_job = self._loop.request(folder)
                return


def _describe(studio: Studio) -> tuple[tuple[str, str], ...]:
    """Return what results depend on; starts the worker.

    Raises:
        SetupError: the worker cannot be started, a framework or the compiler is missing.
    """
    versions = studio.frameworks()
    compiler = studio.compiler
    return (
        *((name, versions[name]) for name in FRAMEWORKS),
        ("compiler", f"{Path(compiler.path).name} {compiler.version}"),
    )


def _fault(error: Exception) -> Finding:
    return Finding(
        id=StudioError.id,
        stage="setup",
        title="The studio failed to open the workspace",
        cause=f"{type(error).__name__}: {error}",
        fix="This is a fault of the studio; please report it",
    )
