"""Jobs that keep their events, for the tests of lanes."""

from __future__ import annotations

import threading

from opstudio.jobs.events import JobEvent, JobFinished, JobOutcome, JobStarted
from opstudio.jobs.lanes import Job, JobContext, Work

PATIENCE = 10.0


class Recorder:
    """Keeps the events of jobs, and the threads on which they came."""

    def __init__(self) -> None:
        self.events: dict[str, list[JobEvent]] = {}
        self.order: list[str] = []
        self.threads: set[str] = set()

    def job(self, title: str, work: Work, *, key: str | None = None) -> Job:
        def listen(event: JobEvent) -> None:
            self.events.setdefault(title, []).append(event)
            self.order.append(title)
            self.threads.add(threading.current_thread().name)

        return Job(title=title, key=key or title, work=work, listener=listen)

    def outcome(self, title: str) -> JobOutcome:
        """Return how a job ended; its events must follow the grammar."""
        first, *middle, last = self.events[title]
        assert isinstance(first, JobStarted)
        assert first.title == title
        assert isinstance(last, JobFinished)
        assert not any(isinstance(event, JobStarted | JobFinished) for event in middle)
        assert last.seconds >= 0.0
        return last.outcome


def wait_for(job: Job) -> None:
    assert job.done.wait(PATIENCE), f"{job.title} never ended"


def nothing(_context: JobContext) -> None:
    return


def until_cancelled(context: JobContext) -> None:
    context.cancel.wait(PATIENCE)
    context.cancel.check()
