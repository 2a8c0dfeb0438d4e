"""ONNX Runtime's graph optimisation changes the result, or the exported model does not run.

## What it finds
Exported files are run at every level, at the example's size and at another one; outputs are compared with PyTorch,
and the custom nodes of the optimised graph are counted.

## Why it happens
A fusion that does not hold for this model; a size that was baked in and meets another one; an operator library that
does not fit the file.

## How to fix
Where only some levels differ, disable the optimisation that the level adds (``disabled_optimizers``) and report it
with the two graphs. Where all differ, compare export and kernel first.

## Source
``onnxruntime.GraphOptimizationLevel``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.optimization import LEVELS, LevelResult, OptimizationEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.wording import comparison_evidence, describe_comparison, join_names
from opstudio.parity.comparison import Comparison


def check(evidence: OptimizationEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell each file that is wrong once, with the levels at which it is."""
    for file in dict.fromkeys(result.file for result in evidence.results):
        wrong = [result for result in evidence.results if result.file == file and not result.good]
        if not wrong:
            continue
        everywhere = len(wrong) == len(LEVELS)
        yield RULE.finding(
            context,
            title=f"{file} does not run as PyTorch does" if everywhere else f"{file} differs between levels",
            cause=f"{_reason(wrong[0])} at {join_names([result.level for result in wrong])}",
            fix="Compare export and kernel first: every level differs"
            if everywhere
            else "Disable what the level adds (disabled_optimizers), and report it with both graphs",
            places=[context.place_in_contract(("operator", "name"))],
            evidence=comparison_evidence(_bad(wrong[0])[0]) if _bad(wrong[0]) else {},
        )


def _bad(result: LevelResult) -> list[Comparison]:
    return [item for item in (*result.comparisons, *result.grown) if not item.agrees]


def _reason(result: LevelResult) -> str:
    if result.error:
        return result.error[:400]
    if bad := _bad(result):
        size = "" if bad[0] in result.comparisons else "at another size, "
        return size + describe_comparison(bad[0])
    return f"{result.custom_nodes} of {result.custom_nodes_asked} custom nodes are left"


RULE = Rule(id="ORT010", title="Optimisation changes the result", needs=OptimizationEvidence, check=check)
