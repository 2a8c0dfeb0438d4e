"""A shape behind a custom node is missing, or is not that of a real run.

## What it finds
The outputs of custom nodes and of the file, compared with the sizes that PyTorch computed: without any shape, with
another number of dimensions, with a number that is wrong, or with names that the exporter made up (``Swish3_dim_0``)
for sizes that never change.

## Why it happens
Nobody can infer the shape of a node that only its library knows. The TorchScript exporter takes it from the symbolic,
where it says ``setType``; the dynamo exporter takes it from the Meta kernel, right or wrong. Tools that need shapes,
such as quantisers and converters, stop behind the node.

## How to fix
In a symbolic: ``node.setType(x.type())``, with ``.with_sizes([…])`` where the shape is another one. For the dynamo
exporter: mend the Meta kernel (see REG004).

## Source
The exported file, compared with a run in PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.diagnosis.explanations import ExplanationContext, describe_attempt
from opstudio.diagnosis.rule import Rule
from opstudio.model.export_debugging.eager_records import SourceLine
from opstudio.model.export_debugging.records import Attempt, ShapeFault
from opstudio.model.export_request import Exporter


def check(evidence: Attempt, context: ExplanationContext) -> Iterable[Finding]:
    """Tell the first value that is wrong; those behind it follow from it."""
    for fault in evidence.shape_faults[:1]:
        found = f"is {fault.found}" if fault.found else "has no shape"
        yield RULE.finding(
            context,
            title=_title(fault),
            cause=f"{describe_attempt(evidence)}: {fault.value}{_behind(fault)} {found} in the file, "
            f"{fault.expected} in PyTorch",
            fix=_fix(evidence.exporter, fault),
            places=[context.place(_line(evidence, fault))],
            evidence={"value": fault.value, "found": fault.found, "expected": fault.expected},
            severity=Severity.ERROR if fault.is_rank and fault.found else Severity.WARNING,
        )


def _title(fault: ShapeFault) -> str:
    if not fault.found:
        return f"The shape of {fault.value} is missing"
    return f"The shape of {fault.value} {'has another rank' if fault.is_rank else 'is not that of a run'}"


def _behind(fault: ShapeFault) -> str:
    return f" behind {fault.operator or fault.node}" if fault.operator or fault.node else ""


def _fix(exporter: Exporter, fault: ShapeFault) -> str:
    name = fault.operator or "the operator"
    if exporter is Exporter.TORCHSCRIPT:
        return f"Say it in the symbolic of {name}: node.setType(x.type()), or x.type().with_sizes([…])"
    return f"Mend the Meta kernel of {name} (see REG004)"


def _line(attempt: Attempt, fault: ShapeFault) -> SourceLine | None:
    return next((item.at for item in attempt.origins if item.node == fault.node and item.at is not None), None)


RULE = Rule(id="EXP015", title="A shape behind a custom node is wrong", needs=Attempt, check=check)
