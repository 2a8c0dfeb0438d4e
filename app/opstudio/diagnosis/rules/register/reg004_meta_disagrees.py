"""The Meta kernel, the real kernel and the reference do not agree on a shape or a type.

## What it finds
For every sample and for sizes around it: shape, type and strides of each output on the Meta device, on real data, and
of the reference, side by side.

## Why it happens
The shape rule of the contract is wrong, or a Meta kernel was copied from an element-wise operator (``empty_like`` in a
pooling operator). Nothing complains: the exported model carries the wrong shape, and an error appears far behind.

## How to fix
Correct the shape rule (``shape = …`` of the output), or the Meta kernel in sources of your own. Division in a shape
rule rounds down: ``(H + 2*padding - kernel)//stride + 1``.

## Source
The operator run on ``device="meta"``, on real data, and the reference.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Json, Place
from opstudio.checks.stages.meta import FormResult, MetaEvidence, TensorForm
from opstudio.contract.operator import KernelKind
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: MetaEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell the first case in which two sides differ, once for each output."""
    told: set[str] = set()
    for case in evidence.cases:
        for position, output in enumerate(context.contract.outputs):
            difference = _difference(case, position)
            if difference is None or output.name in told:
                continue
            told.add(output.name)
            yield RULE.finding(
                context,
                title=f"The shape of {output.name} is wrong"
                if difference[0] == "shape"
                else f"The {difference[0]} of {output.name} is wrong",
                cause=f"{case.name}, input {_forms(case.inputs)}: {difference[1]}",
                fix=_fix(context, output.shape),
                places=[_place(context, output.name)],
                evidence=_evidence(case),
            )


def _difference(case: FormResult, position: int) -> tuple[str, str] | None:
    """Return what differs at one output (shape, type or strides) and how, or ``None``."""
    sides = {"Meta": case.meta, "the kernel": case.real, "the reference": case.reference}
    forms = {name: side[position] for name, side in sides.items() if len(side) > position}
    for what in ("shape", "type"):
        values = {name: getattr(form, what) for name, form in forms.items()}
        if len(set(values.values())) > 1:
            return what, ", ".join(f"{name} says {_text(value)}" for name, value in values.items())
    if "Meta" in forms and "the kernel" in forms and forms["Meta"].strides != forms["the kernel"].strides:
        ours, theirs = forms["Meta"].strides, forms["the kernel"].strides
        return "strides", f"Meta says strides {list(ours)}, the kernel returns {list(theirs)}"
    return None


def _text(value: object) -> str:
    return str(list(value)) if isinstance(value, tuple) else str(value)


def _forms(forms: tuple[TensorForm, ...]) -> str:
    return ", ".join(str(list(form.shape)) for form in forms)


def _fix(context: RuleContext, rule: str) -> str:
    if context.contract.kernel.kind is KernelKind.NATIVE:
        return f"Correct the shape rule: {rule}"
    return "Correct the Meta kernel, so that it returns what the real kernel returns"


def _place(context: RuleContext, output: str) -> Place:
    if context.contract.kernel.kind is KernelKind.NATIVE:
        return context.place_in_contract(context.output_path(output, "shape"), at_value=True)
    return context.place_of_function("meta")


def _evidence(case: FormResult) -> dict[str, Json]:
    sides = {"inputs": case.inputs, "meta": case.meta, "kernel": case.real, "reference": case.reference}
    return {name: [{"shape": list(form.shape), "type": form.type} for form in side] for name, side in sides.items()}


RULE = Rule(id="REG004", title="Shapes do not agree", needs=MetaEvidence, check=check)
