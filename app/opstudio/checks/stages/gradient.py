"""The backward kernel returns the derivative of the forward kernel.

Two independent witnesses: finite differences of the operator itself (PyTorch's ``gradcheck`` in float64, a coarser
comparison in float32 where the kernel has no float64), and PyTorch's own derivative of the reference in every type.
Values keep away from kinks; attributes are varied, so that one which the backward kernel ignores shows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from opstudio.base.data_type import DataType
from opstudio.checks.cases import Case, cut_shapes, make_case
from opstudio.checks.check import Check, Pace, Part
from opstudio.checks.differentiation import (
    Function,
    JacobianElement,
    away_from_kinks,
    cotangents_for,
    finite_differences,
    gradients_of,
    raised,
    reference_function,
    worst_element,
)
from opstudio.checks.dispatch import operators_run
from opstudio.checks.results import CallError, plain_message, with_inputs
from opstudio.checks.subject import Subject
from opstudio.contract.operator import AttributeKind, AttributeValue, Layer, OperatorContract, Sample
from opstudio.parity.arrays import to_numpy
from opstudio.parity.comparison import Comparison, compare

_ELEMENTS = 24
"""Elements of an input: finite differences take two calls for each."""
_VARIED = 1.25
"""Attributes that are numbers are also checked at their value times this."""
_SINGLE_STEP = 1e-2
_SINGLE_TOLERANCE = 5e-2


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientResult:
    """One case. ``comparisons`` hold the gradient of each differentiated input against the reference's.

    ``numerical`` names the second witness, empty where there is none; ``worst`` is where it disagrees.
    ``forward_differs`` says that the operator's own values are not the reference's: differences of those are no witness
    then, and a backward function that reads them follows.
    """

    name: str
    type: DataType
    attributes: Mapping[str, AttributeValue]
    missing: tuple[str, ...] = ()
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    numerical: str = ""
    worst: JacobianElement | None = None
    forward_differs: bool = False
    warning: str = ""
    error: CallError | None = None

    @property
    def good(self) -> bool:
        """Whether there are gradients and both witnesses agree with them."""
        agree = all(comparison.agrees for comparison in self.comparisons.values())
        return not self.error and not self.missing and agree and self.worst is None


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientEvidence:
    """All cases. ``instead`` are the operators that the Autograd kernel runs where it never reaches the operator's own.

    It is empty where the operator's kernel for the device is reached.
    """

    cases: tuple[GradientResult, ...]
    instead: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether every gradient is right, and belongs to the kernel."""
        return all(case.good for case in self.cases) and not self.instead

    @property
    def summary(self) -> str:
        """One line for people."""
        largest = max((c.largest_absolute for case in self.cases for c in case.comparisons.values()), default=0.0)
        return f"{len(self.cases)} cases, largest error {largest:.3g}"


def run(subject: Subject) -> GradientEvidence:
    """Check every sample, with its attributes and with them varied, in every floating type."""
    reference = subject.load_reference()
    results: list[GradientResult] = []
    instead: tuple[str, ...] = ()
    for case, names in _cases(subject):
        subject.progress("gradient", case.name)
        truth = reference_function(subject.contract, reference, case.attributes)
        smooth = away_from_kinks(subject.contract, truth, case, names)
        if not results:
            instead = _run_instead(subject, smooth, names)
        results.append(_check_case(subject, truth, smooth, names))
    return GradientEvidence(cases=tuple(results), instead=instead)


def _run_instead(subject: Subject, case: Case, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return what one call with gradients runs below autograd, if the operator itself is not among it."""
    import torch

    name = subject.contract.qualified_name
    if torch._C._dispatch_has_kernel_for_dispatch_key(name, "CompositeImplicitAutograd"):  # noqa: SLF001
        return ()
    inputs = {
        key: tuple(tensor.detach().clone().requires_grad_(key in names) for tensor in group)
        for key, group in case.inputs.items()
    }
    try:
        run = operators_run(lambda: subject.call_with(inputs, case.attributes))
    except Exception:  # noqa: BLE001 - the cases tell it
        return ()
    return () if name in run else run


def _cases(subject: Subject) -> Iterator[tuple[Case, tuple[str, ...]]]:
    """Yield small cases with the inputs that they differentiate, float64 first."""
    contract = subject.contract
    assert contract.gradient is not None
    candidates = contract.gradient.inputs
    combinations = sorted(contract.type_combinations(), key=lambda types: types[candidates[0]] is not DataType.FLOAT64)
    for sample in contract.samples:
        shapes = cut_shapes(contract, sample, subject.accepts, elements=_ELEMENTS)
        for index, types in enumerate(combinations):
            names = tuple(name for name in candidates if types[name].is_floating and shapes.get(name))
            if not names:
                continue
            yield make_case(contract, sample, shapes, types), names
            if index == 0 and (varied := _varied(contract, sample)) is not None:
                yield make_case(contract, varied, shapes, types), names


def _varied(contract: OperatorContract, sample: Sample) -> Sample | None:
    values = contract.complete_attributes(sample.attributes)
    numbers = {item.name: values[item.name] for item in contract.attributes if item.kind is AttributeKind.FLOAT}
    if not numbers:
        return None
    changed = {name: value * _VARIED for name, value in numbers.items() if isinstance(value, float)}
    name = f"{sample.name}, attributes × {_VARIED}"
    return Sample(name=name, shapes=sample.shapes, attributes={**values, **changed})


def _check_case(subject: Subject, truth: Function, case: Case, names: tuple[str, ...]) -> GradientResult:
    data_type = case.types[names[0]]

    def operator(inputs: Mapping[str, tuple[Any, ...]]) -> tuple[Any, ...]:
        return subject.call_with(inputs, case.attributes)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outputs = operator(case.inputs)
            forward_differs = _differs(subject.contract, truth, case, outputs)
            cotangents = cotangents_for(outputs)
            gradients = gradients_of(operator, case.inputs, names, cotangents)
            missing = tuple(name for name in names if any(gradient is None for gradient in gradients[name]))
            numerical, worst = (
                ("", None)
                if missing or forward_differs
                else _second_witness(operator, case, names, gradients, cotangents)
            )
        except Exception as error:  # noqa: BLE001 - whatever autograd raises is evidence
            thrown = CallError(message=plain_message(error), thrown_from=subject.thrown_from())
            return GradientResult(name=case.name, type=data_type, attributes=case.attributes, error=thrown)
    noted = [str(item.message) for item in caught if "autograd kernel was not registered" in str(item.message)]
    return GradientResult(
        name=case.name,
        type=data_type,
        attributes=case.attributes,
        missing=missing,
        comparisons={} if missing else _compare(subject.contract, truth, case, names, gradients, cotangents),
        numerical=numerical,
        worst=worst,
        forward_differs=forward_differs,
        warning=noted[0] if noted else "",
    )


def _differs(contract: OperatorContract, truth: Function, case: Case, outputs: tuple[Any, ...]) -> bool:
    """Whether the operator returns other values than the reference: the value stage tells that, this one must not."""
    for output, value, exact in zip(contract.outputs, outputs, truth(raised(case.inputs)), strict=True):
        tolerance = contract.tolerance(Layer.KERNEL, contract.output_type(output, case.types))
        if not compare(to_numpy(value), to_numpy(exact.to(value.dtype)), tolerance).agrees:
            return True
    return False


def _compare(
    contract: OperatorContract,
    truth: Function,
    case: Case,
    names: tuple[str, ...],
    gradients: Mapping[str, tuple[Any, ...]],
    cotangents: tuple[Any, ...],
) -> dict[str, Comparison]:
    """Compare with the derivative of the reference, taken in float64 and rounded to the type of the gradient."""
    exact = gradients_of(truth, raised(case.inputs), names, tuple(weights.double() for weights in cotangents))
    result: dict[str, Comparison] = {}
    for name in names:
        tolerance = contract.tolerance(Layer.KERNEL, case.types[name])
        for ours, theirs in zip(gradients[name], exact[name], strict=True):
            expected = theirs if theirs is not None else ours.new_zeros(ours.shape)
            comparison = compare(
                to_numpy(ours), to_numpy(expected.to(ours.dtype)), tolerance, type_name=case.types[name].value
            )
            incoming = {
                f"grad_{output.name}": (weights,)
                for output, weights in zip(contract.outputs, cotangents, strict=True)
                if weights.is_floating_point()
            }
            result[name] = with_inputs(comparison, {**case.inputs, **incoming})
    return result


def _second_witness(
    operator: Function,
    case: Case,
    names: tuple[str, ...],
    gradients: Mapping[str, tuple[Any, ...]],
    cotangents: tuple[Any, ...],
) -> tuple[str, JacobianElement | None]:
    """Hold the gradients against differences of the operator itself: its name, and where they disagree."""
    import torch

    data_type = case.types[names[0]]
    if data_type is DataType.FLOAT64:
        flat = [tensor.detach().clone().requires_grad_() for name in names for tensor in case.inputs[name]]

        def flattened(*tensors: Any) -> tuple[Any, ...]:
            rest = list(tensors)
            return operator({**case.inputs, **{name: tuple(rest.pop(0) for _ in case.inputs[name]) for name in names}})

        if torch.autograd.gradcheck(flattened, tuple(flat), raise_exception=False):
            return "gradcheck in float64", None
        numerical = finite_differences(operator, case.inputs, names, cotangents, step=1e-6)
        return "gradcheck in float64", worst_element(names, gradients, numerical)
    if data_type is not DataType.FLOAT32:
        return "", None
    numerical = finite_differences(operator, case.inputs, names, cotangents, step=_SINGLE_STEP)
    worst = worst_element(names, gradients, numerical)
    if worst is None or abs(worst.analytical - worst.numerical) <= _SINGLE_TOLERANCE * (1.0 + abs(worst.numerical)):
        return "finite differences in float32", None
    return "finite differences in float32", worst


def applies(contract: OperatorContract) -> str:
    """Only operators with a backward kernel have gradients."""
    return "" if contract.gradient is not None else "the contract has no [gradient]"


CHECK = Check(
    id="gradient",
    title="Gradient",
    order=90,
    pace=Pace.FAST,
    evidence=GradientEvidence,
    run=run,
    depends=frozenset({Part.CONTRACT, Part.KERNEL, Part.REFERENCE, Part.FRAMEWORKS}),
    needs=("meta",),
    applies=applies,
)
