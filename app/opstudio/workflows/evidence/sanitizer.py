"""Sanitizers: the commands to run them by hand, and what they reported."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.checks.stages.sanitizer import SanitizerEvidence
from opstudio.workflows.built_libraries import runnable
from opstudio.workflows.evidence_sections import (
    CommandLines,
    Describer,
    EvidenceContext,
    Section,
    SourceText,
    table,
)


def describe(context: EvidenceContext) -> Iterator[Section]:
    """Show what ran, every report, and the commands."""
    evidence = context.evidence
    if not isinstance(evidence, SanitizerEvidence):
        return
    runs = [(run.tool, str(run.calls), run.missing or f"{len(run.reports)} reports") for run in evidence.runs]
    bad = [index for index, run in enumerate(evidence.runs) if run.reports]
    yield Section(title="Runs", content=table(("tool", "calls", "outcome"), runs, numbers=("calls",), bad=bad))
    reports = [
        (
            report.tool,
            f"{report.kind} {report.detail}".strip(),
            report.call,
            " ← ".join(f"{context.workspace.relative(file)}:{line}" for _, file, line in report.frames),
        )
        for run in evidence.runs
        for report in run.reports
    ]
    if reports:
        columns = ("tool", "what", "call", "where")
        yield Section(title="Reports", content=table(columns, reports, bad=range(len(reports))))
    for run in evidence.runs:
        if run.commands:
            yield Section(title=f"{run.tool}, by hand", content=CommandLines(commands=runnable(run.commands)))
        if run.output.strip():
            yield Section(title=f"{run.tool} printed", content=SourceText(language="text", text=run.output))


DESCRIBER = Describer(stages=("sanitizer",), describe=describe)
