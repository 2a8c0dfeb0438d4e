"""The studio's side of the workers: starts them, hands them requests, and tells how each request ended."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence

from opstudio.base.errors import CancelledError
from opstudio.jobs.cancel import CancelToken
from opstudio.worker.monitor import Listener
from opstudio.worker.outcome import Outcome
from opstudio.worker.process import NotTakenError, WorkerProcess
from opstudio.worker.protocol import FRAMEWORKS
from opstudio.worker.request import Request


class WorkerPool:
    """A warm parent that forks a child for each request; started again when it is gone. Use from any thread."""

    def __init__(
        self,
        python: str,
        *,
        environment: Mapping[str, str] | None = None,
        warm: Sequence[str] = (),
        frameworks: Sequence[str] = FRAMEWORKS,
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            python: the interpreter
            environment: of the processes; by default the studio's own
            warm: entries that are imported and called once before requests need them
            frameworks: what is imported before a request comes
        """
        self._python = python
        self._frameworks = tuple(frameworks)
        self._environment = dict(os.environ if environment is None else environment)
        self._warm = tuple(warm)
        self._lock = threading.Lock()
        self._parent: WorkerProcess | None = None
        self._next = 0

    def versions(self) -> Mapping[str, str]:
        """Return the versions of the interpreter and the frameworks behind it; starts the worker.

        Raises:
            SetupError: the worker cannot be started.
        """
        return self._ready_parent().versions

    @property
    def is_warm(self) -> bool:
        """Whether the next child finds everything imported: not so for a while after the parent was started."""
        with self._lock:
            return self._parent is not None and self._parent.is_alive and self._parent.is_warm

    def run(self, request: Request, *, cancel: CancelToken, listener: Listener) -> Outcome:
        """Run a request to its end, whatever that is.

        Raises:
            SetupError: the worker cannot be started.
            CancelledError: ``cancel`` was set; the child and all that it started are gone.
        """
        parent = self._ready_parent()
        try:
            return parent.run(self._new_name(), request, cancel, listener)
        except NotTakenError:
            # The parent was ending while it was asked: a large process takes a moment to be gone. Nothing was run.
            with self._lock:
                is_closed = self._parent is not parent
            if is_closed:
                raise CancelledError from None
            return self._ready_parent().run(self._new_name(), request, cancel, listener, is_last=True)

    def _new_name(self) -> str:
        with self._lock:
            self._next += 1
            return str(self._next)

    def close(self) -> None:
        """End the worker and everything it runs."""
        with self._lock:
            if self._parent is not None:
                self._parent.close()
            self._parent = None

    def _ready_parent(self) -> WorkerProcess:
        with self._lock:
            if self._parent is None or not self._parent.is_alive:
                if self._parent is not None:
                    self._parent.close()
                self._parent = WorkerProcess(self._python, self._environment, self._warm, self._frameworks)
            return self._parent


class SpareWorkers:
    """Processes that stand ready for one request each, for what cannot be forked."""

    def __init__(self, python: str, *, environment: Mapping[str, str] | None = None, spares: int = 1) -> None:
        self._python = python
        self._environment = dict(os.environ if environment is None else environment)
        self._ready = [self._start() for _ in range(spares)]

    def run(self, request: Request, *, cancel: CancelToken, listener: Listener) -> Outcome:
        """Run a request in the next spare process and start another one in its place.

        Raises:
            SetupError: the worker cannot be started.
            CancelledError: ``cancel`` was set.
        """
        parent = self._ready.pop(0) if self._ready else self._start()
        self._ready.append(self._start())
        try:
            return parent.run("1", request, cancel, listener)
        finally:
            parent.close()

    def close(self) -> None:
        """End all processes."""
        for parent in self._ready:
            parent.close()
        self._ready.clear()

    def _start(self) -> WorkerProcess:
        return WorkerProcess(self._python, self._environment, (), FRAMEWORKS, spare=True)
