"""All that a job tells the world, as one union of frozen records.

The terminal prints them, the window turns them into chips, the journal keeps them. Consumers use ``match`` with
``assert_never``, so that a new event fails type checking wherever it is not handled.

Grammar of a job: ``JobStarted (…)* JobFinished``, with exactly one terminal event, whatever happens.
"""

from __future__ import annotations

import enum
import re
import time
from dataclasses import dataclass, field
from typing import TypeAlias

from opstudio.base.codec import to_json
from opstudio.base.finding import Finding, Json


class StageState(enum.StrEnum):
    """How a stage ended."""

    GOOD = "good"
    BAD = "bad"
    SKIPPED = "skipped"
    """It does not apply here; the summary says why."""
    NOT_RUN = "not_run"
    """An earlier stage failed."""
    CANCELLED = "cancelled"


class Verdict(enum.StrEnum):
    """The sum of all stages of an operator."""

    GOOD = "good"
    BAD = "bad"
    CANCELLED = "cancelled"


class JobOutcome(enum.StrEnum):
    """How a job ended. A bad verdict is a success: the job could be done."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    at: float = field(default_factory=time.time)
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStarted(_Event):
    """The first event. ``job`` counts the jobs of this process; ``key`` names what it is about, such as an operator."""

    job: int
    key: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStarted(_Event):
    """A stage of an operator begins."""

    operator: str
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFinished(_Event):
    """A stage of an operator ended, or its last result was found to hold still (``cached``)."""

    operator: str
    stage: str
    state: StageState
    seconds: float
    cached: bool = False
    summary: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputWritten(_Event):
    """A tool or a worker printed something."""

    operator: str
    source: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressed(_Event):
    """Something that takes long says how far it is; ``fraction`` is from 0 to 1, or ``None`` where unknown.

    ``operator`` is whose check waits for it, or empty.
    """

    label: str
    fraction: float | None = None
    operator: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictReached(_Event):
    """The sum of an operator's stages; ``final`` once the slow ones were run as well."""

    operator: str
    verdict: Verdict
    seconds: float
    final: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFinished(_Event):
    """The last event, of the job that started with the same number."""

    job: int
    key: str
    outcome: JobOutcome
    seconds: float
    findings: tuple[Finding, ...] = ()


JobEvent: TypeAlias = (
    JobStarted | StageStarted | StageFinished | OutputWritten | Progressed | VerdictReached | JobFinished
)


def event_name(event: JobEvent) -> str:
    """Return the name of an event in journals and ``--json``: ``StageFinished`` is ``stage_finished``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()


def event_to_json(event: JobEvent) -> dict[str, Json]:
    """Return an event as JSON values, its name first."""
    data = to_json(event)
    assert isinstance(data, dict)
    return {"event": event_name(event), **data}
