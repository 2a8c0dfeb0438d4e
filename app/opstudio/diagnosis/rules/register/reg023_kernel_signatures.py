"""The kernels of one operator have different C++ signatures.

## What it finds
PyTorch's refusal at load: the CPU kernel and another one (Meta, CUDA) take their arguments in different C++ types,
such as ``Tensor`` and ``const Tensor&``. The process ends there.

## Why it happens
The functions were written by different hands; both fit the schema, but the dispatcher asks for one signature.

## How to fix
Give all kernels of an operator the same signature: ``const at::Tensor&`` for tensors.

## Source
PyTorch's dispatcher ("Mismatch in kernel C++ signatures").
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.registration import Refusal, refusal_of, refusal_text
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Outcome

_KERNEL = re.compile(
    r"kernel \d+: (?P<signature>.+?) dispatch key: (?P<key>\S+) registered at (?P<file>[^\s:]+):(?P<line>\d+)"
)


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Recognise the refusal and show both signatures."""
    if refusal_of(outcome) is not Refusal.KERNEL_SIGNATURES:
        return
    said = refusal_text(outcome)
    kernels = list(_KERNEL.finditer(said))
    text = "; ".join(f"{found['key']}: {found['signature']}" for found in kernels) or said[:400]
    yield RULE.finding(
        context,
        cause=text,
        fix="Give all kernels of the operator one signature: const at::Tensor& for tensors",
        places=[Place(file=context.relative(found["file"]), line=int(found["line"])) for found in kernels],
        evidence={"message": said},
    )


RULE = Rule(
    id="REG023", title="Kernels have different C++ signatures", needs=Outcome, check=check, stages=("register",)
)
