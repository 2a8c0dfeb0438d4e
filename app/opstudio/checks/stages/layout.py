"""The same values give the same result in every memory layout, and shapes without elements give shapes.

The kernel is held against itself on contiguous data, so that this stage speaks of layouts only.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from opstudio.checks.cases import Case, cut_cases, cut_shapes, make_case
from opstudio.checks.check import Check, Pace
from opstudio.checks.layouts import LAYOUTS, empty_shapes, laid_out
from opstudio.checks.results import CaseResult, attempt, compare_outputs, shapes_of
from opstudio.checks.subject import Subject
from opstudio.contract.operator import Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutEvidence:
    """All cases. ``strided`` says whether the kernel itself follows strides, or its host hands it contiguous data."""

    cases: tuple[CaseResult, ...]
    strided: bool

    @property
    def good(self) -> bool:
        """Whether every layout gives the same."""
        return all(case.good for case in self.cases)

    @property
    def summary(self) -> str:
        """One line for people."""
        return f"{len(self.cases)} layouts and shapes, each as contiguous data"


def run(subject: Subject) -> LayoutEvidence:
    """Run every layout of every sample, cut, in every type."""
    results = [
        result
        for case in cut_cases(subject.contract, subject.accepts)
        for layout in LAYOUTS
        if (result := _run_layout(subject, case, layout)) is not None
    ]
    results += _run_empty(subject)
    return LayoutEvidence(cases=tuple(results), strided=subject.contract.kernel.strided)


def _run_layout(subject: Subject, case: Case, layout: str) -> CaseResult | None:
    views = laid_out(case.inputs, layout)
    if views is None:
        return None
    name = f"{layout}, {case.name}"
    subject.progress("layout", name)
    # An expanded view has fewer values than the case: the contiguous copy of the view itself is what it must equal.
    plain = {key: tuple(tensor.contiguous().clone() for tensor in group) for key, group in views.items()}
    results, error = attempt(
        subject, lambda: (subject.call_with(plain, case.attributes), subject.call_with(views, case.attributes))
    )
    if error is not None:
        return CaseResult(name=name, sample=case.sample, error=error, inputs=shapes_of(plain))
    expected, outputs = results
    called = dataclasses.replace(case, inputs=plain)
    comparisons = compare_outputs(subject, called, outputs, expected, Layer.KERNEL)
    return CaseResult(name=name, sample=case.sample, comparisons=comparisons, inputs=shapes_of(plain))


def _run_empty(subject: Subject) -> list[CaseResult]:
    """Call the operator on shapes without elements: what it returns has the shape that the Meta kernel states."""
    contract = subject.contract
    types = next(contract.type_combinations())
    results: list[CaseResult] = []
    for sample in contract.samples:
        attributes = contract.complete_attributes(sample.attributes)
        for name, shapes in empty_shapes(contract, cut_shapes(contract, sample, subject.accepts), attributes):
            if not subject.accepts(sample, shapes):
                continue
            case = make_case(contract, sample, shapes, types)
            label = f"{name}, {case.name}"
            subject.progress("layout", label)
            results.append(_run_empty_case(subject, case, label))
    return results


def _run_empty_case(subject: Subject, case: Case, label: str) -> CaseResult:
    on_meta = {name: tuple(tensor.to("meta") for tensor in group) for name, group in case.inputs.items()}
    results, error = attempt(subject, lambda: (subject.call_with(on_meta, case.attributes), subject.call(case)))
    if error is not None:
        return CaseResult(name=label, sample=case.sample, error=error, inputs=shapes_of(case.inputs))
    forms, outputs = results
    # Only the shapes count: values of an output that is not empty (a sum over nothing) are the reference's business.
    stated = tuple(
        output if form.shape == output.shape else form.new_zeros(form.shape, device="cpu")
        for form, output in zip(forms, outputs, strict=True)
    )
    comparisons = compare_outputs(subject, case, outputs, stated, Layer.KERNEL)
    return CaseResult(name=label, sample=case.sample, comparisons=comparisons, inputs=shapes_of(case.inputs))


CHECK = Check(
    id="layout",
    title="Layout",
    order=60,
    pace=Pace.FAST,
    evidence=LayoutEvidence,
    run=run,
    needs=("meta",),
)
