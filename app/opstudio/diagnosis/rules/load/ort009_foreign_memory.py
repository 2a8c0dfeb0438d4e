"""The kernel frees memory of the runtime, or keeps it beyond the call.

## What it finds
What AddressSanitizer tells of memory that the kernel was handed, outputs above all: freed inside the kernel, or used
after the call in which it was handed over. The function that frees is named, and the line that calls it.

## Why it happens
A wrapper takes ownership of a pointer it was only lent: a smart pointer, a tensor made over the data with a deleter.
Or a pointer stays in a static variable, a cache or a thread, and a later call finds other data behind it, or nothing.
The runtime frees and reuses its memory by its own plan; the crash shows far away, in a session that looks innocent.

## How to fix
Leave memory that you were handed to its owner, and take pointers anew in every call. What must outlive a call is
copied into memory of the kernel's own.

## Source
AddressSanitizer of the workspace's compiler; ONNX Runtime's C API, where ``KernelContext_GetOutput`` lends tensors that
the runtime owns.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.sanitizer import SanitizerEvidence
from opstudio.diagnosis.reports import foreign_memory
from opstudio.diagnosis.rule import Rule, RuleContext


def check(evidence: SanitizerEvidence, context: RuleContext) -> Iterable[Finding]:
    """Tell who frees, or that the memory was kept."""
    for run in evidence.runs:
        for report in run.reports:
            found = foreign_memory(report, context)
            if found is None:
                continue
            if found.call:
                title = f"The kernel frees memory of the runtime: {found.call}"
                cause = f"{found.call} is called on memory that the kernel was handed, while running {report.call}"
                fix = f"Remove the call of {found.call}: the runtime frees what it allocated"
            else:
                title = "The kernel keeps memory of the runtime"
                cause = f"Memory that an earlier call was handed is used while running {report.call}"
                fix = "Take the pointer anew in every call, and copy what must outlive a call"
            yield RULE.finding(
                context,
                title=title,
                cause=cause,
                fix=fix,
                places=[found.place],
                evidence={"output": run.output},
            )


RULE = Rule(id="ORT009", title="The kernel frees or keeps memory of the runtime", needs=SanitizerEvidence, check=check)
