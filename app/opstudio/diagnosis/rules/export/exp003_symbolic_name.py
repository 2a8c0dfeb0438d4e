"""A translation is registered under a name that is not the operator's.

## What it finds
A registration whose name differs from the dispatcher's by its case, its separator or a letter, while the operator
itself finds no translation.

## Why it happens
``register_custom_op_symbolic("myops::Swish", …)`` does not serve ``myops::swish``; ``myops.swish`` serves nothing.
PyTorch refuses a name with a dot, and takes any other without a word.

## How to fix
Write the name as ``m.def`` does: ``myops::swish``.

## Source
The registration file, compared with the dispatcher's names.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import registered_alike


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Compare the registered names with the contract's, where the export found no translation."""
    name = context.contract.qualified_name
    for record in failures(evidence, context, Failure.OTHER_NAME):
        alike = registered_alike(context, record)
        assert alike is not None, "that is what the failure is"
        place, written = alike
        yield RULE.finding(
            context,
            cause=f"a translation is registered for {written}, the operator is {name}",
            fix=f'Register it as "{name}"',
            places=[place],
            evidence={"error": record.error},
        )
        return


RULE = Rule(id="EXP003", title="A translation is registered under another name", needs=ExportEvidence, check=check)
