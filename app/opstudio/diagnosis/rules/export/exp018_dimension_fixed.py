"""An axis was declared to vary, but the model or the file is for one size only.

## What it finds
Axes of ``[export.dynamic]`` (or ``--dynamic``) that are numbers in the exported file, exports that the dynamo exporter
refuses for them, models that PyTorch itself does not run at another size, and sizes that TorchScript keeps as numbers.

## Why it happens
The model turns a size into a Python number (``int(x.shape[0])``), or writes one down (``view(2, -1)``,
``torch.ones(2, 1)``), which fixes it to that of the example. TorchScript exports such a model without a word: its
inputs vary, its nodes do not.

## How to fix
Use sizes as they come, without ``int(…)``, and ``-1`` in ``view``.

## Source
A run of the model at other sizes, the exported file and the exporters' messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from opstudio.base.finding import Finding, Place
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures
from opstudio.diagnosis.exports import (
    describe_export,
    differing,
    place_of_line,
    place_of_model,
    place_of_user_line,
)
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.model.expectation import DifferenceKind, differences
from opstudio.model.export_request import ExportRecord

_FIX = "Use sizes as they come, without int(…), and -1 in view"
_WITHOUT_SHAPES = (DifferenceKind.NODE_RENAMED, DifferenceKind.NODE_MISSING)
_KEPT = re.compile(
    r"TracerWarning: Converting a tensor to a Python (?:integer|index|float).*\((?P<file>[^()]+):(?P<line>\d+)\)\s*$",
    re.DOTALL,
)


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell models that take one size only by their line; then files and refusals, then what TorchScript keeps."""
    for found in (_refused_sizes, _fixed_axes, _refused_exports, _kept_numbers):
        told = tuple(found(evidence, context))
        yield from told
        if told:
            return


def _refused_sizes(evidence: ExportEvidence, context: RuleContext) -> Iterator[Finding]:
    for record in evidence.records:
        if record.resized is not None and record.resized.error:
            at = record.resized.at
            yield RULE.finding(
                context,
                title="The model takes one size only",
                cause=f"in PyTorch itself, at {_sizes(record)}: {record.resized.error[:400]}",
                fix=_FIX,
                places=[place_of_model(evidence, context) if at is None else place_of_line(at, context)],
            )
            return


def _fixed_axes(evidence: ExportEvidence, context: RuleContext) -> Iterator[Finding]:
    for record, difference in differing(evidence, DifferenceKind.DIMENSION_FIXED):
        if any(item.kind in _WITHOUT_SHAPES for item in differences(record)):
            continue  # behind a node that nobody knows, exporters keep the sizes of the example
        yield RULE.finding(
            context,
            title=f"{difference.subject[:1].upper()}{difference.subject[1:]} is fixed to {difference.found}",
            cause=describe_export(record),
            fix=_FIX,
            places=_kept_lines(record, context) or [place_of_model(evidence, context)],
        )


def _refused_exports(evidence: ExportEvidence, context: RuleContext) -> Iterator[Finding]:
    for record in failures(evidence, context, Failure.SIZE_FIXED):
        yield RULE.finding(
            context,
            cause=f"{describe_export(record)}: {record.error[:400]}",
            fix=_FIX,
            places=[place_of_user_line(record, evidence, context)],
        )
        return


def _kept_numbers(evidence: ExportEvidence, context: RuleContext) -> Iterator[Finding]:
    for record in evidence.records:
        if record.request.dynamic and (lines := _kept_lines(record, context)):
            yield RULE.finding(
                context,
                title="A number of the example is kept for all sizes",
                cause=f"{describe_export(record)}: a size or a value became a Python number",
                fix=_FIX,
                places=lines,
            )
            return


def _kept_lines(record: ExportRecord, context: RuleContext) -> list[Place]:
    found = [match for text in record.warnings if (match := _KEPT.search(text)) is not None]
    return [
        Place(file=context.relative(match["file"]), line=int(match["line"]))
        for match in found
        if Path(match["file"]).is_absolute() and "site-packages" not in match["file"]
    ]


def _sizes(record: ExportRecord) -> str:
    assert record.resized is not None, "asked of records with such a run only"
    return ", ".join(f"{name} {list(shape)}" for name, shape in zip(record.inputs, record.resized.inputs, strict=True))


RULE = Rule(id="EXP018", title="A dimension that should vary is fixed", needs=ExportEvidence, check=check)
