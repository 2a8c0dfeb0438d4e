"""A translation begins with an opset above the exported one.

## What it finds
PyTorch's "Support for this operator was added in version N, try exporting with this version", with the line of the
registration or, for one of PyTorch's own operators, of the call.

## Why it happens
The third argument of ``register_custom_op_symbolic`` is the first opset that the translation is for. Older releases of
PyTorch ignored such a registration in silence and left the node untranslated.

## How to fix
Register the symbolic for the opset that you export, or an earlier one; or export a later opset.

## Source
``torch.onnx`` of PyTorch 2.13.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures, later_opset
from opstudio.diagnosis.exports import place_of_call
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import registrations


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Recognise the message and name both opsets."""
    for record in failures(evidence, context, Failure.LATER_OPSET):
        operator, opset = later_opset(record)
        own = operator == context.contract.qualified_name
        call = place_of_call(record, evidence, context, operator)
        yield RULE.finding(
            context,
            cause=f"the translation of {operator} is for opset {opset} and later, the export asks for "
            f"{record.request.opset}",
            fix=(f"Register it for opset {record.request.opset} or earlier, or export" if own else "Export")
            + f" with --opset {opset}",
            places=(registrations(context, record) if own else []) or [call],
            evidence={"error": record.error},
        )
        return


RULE = Rule(id="EXP002", title="A translation is for later opsets only", needs=ExportEvidence, check=check)
