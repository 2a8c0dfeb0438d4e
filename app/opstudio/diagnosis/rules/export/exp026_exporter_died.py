"""An exporter took its process with it: it crashed, never ended or used up the memory.

## What it finds
Exports whose worker ended before there was a file or an error; with ``--explain`` the other exporter runs all the same.

## Why it happens
Exporters run the model, its operators and its translations: what these do to memory ends the process. A graph that is
changed while it is walked may never end.

## How to fix
Use the file of the other exporter meanwhile. Run the translation or the operator that is named by itself.

## Source
How the worker ended.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.explanations import ExplanationContext, describe_attempt, other_exporter
from opstudio.diagnosis.rule import Rule
from opstudio.model.export_debugging.records import Attempt


def check(evidence: Attempt, context: ExplanationContext) -> Iterable[Finding]:
    """Tell how it ended."""
    if evidence.ending:
        exporter = evidence.exporter.value
        yield RULE.finding(
            context,
            title=f"The {exporter} exporter ended its process",
            cause=f"{describe_attempt(evidence)}: {evidence.record.error}",
            fix=f"Export with --exporter {other_exporter(evidence.exporter).value}, or run the operator by itself",
            places=[context.place(None)],
        )


RULE = Rule(id="EXP026", title="An exporter ended its process", needs=Attempt, check=check)
