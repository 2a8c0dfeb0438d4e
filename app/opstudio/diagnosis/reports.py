"""Places in sanitizer reports."""

from __future__ import annotations

from pathlib import Path

from opstudio.base.finding import Place
from opstudio.checks.stages.sanitizer import SanitizerReport
from opstudio.diagnosis.rule import RuleContext


def first_place(report: SanitizerReport, context: RuleContext) -> Place:
    """Return the innermost line of a report in the operator's own files, else the forward function."""
    for _function, file, line in report.frames:
        if Path(file).is_relative_to(context.folder):
            return Place(file=context.relative(file), line=line)
    return context.place_of_function("forward")


def is_memory_error(report: SanitizerReport) -> bool:
    """Whether a report tells of foreign memory: all of AddressSanitizer's, and ThreadSanitizer's of freed memory."""
    return report.tool == "AddressSanitizer" or (report.tool == "ThreadSanitizer" and report.kind.startswith("heap-"))
