"""The Meta kernel, the real kernel and the reference agree on shape and type for every sample and its variations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from opstudio.checks.cases import Case
from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.expected import CaseKind
from opstudio.checks.results import CallError, attempt
from opstudio.checks.subject import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorForm:
    """The shape, type and strides of a tensor."""

    shape: tuple[int, ...]
    type: str
    strides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormResult:
    """One case: what each side says of every output. A side that raised has none, and an error."""

    name: str
    inputs: tuple[TensorForm, ...]
    meta: tuple[TensorForm, ...]
    real: tuple[TensorForm, ...]
    reference: tuple[TensorForm, ...]
    meta_error: CallError | None = None
    real_error: CallError | None = None

    @property
    def good(self) -> bool:
        """Whether all sides say the same; strides matter between Meta and real only."""
        if self.meta_error or self.real_error or self.meta != self.real:
            return False
        return [(form.shape, form.type) for form in self.real] == [(form.shape, form.type) for form in self.reference]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaEvidence:
    """All cases."""

    cases: tuple[FormResult, ...]

    @property
    def good(self) -> bool:
        """Whether all sides agree on every case."""
        return all(case.good for case in self.cases)

    @property
    def summary(self) -> str:
        """One line for people."""
        return f"{len(self.cases)} cases, shapes and types as the reference's"


def run(subject: Subject) -> MetaEvidence:
    """Run the operator on the Meta device, on real data where both agree with the reference, and compare."""
    results: list[FormResult] = []
    seen: set[tuple[object, ...]] = set()
    for kind in (CaseKind.SAMPLE, CaseKind.DYNAMIC):
        for case, expected in subject.expected.cases(kind):
            # Types do not change shapes: the first type stands for all, the others only show their output types.
            signature = (case.sample, kind, tuple(case.types.values()), tuple(tuple(t.shape) for t in expected))
            if signature in seen:
                continue
            seen.add(signature)
            subject.progress("meta", case.name)
            results.append(_compare_forms(subject, case, expected))
    return MetaEvidence(cases=tuple(results))


def _compare_forms(subject: Subject, case: Case, expected: tuple[Any, ...]) -> FormResult:
    on_meta = {name: tuple(tensor.to("meta") for tensor in group) for name, group in case.inputs.items()}
    meta, meta_error = attempt(subject, lambda: subject.call_with(on_meta, case.attributes))
    reference_forms = tuple(_form(tensor, strides=False) for tensor in expected)
    meta_forms = tuple(map(_form, meta))
    shapes_agree = [form.shape for form in meta_forms] == [form.shape for form in reference_forms]
    real_forms: tuple[TensorForm, ...] = meta_forms
    real_error = None
    if not meta_error and (shapes_agree or subject.contract.kernel.kind.value == "raw"):
        # A native kernel that was written for other shapes than its rule gives would write past its output.
        real, real_error = attempt(subject, lambda: subject.call(case))
        real_forms = tuple(map(_form, real))
    return FormResult(
        name=case.name,
        inputs=tuple(_form(tensor) for group in case.inputs.values() for tensor in group),
        meta=meta_forms,
        real=real_forms,
        reference=reference_forms,
        meta_error=meta_error,
        real_error=real_error,
    )


def _form(tensor: Any, *, strides: bool = True) -> TensorForm:
    return TensorForm(
        shape=tuple(tensor.shape),
        type=str(tensor.dtype).removeprefix("torch."),
        strides=tuple(tensor.stride()) if strides else (),
    )


CHECK = Check(
    id="meta",
    title="Meta",
    order=40,
    pace=Pace.FAST,
    evidence=MetaEvidence,
    run=run,
    depends=frozenset({Part.CONTRACT, Part.KERNEL, Part.REFERENCE, Part.FRAMEWORKS}),
    needs=("reference", "register"),
    uses=("reference",),
)
