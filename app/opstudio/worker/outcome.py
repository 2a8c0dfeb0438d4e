"""How a request ended, as the studio saw it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from opstudio.base.finding import Finding


class Ending(enum.StrEnum):
    """The ways in which a worker's request ends."""

    FINISHED = "finished"
    """The entry point returned."""
    FAILED = "failed"
    """The entry point raised; its findings or traceback are known."""
    CRASHED = "crashed"
    """A signal ended the process."""
    STACK_OVERFLOW = "stack_overflow"
    EXITED = "exited"
    """The kernel called ``exit()``, or the process ended without a word."""
    STALLED = "stalled"
    """No progress for too long: a loop without end or a deadlock; the process was killed."""
    OUT_OF_MEMORY = "out_of_memory"
    """More resident memory than allowed; the process was killed."""
    INTERFERED = "interfered"
    """Its events are not its own: it forked, or wrote to a descriptor of the studio's, or closed it."""
    SPAWNED = "spawned"
    """It started more processes or threads than it may, or left some behind."""
    FLOODED = "flooded"
    """It printed without end; the process was killed."""
    CANCELLED = "cancelled"
    LOST = "lost"
    """The warm parent itself is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StackTrace:
    """Addresses of a call stack in terms of the libraries that were loaded: ``(library, offset)`` pairs."""

    frames: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The end of one request. ``label`` is what it was doing; ``last_words`` is the end of what it printed.

    ``processes`` and ``threads`` are the most that were seen at once, ``left`` the commands of processes that still ran
    at the end; ``stopped`` says that the process slept because a signal had stopped it.
    """

    ending: Ending
    label: str = ""
    signal: str = ""
    address: int = 0
    traces: tuple[StackTrace, ...] = ()
    busy: bool = False
    last_words: str = ""
    findings: tuple[Finding, ...] = ()
    error: str = ""
    traceback: str = ""
    seconds: float = 0.0
    peak_bytes: int = 0
    printed_bytes: int = 0
    processes: int = 0
    threads: int = 0
    left: tuple[str, ...] = ()
    stopped: bool = False
    limits: Mapping[str, float] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        """Whether the entry point returned."""
        return self.ending is Ending.FINISHED

    @property
    def doing(self) -> str:
        """What the worker was at, without the name of the stage."""
        stage, colon, rest = self.label.partition(": ")
        return rest if colon else stage
