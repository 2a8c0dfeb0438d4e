"""How a request ended, put together from what the worker, its parent and the monitor know of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass

from opstudio.base.codec import from_json
from opstudio.base.finding import Finding
from opstudio.worker.fault_page import EXIT_CODE, MUTE_CODE, Fault, FaultKind, FaultPage
from opstudio.worker.monitor import SAMPLED, Limits, LoadedLibrary, Monitor
from opstudio.worker.outcome import Ending, Outcome, StackTrace

_LAST_WORDS = 4000


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a process, as its parent saw it: ``status`` as ``wait`` gives it, and the largest resident memory.

    ``left`` are commands of processes that were still running, ``copies`` how many of them never left the worker.
    """

    status: int
    peak_bytes: int
    left: tuple[str, ...] = ()
    copies: int = 0


def put_together(monitor: Monitor, page: FaultPage, ended: Ended | None, seconds: float, limits: Limits) -> Outcome:
    """Put together how a request ended."""
    fault = page.fault()
    _, label = page.progress()
    ending, number = _ending(monitor, fault, ended)
    stacks = fault.samples if ending in SAMPLED else (fault.frames,)
    last = monitor.last_event
    return Outcome(
        ending=ending,
        label=label,
        signal=signal.Signals(number).name if number else "",
        address=fault.address,
        traces=tuple(_locate(stack, monitor.libraries) for stack in stacks if stack),
        busy=monitor.busy,
        last_words=_last_words(monitor.last_words.decode("utf-8", "replace")),
        findings=tuple(from_json(Finding, item) for item in last.get("findings", ()))
        if ending is Ending.FAILED
        else (),
        error=last.get("error", "") if ending is Ending.FAILED else "",
        traceback=last.get("traceback", "") if ending is Ending.FAILED else "",
        seconds=seconds,
        peak_bytes=max(monitor.peak_bytes, ended.peak_bytes if ended else 0),
        printed_bytes=monitor.printed_bytes,
        processes=monitor.processes,
        threads=monitor.threads,
        left=() if ended is None else ended.left,
        stopped=monitor.stopped and ending is Ending.STALLED,
        limits={"memory_bytes": float(limits.memory_bytes), "quiet_seconds": limits.quiet_seconds(label)},
    )


def _last_words(text: str) -> str:
    """Return the end of what was printed, or the C++ library's own last words: call stacks behind them may be long."""
    start = text.rfind("terminate called")
    return text[-_LAST_WORDS:] if start < 0 else text[start : start + _LAST_WORDS]


def _ending(monitor: Monitor, fault: Fault, ended: Ended | None) -> tuple[Ending, int]:
    """Return how a request ended and the number of the signal that ended it, if one did."""
    if monitor.verdict is not None:
        return monitor.verdict, 0
    if ended is not None and (ended.copies or ended.status == MUTE_CODE << 8):
        return Ending.INTERFERED, 0
    last = monitor.last_event.get("event")
    if last == "finished" and ended is not None and ended.left:
        return Ending.SPAWNED, 0
    if last in ("finished", "failed"):
        return Ending(last), 0
    return _fatal_ending(fault, ended)


def _fatal_ending(fault: Fault, ended: Ended | None) -> tuple[Ending, int]:
    """Return how a process ended that did not say so itself."""
    if fault.kind == FaultKind.STACK_OVERFLOW:
        return Ending.STACK_OVERFLOW, fault.signal
    if fault.kind == FaultKind.EXIT:
        return Ending.EXITED, 0
    if ended is None:
        return Ending.LOST, 0
    if os.WIFSIGNALED(ended.status):
        return Ending.CRASHED, os.WTERMSIG(ended.status)
    if os.WEXITSTATUS(ended.status) == EXIT_CODE:
        return Ending.EXITED, 0
    return Ending.EXITED, 0


def _locate(stack: Sequence[int], libraries: Sequence[LoadedLibrary]) -> StackTrace:
    """Tell addresses in terms of the libraries that the worker reported; others are left out."""
    return StackTrace(
        frames=tuple(
            (library.path, address - library.first)
            for address in stack
            for library in libraries
            if library.first <= address < library.last
        )
    )
