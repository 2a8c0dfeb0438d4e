"""The custom operator is not quicker than standard nodes.

## What it finds
The operator as a custom node is measured beside the same computation as standard ONNX nodes, in one run, in turn. Where
the standard nodes are as quick or quicker, beyond the spread of the runs, a custom operator only costs: a library to
ship, a version to keep, optimisations that stop at the node.

## Why it happens
ONNX Runtime fuses common patterns and has vectorised mathematics; a kernel with ``std::exp`` in a loop has neither.

## How to fix
Export with ``--route standard`` and drop the custom operator, or make the kernel quicker and measure again.

## Source
Measured on this machine: medians, with the 10th and 90th percentile.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.base.units import render_seconds
from opstudio.checks.stages.speed import CUSTOM_NODE, STANDARD_NODES, SpeedEvidence
from opstudio.diagnosis.rule import Rule, RuleContext

_WORTH_TELLING = 20e-6
"""Seconds. Below, a call is the session's own overhead, whatever the node."""


def check(evidence: SpeedEvidence, context: RuleContext) -> Iterable[Finding]:
    """Compare the two medians, and ask whether the spreads overlap."""
    timings = {timing.name: timing for timing in evidence.timings}
    custom, standard = timings.get(CUSTOM_NODE), timings.get(STANDARD_NODES)
    if custom is None or standard is None or standard.high >= custom.low or custom.median < _WORTH_TELLING:
        return
    ratio = custom.median / standard.median
    yield RULE.finding(
        context,
        cause=f"standard nodes take {render_seconds(standard.median)}, the custom node {render_seconds(custom.median)} "
        f"({ratio:.2f} times as long) on sample {evidence.sample}, {evidence.threads} threads",
        fix="Export with --route standard and drop the custom operator, or make the kernel quicker",
        places=[context.place_of_function("forward")],
        evidence={"ratio": ratio, "custom_seconds": custom.median, "standard_seconds": standard.median},
    )


RULE = Rule(id="PRF007", title="Standard nodes are quicker", needs=SpeedEvidence, check=check, severity=Severity.NOTE)
