"""Lanes: threads on which jobs run, so that things that must not meet do not meet."""

from __future__ import annotations

import itertools
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from opstudio.base.errors import CancelledError, StudioError, bug_finding
from opstudio.base.finding import Finding
from opstudio.jobs.cancel import CancelToken
from opstudio.jobs.events import JobEvent, JobFinished, JobOutcome, JobStarted


class JobContext(Protocol):
    """What a job may use while it runs."""

    @property
    def cancel(self) -> CancelToken:
        """Tells when to end."""
        ...

    def emit(self, event: JobEvent) -> None:
        """Report an event."""
        ...


Work = Callable[[JobContext], None]
_numbers = itertools.count(1)


@dataclass(slots=True)
class Job:
    """A piece of work and how to end it. ``key`` names what it is about: a newer job of that key supersedes it."""

    title: str
    key: str
    work: Work
    listener: Callable[[JobEvent], None]
    cancel: CancelToken = field(default_factory=CancelToken)
    done: threading.Event = field(default_factory=threading.Event)
    number: int = field(default_factory=_numbers.__next__)

    def emit(self, event: JobEvent) -> None:
        """Report an event to the listener, on the lane's thread."""
        self.listener(event)

    def run(self) -> None:
        """Run the work; exactly one terminal event follows, whatever happens, and ``done`` is set behind it.

        A bug of the work or of the listener ends the job as failed and comes through.
        """
        start = time.monotonic()
        findings: tuple[Finding, ...] = ()
        outcome = JobOutcome.FAILED
        try:
            self.emit(JobStarted(job=self.number, title=self.title, key=self.key))
            self.cancel.check()
            self.work(self)
            outcome = JobOutcome.SUCCEEDED
        except CancelledError:
            outcome = JobOutcome.CANCELLED
        except StudioError as error:
            findings = error.findings
        except BaseException as error:
            findings = (bug_finding(error),)
            raise
        finally:
            try:
                self.emit(self._finished(outcome, time.monotonic() - start, findings))
            finally:
                self.done.set()

    def _finished(self, outcome: JobOutcome, seconds: float, findings: tuple[Finding, ...]) -> JobFinished:
        return JobFinished(job=self.number, key=self.key, outcome=outcome, seconds=seconds, findings=findings)


class Lane:
    """One thread that runs jobs in their order; a newer job cancels the older ones of its key."""

    def __init__(self, name: str) -> None:
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._waiting: list[Job] = []
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name=f"opstudio-{name}", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job.

        Raises:
            RuntimeError: the lane is closed.
        """
        with self._lock:
            if self._closed:
                message = f"{job.title} was submitted to a closed lane"
                raise RuntimeError(message)
            for older in self._waiting:
                if older.key == job.key:
                    older.cancel.cancel("superseded by a newer request")
            self._waiting.append(job)
            self._queue.put(job)

    def close(self) -> None:
        """Cancel everything and wait for the thread to end."""
        with self._lock:
            self._closed = True
            for job in self._waiting:
                job.cancel.cancel("the studio is closing")
            self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (job := self._queue.get()) is not None:
            try:
                job.run()
            except BaseException:  # noqa: BLE001 - a bug of one job must not end the lane and strand the jobs behind it
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
            finally:
                with self._lock:
                    self._waiting.remove(job)
