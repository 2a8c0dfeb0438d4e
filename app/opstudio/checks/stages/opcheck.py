"""PyTorch's own tests of custom operators: schema, autograd registration, fake tensors, compiled autograd."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from opstudio.checks.cases import cut_shapes, make_case
from opstudio.checks.check import Check, Pace
from opstudio.checks.subject import Subject

_ELEMENTS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class OpcheckResult:
    """One sample: for each of PyTorch's tests an empty text, or why it failed."""

    name: str
    tests: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpcheckEvidence:
    """All samples."""

    samples: tuple[OpcheckResult, ...]

    @property
    def good(self) -> bool:
        """Whether every test passed."""
        return not any(text for sample in self.samples for text in sample.tests.values())

    @property
    def summary(self) -> str:
        """One line for people."""
        return f"{sum(len(sample.tests) for sample in self.samples)} tests passed"


def run(subject: Subject) -> OpcheckEvidence:
    """Run ``torch.library.opcheck`` on every sample, cut, with gradients where the contract has them."""
    contract = subject.contract
    differentiated = contract.gradient.inputs if contract.gradient else ()
    results: list[OpcheckResult] = []
    for sample in contract.samples:
        case = make_case(
            contract,
            sample,
            cut_shapes(contract, sample, subject.accepts, elements=_ELEMENTS),
            next(contract.type_combinations()),
        )
        subject.progress("opcheck", case.name)
        for name in differentiated:
            for tensor in case.inputs[name]:
                tensor.requires_grad_(tensor.is_floating_point())
        results.append(OpcheckResult(name=case.name, tests=_opcheck(subject, case.arguments(contract))))
    return OpcheckEvidence(samples=tuple(results))


def _opcheck(subject: Subject, arguments: list[object]) -> dict[str, str]:
    import torch

    # The guards of the checks would make every output a foreign storage, which fake tensors cannot follow.
    subject.set_guards(False, False)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outcome = torch.library.opcheck(subject.operator.default, tuple(arguments), raise_exception=False)
    finally:
        subject.set_guards(True, False)
    return {name: "" if result == "SUCCESS" else _text(result) for name, result in outcome.items()}


def _text(result: object) -> str:
    return f"{type(result).__name__}: {result}" if isinstance(result, BaseException) else str(result)


CHECK = Check(
    id="opcheck",
    title="PyTorch's opcheck",
    order=130,
    pace=Pace.SLOW,
    evidence=OpcheckEvidence,
    run=run,
    needs=("value",),
    quiet_seconds=60.0,
)
