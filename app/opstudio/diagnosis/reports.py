"""Places in sanitizer reports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.finding import Place
from opstudio.checks.stages.sanitizer import SanitizerReport
from opstudio.diagnosis.rule import RuleContext

_FREES = ("alloc-dealloc-mismatch", "bad-free", "double-free")
"""Errors that show in the call which frees."""


def first_place(report: SanitizerReport, context: RuleContext) -> Place:
    """Return the innermost line of a report in the operator's own files, else the forward function."""
    freed = () if report.freed is None else report.freed.frames
    place = own_place((*report.frames, *freed), context)
    return place or context.place_of_function("forward")


def own_place(frames: Iterable[tuple[str, str, int]], context: RuleContext) -> Place | None:
    """Return the first line in the operator's own files, if there is one."""
    own = ((file, line) for _function, file, line in frames if Path(file).is_relative_to(context.folder))
    return next((Place(file=context.relative(file), line=line) for file, line in own), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMemory:
    """What a kernel does to memory that its caller allocated: ``call`` frees it, or nothing does and it is kept."""

    place: Place
    call: str = ""


def foreign_memory(report: SanitizerReport, context: RuleContext) -> ForeignMemory | None:
    """Return what the kernel does to its caller's memory besides using it during the call: ORT009's, not RUN011's."""
    if report.allocated is None or own_place(report.allocated.frames, context) is not None:
        return None
    here = own_place(report.frames, context)
    if here is not None and report.kind in _FREES:
        return ForeignMemory(place=here, call=report.function)
    if report.freed is None:
        return None
    if (place := own_place(report.freed.frames, context)) is not None:
        return ForeignMemory(place=place, call=report.freed.function)
    return ForeignMemory(place=here) if here is not None and report.kind == "heap-use-after-free" else None


def is_memory_error(report: SanitizerReport) -> bool:
    """Whether a report tells of foreign memory: all of AddressSanitizer's, and ThreadSanitizer's of freed memory."""
    return report.tool == "AddressSanitizer" or (report.tool == "ThreadSanitizer" and report.kind.startswith("heap-"))
