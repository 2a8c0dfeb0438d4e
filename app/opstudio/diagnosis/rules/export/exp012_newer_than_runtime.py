"""The file is newer than the runtime that is to load it.

## What it finds
The opset and the IR version of an exported file, above those that a release of ONNX Runtime loads: the one of the
workspace, or the one that ``--runtime`` names.

## Why it happens
Exporters write for the newest runtime unless they are told otherwise: the dynamo exporter writes IR version 10, which
ONNX Runtime takes from 1.18 on. The runtime refuses the whole file, whatever its nodes need.

## How to fix
Export with the newest opset that the runtime knows. The IR version follows from the exporter: TorchScript writes an
older one; or lower ``model.ir_version`` with the ``onnx`` package where the file uses nothing newer.

## Source
The table ``resources/tables/runtimes.toml``, measured with each release.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.diagnosis.explanations import ExplanationContext, describe_attempt
from opstudio.diagnosis.rule import Rule
from opstudio.model.export_debugging.records import Attempt
from opstudio.model.export_request import Exporter

_FIRST_OPSET = {Exporter.DYNAMO: 18, Exporter.TORCHSCRIPT: 7}
"""The oldest opset that an exporter writes of every model."""


def check(evidence: Attempt, context: ExplanationContext) -> Iterable[Finding]:
    """Compare both versions with the table's."""
    summary, limit = evidence.record.summary, context.runtime
    if summary is None or limit is None:
        return
    opset = summary.imports.get("", 0)
    if opset > limit.opset:
        yield RULE.finding(
            context,
            title=f"ONNX Runtime {limit.release} does not know opset {opset}",
            cause=f"{describe_attempt(evidence)}: the file needs opset {opset}, the runtime loads up to {limit.opset}",
            fix=_fix_of_opset(evidence.exporter, limit.opset),
            places=[context.place(None)],
            evidence={"found": opset, "limit": limit.opset, "source": limit.source},
        )
    if summary.ir_version > limit.ir_version:
        yield RULE.finding(
            context,
            title=f"ONNX Runtime {limit.release} does not read IR version {summary.ir_version}",
            cause=f"{describe_attempt(evidence)}: the file has IR version {summary.ir_version}, the runtime reads "
            f"up to {limit.ir_version}",
            fix=f"Set model.ir_version = {limit.ir_version} with onnx and save it again, or use a newer runtime",
            places=[context.place(None)],
            evidence={"found": summary.ir_version, "limit": limit.ir_version, "source": limit.source},
        )


def _fix_of_opset(exporter: Exporter, newest: int) -> str:
    if newest < _FIRST_OPSET[exporter]:
        return f"Export with --exporter torchscript --opset {newest}"
    return f"Export with --opset {newest}"


RULE = Rule(id="EXP012", title="The file is newer than the runtime", needs=Attempt, check=check)
