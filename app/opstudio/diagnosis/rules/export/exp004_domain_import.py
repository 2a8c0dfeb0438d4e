"""The file does not import the operator's domain, or imports another version of it.

## What it finds
``opset_import`` of the file against the domain and version of the contract, and exports that stop because two nodes
ask for different versions of one domain: a file imports one.

## Why it happens
TorchScript adds version 1 by itself and warns only on standard error when ``custom_opsets`` names another domain; the
dynamo exporter ignores ``custom_opsets``.

## How to fix
Pass ``custom_opsets={"myops": 1}`` to the TorchScript exporter; in a translation table use
``onnxscript.values.Opset("myops", 1)``.

## Source
The exported file.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.export import ExportEvidence
from opstudio.diagnosis.export_failures import Failure, failures
from opstudio.diagnosis.exports import describe_export, differing, place_of_model
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.symbolics import imports
from opstudio.model.expectation import DifferenceKind


def check(evidence: ExportEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell every domain once."""
    for record, difference in differing(evidence, DifferenceKind.IMPORT_MISSING, DifferenceKind.IMPORT_VERSION):
        yield RULE.finding(
            context,
            cause=f"{describe_export(record)}: asked for {difference.asked}, the file has {difference.found}",
            fix=f"Import {difference.asked}: custom_opsets, or Opset(domain, version) in the translation",
            places=imports(context, record, difference.subject) or [place_of_model(evidence, context)],
        )
    for record in failures(evidence, context, Failure.DOMAIN_VERSIONS):
        domain, version = context.contract.domain, context.contract.version
        yield RULE.finding(
            context,
            title="The file would import two versions of a domain",
            cause=f"{describe_export(record)}: {record.error.splitlines()[0]}",
            fix=f'State the same version wherever a node of the domain is written: Opset("{domain}", {version})',
            places=imports(context, record, domain) or [place_of_model(evidence, context)],
            evidence={"error": record.error},
        )
        return


RULE = Rule(id="EXP004", title="The file does not import the domain as asked", needs=ExportEvidence, check=check)
