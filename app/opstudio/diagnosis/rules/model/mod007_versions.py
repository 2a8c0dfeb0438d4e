"""The file does not say its versions, or says ones that the runtime does not know.

## What it finds
A missing IR version or opset, and versions of the file format or of a domain above those that the runtime reads. Even
an import that no node uses is enough to have the file refused, and so is one of a function that nobody calls.
Functions must import the standard domain by its empty name: ``ai.onnx`` is another domain there, in models it is not.

## Why it happens
The exporter is newer than the runtime, or a tool wrote the file without its head.

## How to fix
Export again with the newest version that the runtime knows, use a newer runtime, or drop imports that no node uses.

## Source
The runtime, asked with models of one node up to which version it takes them.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.file_checks import FileProblem, FileProblemKind

_KINDS = (
    FileProblemKind.NO_IR_VERSION,
    FileProblemKind.IR_VERSION,
    FileProblemKind.NO_OPSETS,
    FileProblemKind.OPSET,
    FileProblemKind.FUNCTION_OPSET,
    FileProblemKind.FUNCTION_DOMAIN,
)

_IR_VERSION = r"Unsupported model IR version: (\d+), max supported IR version: (\d+)"
_OPSET = r"Opset (\d+) is under development .{0,800}? support for domain (\S+) is till opset (\d+)"


def check(evidence: GraphEvidence | RuntimeMessage, context: ModelContext) -> Iterable[Finding]:
    """Tell each version."""
    if isinstance(evidence, RuntimeMessage):
        yield from _told(evidence, context)
        return
    for problem in evidence.problems:
        if problem.kind in _KINDS:
            yield RULE.finding(
                context,
                cause=problem.reason,
                fix=_fix(evidence, problem),
                places=[Place(file=context.file)],
                evidence={"found": problem.found, "limit": problem.limit},
            )


def _told(message: RuntimeMessage, context: Context) -> Iterable[Finding]:
    for found, limit in (match.groups() for match in message.find(_IR_VERSION)):
        yield RULE.finding(
            context,
            cause=f"the file has IR version {found}; this ONNX Runtime reads up to {limit}",
            fix=f"Write it with IR version {limit}: opstudio fix MODEL --apply lower-ir:{limit} -o NEW.onnx",
        )
    for found, domain, limit in (match.groups() for match in message.find(_OPSET)):
        yield RULE.finding(
            context,
            cause=f"the file imports {domain} {found}; this ONNX Runtime knows up to {limit}",
            fix=f"Export with opset {limit} or lower, or use a newer runtime",
        )


def _fix(evidence: GraphEvidence, problem: FileProblem) -> str:
    if problem.kind is FileProblemKind.IR_VERSION:
        return f"Write it with IR version {problem.limit} or lower, or use a newer runtime"
    if problem.kind is FileProblemKind.FUNCTION_DOMAIN:
        return 'Import it in the function without a name: helper.make_opsetid("", VERSION)'
    if problem.kind is FileProblemKind.FUNCTION_OPSET:
        version = evidence.model.opsets.get(problem.subject, problem.limit)
        return f"Import {problem.subject or 'ai.onnx'} {version} in the function: its nodes run at the model's version"
    if problem.kind is not FileProblemKind.OPSET:
        return "Export the model again; a file without its versions has no meaning"
    if all(item.node.domain != problem.subject for item in evidence.nodes):
        return "Drop the import: no node uses the domain"
    return f"Export with opset {problem.limit} or lower, or use a newer runtime"


RULE = Rule(
    id="MOD007", title="Versions that the runtime does not know", needs=(GraphEvidence, RuntimeMessage), check=check
)
