"""The operator is known, and no chosen execution provider has a kernel for it.

## What it finds
Nodes whose definition the runtime knows, without a kernel for this version, these types or these providers; parts that
were compiled for another provider; operators on strings whose locale this system lacks. ONNX Runtime says
``Could not find an implementation``.

## Why it happens
The type is one that the provider does not compute in, such as bfloat16 on the CPU; the operator has a kernel in another
build of the runtime only; or the provider that the model was made for was not chosen, or is not there.

## How to fix
Cast to a type that has a kernel, choose the provider, or raise the opset with which the model is exported. Install the
locale where one is missing.

## Source
The runtime's own list of kernels.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext, NodeGroup, count_nodes, groups
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.resolution.evidence import GraphEvidence
from opstudio.model.resolution.file_checks import FileProblemKind
from opstudio.model.resolution.records import Step

_MESSAGE = r"Could not find an implementation for (\S+)\((\d+)\) node with name '([^']*)'"


def check(evidence: GraphEvidence | RuntimeMessage, context: ModelContext) -> Iterable[Finding]:
    """Tell each operator and type once."""
    if isinstance(evidence, RuntimeMessage):
        yield from _told(evidence, context)
        return
    for group in groups(evidence, lambda _item, fault: fault.step in (Step.PROVIDER, Step.KERNEL)):
        yield group.finding(
            RULE,
            context,
            title=f"No kernel for {group.operator}",
            cause=f"{count_nodes(group.nodes)}: {group.fault.reason}",
            fix=_fix(group),
        )
    for problem in evidence.problems:
        if problem.kind is FileProblemKind.LOCALE:
            yield RULE.finding(
                context,
                title=f"The locale {problem.subject} is missing",
                cause=problem.reason,
                fix=f"Install the locale: locale-gen {problem.subject}",
                places=[Place(file=context.file)],
            )


def _told(message: RuntimeMessage, context: Context) -> Iterable[Finding]:
    for kind, version, name in (match.groups() for match in message.find(_MESSAGE)):
        yield RULE.finding(
            context,
            title=f"No kernel for {kind}",
            cause=f"no execution provider of the session has a kernel of {kind}, version {version}, for these types",
            fix="opstudio graph MODEL tells the types that reach the node and those that have a kernel",
            places=[Place(node=name)] if name else [],
        )


def _fix(group: NodeGroup) -> str:
    if group.fault.step is Step.KERNEL and group.fault.candidates:
        return f"Cast to a type that has a kernel: {'; '.join(group.fault.candidates[:4])}"
    if group.fault.candidates:
        return f"Choose {' or '.join(group.fault.candidates)}, where it is installed, or ask for the original model"
    return "Use a build of ONNX Runtime with a provider that has it, or write the operator otherwise"


RULE = Rule(id="ORT016", title="No kernel for a known operator", needs=(GraphEvidence, RuntimeMessage), check=check)
