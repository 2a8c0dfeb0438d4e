"""An axis was declared to vary, but is fixed in the file.

## What it finds
Axes of ``[export.dynamic]`` that are numbers in the exported file, and exports that the dynamo exporter refuses for
them.

## Why it happens
The model turns a size into a Python number (``x.shape[0]`` in a comparison, ``view`` with a literal,
``int(x.size(0))``), which fixes it to that of the example.

## How to fix
Use sizes as they come, without ``int(…)``, and ``-1`` in ``view``. The message names the line where it knows it.

## Source
The exported file and the exporters' messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, differing, place_of_export, place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.model.expectation import DifferenceKind

_SPECIALIZED = re.compile(r"specialized|Constraints violated|marked .* as dynamic but")


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell fixed axes, and refusals because of them."""
    for record, difference in differing(evidence, DifferenceKind.DIMENSION_FIXED):
        warned = [text for text in record.warnings if "TracerWarning" in text]
        yield RULE.finding(
            context,
            title=f"{difference.subject[:1].upper()}{difference.subject[1:]} is fixed to {difference.found}",
            cause=f"{describe_export(record)}" + (f": {warned[0][:300]}" if warned else ""),
            fix="Use sizes as they come, without int(…), and -1 in view",
            places=[place_of_export(evidence, context)],
        )
    for record in evidence.exports:
        if _SPECIALIZED.search(record.error):
            yield RULE.finding(
                context,
                cause=f"{describe_export(record)}: {record.error[:400]}",
                fix="Use sizes as they come, without int(…), and -1 in view",
                places=[place_of_user_line(record, evidence, context)],
            )
            return


RULE = Rule(id="EXP018", title="A dimension that should vary is fixed", needs=ExportEvidence, check=check)
