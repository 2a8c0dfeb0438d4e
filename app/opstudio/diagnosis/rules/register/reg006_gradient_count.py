"""The backward function returns another number of gradients than there are arguments, or one of the wrong kind.

## What it finds
Autograd's refusal of a backward function: too few or too many gradients, a gradient for an argument that is no tensor,
or a gradient of the wrong shape.

## Why it happens
A backward function returns one value for each argument of forward, in their order; arguments that are no tensors
(scale, axis) get an undefined tensor. Forgetting these is the usual mistake. PyTorch accepts an undefined one too
many in silence.

## How to fix
Return one entry for each argument of ``forward``: ``{grad_x, torch::Tensor(), torch::Tensor()}``.

## Source
``torch/csrc/autograd/custom_function.h`` of PyTorch 2.13.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.gradient import GradientEvidence
from opstudio.contract.schema_parser import parse_schema
from opstudio.contract.torch_schema import render_schema
from opstudio.diagnosis.rule import Rule, RuleContext

_COUNT = re.compile(r"incorrect number of gradients \(expected (\d+), got (\d+)\)")
_POSITION = re.compile(r"returned a gradient different that is defined at position (\d+)")
_SHAPE = re.compile(r"invalid gradient at index (\d+) - got (\[[^]]*\]) but expected shape compatible with (\[[^]]*\])")


def check(evidence: GradientEvidence, context: RuleContext) -> Iterable[Finding]:
    """Recognise autograd's words and name the argument."""
    names = [argument.name for argument in parse_schema(render_schema(context.contract)).arguments]
    for case in evidence.cases:
        text = case.error.message if case.error else ""
        cause = _explain(text, names)
        if cause:
            yield RULE.finding(
                context,
                cause=cause,
                fix="Return each gradient in the shape of its argument"
                if _SHAPE.search(text)
                else f"Return one entry for each argument of forward: {', '.join(names)}; those that are no tensors "
                "get torch::Tensor()",
                places=[context.place_of_function("backward")],
                evidence={"message": text},
            )
            return


def _explain(text: str, names: list[str]) -> str:
    if found := _COUNT.search(text):
        expected, got = int(found[1]), int(found[2])
        partner = names[got] if got < len(names) else ""
        tail = f"; {partner} is the first argument without a partner" if partner else ""
        return f"backward returns {got} gradient{'s' * (got != 1)}, forward has {expected} arguments{tail}"
    if found := _POSITION.search(text):
        position = int(found[1])
        name = names[position - 1] if 0 < position <= len(names) else f"number {position}"
        return f"backward returns a gradient for {name}, which is no tensor"
    if found := _SHAPE.search(text):
        position = int(found[1])
        name = names[position] if position < len(names) else f"number {position}"
        return f"the gradient of {name} has shape {found[2]}, the argument {found[3]}"
    return ""


RULE = Rule(id="REG006", title="backward returns the wrong gradients", needs=GradientEvidence, check=check)
