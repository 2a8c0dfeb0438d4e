"""No output shares memory with an input, and no input is changed, unless the contract declares it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from opstudio.checks.cases import cut_cases
from opstudio.checks.check import Check, Pace
from opstudio.checks.results import CallError, attempt
from opstudio.checks.subject import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasResult:
    """One case: which outputs share memory with which inputs, and which inputs were changed."""

    name: str
    shared: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()
    error: CallError | None = None

    @property
    def good(self) -> bool:
        """Whether the call left its inputs alone."""
        return self.error is None and not self.shared and not self.changed


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasEvidence:
    """All cases."""

    cases: tuple[AliasResult, ...]

    @property
    def good(self) -> bool:
        """Whether every call left its inputs alone."""
        return all(case.good for case in self.cases)

    @property
    def summary(self) -> str:
        """One line for people."""
        return f"{len(self.cases)} calls left their inputs alone"


def run(subject: Subject) -> AliasEvidence:
    """Call the operator with inputs that stop the process when they are written to, where the host can do that.

    Other libraries are watched by comparing the inputs before and after.
    """
    results: list[AliasResult] = []
    subject.set_guards(True, True)
    try:
        for case in cut_cases(subject.contract, subject.accepts):
            subject.progress("alias", case.name)
            before = {name: tuple(tensor.clone() for tensor in group) for name, group in case.inputs.items()}
            outputs, error = attempt(subject, lambda case=case: subject.call(case))  # type: ignore[misc]
            shared = [
                (output.name, name)
                for output, tensor in zip(subject.contract.outputs, outputs, strict=False)
                for name, group in case.inputs.items()
                if any(_share_memory(tensor, other) for other in group)
            ]
            declared = {item.name for item in subject.contract.inputs if item.mutable}
            changed = [
                name
                for name, group in case.inputs.items()
                if name not in declared and not all(_same_bits(a, b) for a, b in zip(before[name], group, strict=True))
            ]
            results.append(AliasResult(name=case.name, shared=tuple(shared), changed=tuple(changed), error=error))
    finally:
        subject.set_guards(True, False)
    return AliasEvidence(cases=tuple(results))


def _share_memory(first: Any, second: Any) -> bool:
    # Storages without elements all start at address zero.
    address = first.untyped_storage().data_ptr()
    return bool(address != 0 and first.numel() > 0 and address == second.untyped_storage().data_ptr())


def _same_bits(first: Any, second: Any) -> bool:
    import torch

    if first.numel() == 0:
        return True
    return bool(
        torch.equal(first.contiguous().view(-1).view(torch.uint8), second.contiguous().view(-1).view(torch.uint8))
    )


CHECK = Check(
    id="alias",
    title="Aliasing",
    order=45,  # before the values: a kernel that writes to its input is wrong there as well, which only follows
    pace=Pace.FAST,
    evidence=AliasEvidence,
    run=run,
    needs=("meta",),
)
