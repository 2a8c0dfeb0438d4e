"""Calls that run at the same time disturb one another.

## What it finds
Several threads call the operator on inputs of their own, then two ONNX Runtime sessions that share the library do.
Results that differ from those of calls in a row mean shared state. The sanitizer stage looks for data races as well.

## Why it happens
Scratch data in a global or ``static`` variable, or in a member of the kernel; a cache that is filled without a lock.

## How to fix
Take scratch memory from ``call.scratch<T>(count)`` or use local variables.

## Source
The operator itself, run in a row and at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.concurrency import ConcurrencyEvidence
from opstudio.checks.stages.sanitizer import SanitizerEvidence
from opstudio.diagnosis.reports import first_place, foreign_memory, is_memory_error
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines

# A declaration that is static and neither constant nor a function.
_STATIC = r"(?m)^[^\n/]*\bstatic\b(?!\s*(?:const|constexpr|inline|_assert|_cast)\b)[^\n(;=]*[;=\[]"


def check(evidence: ConcurrencyEvidence | SanitizerEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell which callers noticed one another and point at static variables; or tell the race that was seen."""
    if isinstance(evidence, SanitizerEvidence):
        yield from _races(evidence, context)
        return
    wrong = [caller for caller in evidence.callers if not caller.good]
    if not wrong:
        return
    first = wrong[0]
    suspects = [place for place, _ in find_lines(context, _STATIC)]
    text = first.error.message if first.error else f"{first.mismatches} of {first.calls} calls returned something else"
    yield RULE.finding(
        context,
        cause=f"{first.caller}, {evidence.threads} threads on sample {evidence.sample}: {text}",
        fix="Take scratch memory from call.scratch<T>(count) instead of a static or global variable",
        places=suspects or [context.place_of_function("forward")],
        evidence={"calls": first.calls, "mismatches": first.mismatches},
    )


def _races(evidence: SanitizerEvidence, context: RuleContext) -> Iterable[Finding]:
    reports = [report for run in evidence.runs for report in run.reports]
    if any(foreign_memory(report, context) for report in reports):
        return  # memory that was freed under its owner races with whoever is given it next
    for run in evidence.runs:
        for report in run.reports:
            if report.tool == "ThreadSanitizer" and not is_memory_error(report):
                yield RULE.finding(
                    context,
                    title=f"Threads meet: {report.kind}",
                    cause=f"{report.kind} while {report.call} was called by two threads at the same time",
                    fix="Take scratch memory from call.scratch<T>(count) instead of a static or global variable",
                    places=[first_place(report, context)],
                    evidence={"output": run.output},
                )


RULE = Rule(
    id="REG014",
    title="The kernel shares state between calls",
    needs=(ConcurrencyEvidence, SanitizerEvidence),
    check=check,
)
