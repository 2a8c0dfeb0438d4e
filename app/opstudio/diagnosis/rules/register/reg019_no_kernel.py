"""The operator has no kernel for the tensors' backend.

## What it finds
A schema without a kernel under CPU (or under what stands for it); PyTorch then answers "Could not run … with arguments
from the 'CPU' backend".

## Why it happens
The name in ``m.impl`` differs from that in ``m.def`` by a letter, which loads in silence; the file with
``TORCH_LIBRARY_IMPL`` was not compiled; the library that holds it failed to load earlier.

## How to fix
Spell the name in ``m.impl`` as in ``m.def``, and list the file in ``[kernel] sources``.

## Source
``torch._C._dispatch_has_kernel_for_dispatch_key``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.base.names import nearest_name
from opstudio.checks.stages.register import RegisterEvidence
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines


def check(evidence: RegisterEvidence, context: RuleContext) -> Iterable[Finding]:
    """Look for the CPU kernel, and for a name that is nearly right."""
    if "CPU" not in evidence.missing_kernels:
        return
    name = context.contract.name
    implementations = find_lines(context, r"\.\s*impl\s*\(\s*\"([\w:]+)\"")
    written = [match[1].rpartition("::")[2] for _, match in implementations]
    near = nearest_name(name, [other for other in written if other != name])
    hint = f"; an implementation is registered as {near}" if near else ""
    yield RULE.finding(
        context,
        cause=f"{context.contract.qualified_name} has a schema but no kernel for CPU{hint}",
        fix=f'Register it: TORCH_LIBRARY_IMPL({context.contract.domain}, CPU, m) {{ m.impl("{name}", &…); }}',
        places=[place for place, match in implementations if near and match[1].endswith(near)]
        or [context.place_of_function("forward")],
        evidence={"kernels": dict(evidence.kernels)},
    )


RULE = Rule(id="REG019", title="There is no kernel for the CPU", needs=RegisterEvidence, check=check)
