"""The exporter in use has no translation for the operator.

## What it finds
An export that stops with "unrecognized namespace" (TorchScript) or "No ONNX function found" (dynamo), with the
operator it names.

## Why it happens
A symbolic (``register_custom_op_symbolic``) is read by the TorchScript exporter only; a translation table is read by
the dynamo exporter only. The default exporter of PyTorch is dynamo since 2.9.

## How to fix
Use the studio's translations (leave ``[export] registration`` out), or register one for the exporter in use:
TorchScript takes ``register_custom_op_symbolic``, dynamo a ``custom_translation_table``. Or take the standard route:
the reference's own standard nodes.

## Source
``torch.onnx`` of PyTorch 2.13.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.exports import describe_export, place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import STUBS, registered_alike

_TORCHSCRIPT = re.compile(r"unrecognized namespace (\w+::\w+)|Couldn't export (?:Python )?operator (\S+)")
_DYNAMO = re.compile(r"No ONNX function found for <OpOverload\(op='([\w.]+)'")


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Recognise the exporters' words; a name that is nearly right is EXP003's."""
    for record in evidence.exports:
        found = _TORCHSCRIPT.search(record.error) or _DYNAMO.search(record.error)
        if found is None or registered_alike(context, record):
            continue
        operator = next(group for group in found.groups() if group)
        yield RULE.finding(
            context,
            title=f"The {record.request.exporter.value} exporter cannot translate {operator}",
            cause=f"{describe_export(record)}: {record.error.splitlines()[0]}",
            fix=STUBS[record.request.exporter].format(operator=operator, domain=context.contract.domain)
            + "; or export with --route standard",
            places=[place_of_user_line(record, evidence, context)],
            evidence={"error": record.error},
        )
        return


RULE = Rule(id="EXP001", title="The exporter cannot translate the operator", needs=ExportEvidence, check=check)
