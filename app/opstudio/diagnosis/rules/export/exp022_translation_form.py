"""A translation for the dynamo exporter has a form that it cannot use.

## What it finds
Messages of the dynamo exporter that say nothing of the translation at fault: "The number of values and replacements
must match", "Attribute … not found", "No schema registered for", "should be provided as an OpOverload".

## Why it happens
The table that ``register()`` returns has ``torch.ops.myops.swish`` as its key, which is several operators at once; a
function of ``@onnxscript.script`` does not say what it returns; a plain function writes a node of a domain that has no
schema.

## How to fix
Use ``torch.ops.myops.swish.default`` as the key. Annotate the function: ``-> FLOAT[...]``. Decorate it with
``@onnxscript.script(opset)``, or register a schema with ``onnx.defs`` first.

## Source
``torch.onnx`` of PyTorch 2.13 with onnxscript 0.7.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures
from opstudio.diagnosis.exports import describe_export, place_of_user_line
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import emissions, registrations

_KEY = "should be provided as an OpOverload"
_ANNOTATION = "values and replacements"


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Recognise the messages."""
    for record in failures(evidence, context, Failure.TRANSLATION_FORM):
        contract = context.contract
        if _KEY in record.error:
            fix = f"Use torch.ops.{contract.domain}.{contract.name}.default as the key"
            places = registrations(context, record)
        elif _ANNOTATION in record.error:
            fix = "Annotate what the function returns: -> FLOAT[...]"
            places = emissions(context, record)
        else:
            fix = f'Decorate the function with @onnxscript.script(Opset("{contract.domain}", {contract.version}))'
            places = emissions(context, record)
        yield RULE.finding(
            context,
            cause=f"{describe_export(record)}: {record.error.splitlines()[0][:300]}",
            fix=fix,
            places=places or [place_of_user_line(record, evidence, context)],
            evidence={"error": record.error},
        )
        return


RULE = Rule(id="EXP022", title="A translation has a form that dynamo cannot use", needs=ExportEvidence, check=check)
