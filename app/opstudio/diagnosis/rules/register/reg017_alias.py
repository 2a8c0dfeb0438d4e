"""The operator changes an input, or returns memory of one.

## What it finds
Inputs are placed in memory that cannot be written to, so that a write stops at its line; for other libraries they are
compared before and after. Outputs whose memory is that of an input are found by their storage.

## Why it happens
A kernel computes in place to save a buffer; a "nothing to do" branch returns ``x`` itself. Autograd,
``torch.compile`` and ONNX Runtime all assume that inputs stay as they are and outputs are new, unless the schema says
otherwise.

## How to fix
Write to the output only; return ``x.clone()`` where nothing is to be done. If the operator is meant to change its
input, declare it: ``mutable = true`` (``Tensor(a!)`` in the schema).

## Source
mprotect(2); ``torch.library.opcheck`` (test_schema) finds the same in part.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding
from opstudio.checks.stages.alias import AliasEvidence
from opstudio.diagnosis.places import places_of
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.worker.outcome import Ending, Outcome


def check(evidence: AliasEvidence | Outcome, context: RuleContext) -> Iterable[Finding]:
    """Look at what the calls left behind, or at the write that stopped the worker."""
    if isinstance(evidence, Outcome):
        if evidence.ending is Ending.CRASHED and evidence.signal in ("SIGSEGV", "SIGBUS"):
            yield RULE.finding(
                context,
                title="The kernel writes to its input",
                cause=f"a write to read-only memory while running {evidence.doing}: that is where the inputs are",
                fix="Write to the output only; use call.scratch<T>(count) for intermediate results",
                places=places_of(evidence, context),
            )
        return
    for case in evidence.cases:
        if case.changed:
            yield RULE.finding(
                context,
                title=f"Input {case.changed[0]} is changed",
                cause=f"{', '.join(case.changed)} differs after the call in {case.name}, undeclared",
                fix="Write to the output only, or declare the change: mutable = true on the input",
                places=[context.place_of_function("forward")],
            )
            return
        if case.shared:
            output, name = case.shared[0]
            yield RULE.finding(
                context,
                title=f"Output {output} is memory of input {name}",
                cause=f"{output} and {name} have the same storage in {case.name}",
                fix="Return a new tensor; where nothing is to be done, return x.clone()",
                places=[context.place_of_function("forward")],
            )
            return


RULE = Rule(id="REG017", title="Memory is shared", needs=(AliasEvidence, Outcome), check=check, stages=("alias",))
