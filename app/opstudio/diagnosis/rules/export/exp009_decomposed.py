"""A standard operator is taken apart, because the opset is older than its ONNX form.

## What it finds
Models that call layer_norm, gelu, group_norm or hardswish, exported to an opset that lacks their node.

## Why it happens
LayerNormalization exists from opset 17, Gelu from 20, GroupNormalization from 21, HardSwish from 14. Below, exporters
compose them of a dozen nodes, which are slower and round differently in half precision.

## How to fix
Export with the opset that has the node, if the runtime knows it.

## Source
ONNX's operator changelog; the exported file.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, place_of_opset
from opstudio.diagnosis.rule import Rule, RuleContext

_SINCE = {
    "layer_norm": ("LayerNormalization", 17),
    "native_layer_norm": ("LayerNormalization", 17),
    "gelu": ("Gelu", 20),
    "group_norm": ("GroupNormalization", 21),
    "native_group_norm": ("GroupNormalization", 21),
    "hardswish": ("HardSwish", 14),
}


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Look for calls whose node came with a later opset and is not in the file."""
    told: set[str] = set()
    for record in evidence.exports:
        for name in record.eager.standard_calls if record.summary else ():
            node, since = _SINCE[name.partition("::")[2]]
            present = record.summary is not None and record.summary.standard_types.get(f":{node}", 0) > 0
            if record.request.opset >= since or present or node in told:
                continue
            told.add(node)
            yield RULE.finding(
                context,
                title=f"{node} is taken apart",
                cause=f"{describe_export(record)}: {node} exists from opset {since}",
                fix=f"Export with opset {since} or later: --opset {since}, or [export] opset = {since}",
                places=[place_of_opset(record, evidence, context)],
            )


RULE = Rule(
    id="EXP009",
    title="A standard operator is taken apart",
    needs=ExportEvidence,
    check=check,
    severity=Severity.WARNING,
)
