"""Derivatives in three ways: by the operator's backward kernel, by the reference, and by finite differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from opstudio.checks.cases import Case, arguments_of, as_tuple, random_tensor, round_attributes
from opstudio.contract.operator import AttributeValue, OperatorContract

_KINK_STEP = 1e-4
_KINK_DIFFERENCE = 1e-2
_MOST_DRAWS = 20

Tensors = dict[str, tuple[Any, ...]]
Function = Callable[[Mapping[str, tuple[Any, ...]]], tuple[Any, ...]]
"""From input tensors to outputs, with the attributes fixed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JacobianElement:
    """The element at which two derivatives differ most."""

    input: str
    index: tuple[int, ...]
    analytical: float
    numerical: float


def reference_function(
    contract: OperatorContract, reference: Callable[..., Any], attributes: Mapping[str, AttributeValue]
) -> Function:
    """Return the reference as a function of float64 tensors."""
    rounded = round_attributes(contract, attributes)
    return lambda inputs: as_tuple(reference(*arguments_of(contract, inputs, rounded)))


def raised(inputs: Mapping[str, tuple[Any, ...]]) -> Tensors:
    """Return the inputs with floating ones in float64."""
    return {
        name: tuple(tensor.double() if tensor.is_floating_point() else tensor for tensor in group)
        for name, group in inputs.items()
    }


def gradients_of(
    function: Function, inputs: Mapping[str, tuple[Any, ...]], names: tuple[str, ...], cotangents: tuple[Any, ...]
) -> dict[str, tuple[Any | None, ...]]:
    """Return the gradient of ``Σ cotangent · output`` by every tensor of the named inputs, ``None`` where none is.

    Raises:
        Exception: whatever autograd raises.
    """
    import torch

    watched = {
        name: tuple(tensor.detach().clone().requires_grad_(name in names) for tensor in group)
        for name, group in inputs.items()
    }
    outputs = function(watched)
    flat = [tensor for name in names for tensor in watched[name]]
    pairs = [(output, cotangent) for output, cotangent in zip(outputs, cotangents, strict=True) if output.requires_grad]
    if not pairs:
        return {name: tuple(None for _ in watched[name]) for name in names}
    results = list(
        torch.autograd.grad(
            [output for output, _ in pairs], flat, [cotangent for _, cotangent in pairs], allow_unused=True
        )
    )
    return {name: tuple(results.pop(0) for _ in watched[name]) for name in names}


def cotangents_for(outputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return weights for the outputs: distinct, of both signs, the same in every run."""
    import torch

    result: list[Any] = []
    for output in outputs:
        weights = torch.cos(torch.arange(output.numel(), dtype=torch.float64) * 1.7) + 0.25
        result.append(weights.reshape(output.shape).to(output.dtype))
    return tuple(result)


def finite_differences(
    function: Function,
    inputs: Mapping[str, tuple[Any, ...]],
    names: tuple[str, ...],
    cotangents: tuple[Any, ...],
    *,
    step: float,
) -> dict[str, tuple[Any, ...]]:
    """Return central differences of ``Σ cotangent · output`` for every tensor of the named inputs."""
    import torch

    def total(values: Mapping[str, tuple[Any, ...]]) -> float:
        outputs = function(values)
        return sum(float((o.double() * c.double()).sum()) for o, c in zip(outputs, cotangents, strict=True))

    result: dict[str, tuple[Any, ...]] = {}
    for name in names:
        group: list[Any] = []
        for position, tensor in enumerate(inputs[name]):
            slopes = torch.zeros(tensor.numel(), dtype=torch.float64)
            for index in range(tensor.numel()):
                higher, lower = (total(_moved(inputs, name, position, index, offset)) for offset in (step, -step))
                slopes[index] = (higher - lower) / (2 * step)
            group.append(slopes.reshape(tensor.shape))
        result[name] = tuple(group)
    return result


def worst_element(
    names: tuple[str, ...], analytical: Mapping[str, tuple[Any, ...]], numerical: Mapping[str, tuple[Any, ...]]
) -> JacobianElement | None:
    """Return where two sets of gradients differ most."""
    import torch

    worst: JacobianElement | None = None
    largest = -1.0
    for name in names:
        for ours, theirs in zip(analytical[name], numerical[name], strict=True):
            if theirs.numel() == 0:
                continue
            difference = torch.nan_to_num((ours.double() - theirs).abs(), nan=torch.inf).reshape(-1)
            index = int(difference.argmax())
            if float(difference[index]) > largest:
                largest = float(difference[index])
                place = torch.unravel_index(torch.tensor(index), theirs.shape) if theirs.dim() else ()
                worst = JacobianElement(
                    input=name,
                    index=tuple(int(position) for position in place),
                    analytical=float(ours.reshape(-1)[index]),
                    numerical=float(theirs.reshape(-1)[index]),
                )
    return worst


def away_from_kinks(contract: OperatorContract, function: Function, case: Case, names: tuple[str, ...]) -> Case:
    """Draw values again whose left and right differences disagree: the derivative there is a convention."""
    inputs: Tensors = {name: tuple(tensor.clone() for tensor in group) for name, group in case.inputs.items()}
    for name in names:
        item = contract.input(name)
        for position, tensor in enumerate(inputs[name]):
            flat = tensor.view(-1)
            for index in range(flat.numel()):
                for draw in range(_MOST_DRAWS):
                    if not _is_kink(function, raised(inputs), name, position, index):
                        break
                    seed = f"{case.name}/{name}/{position}/{index}/{draw}"
                    flat[index] = random_tensor(item, case.types[name], (1,), seed)[0]
    return Case(case.name, case.sample, case.types, inputs, case.attributes)


def _is_kink(function: Function, inputs: Tensors, name: str, position: int, index: int) -> bool:
    middle = function(inputs)
    right = function(_moved(inputs, name, position, index, _KINK_STEP))
    left = function(_moved(inputs, name, position, index, -_KINK_STEP))
    for m, r, b in zip(middle, right, left, strict=True):
        if not m.is_floating_point() or m.numel() == 0:
            continue
        bend = ((r - m) - (m - b)).abs().max() / _KINK_STEP
        if float(bend) > _KINK_DIFFERENCE * (1.0 + float((r - b).abs().max()) / _KINK_STEP):
            return True
    return False


def _moved(inputs: Mapping[str, tuple[Any, ...]], name: str, position: int, index: int, offset: float) -> Tensors:
    tensor = inputs[name][position].clone()
    tensor.view(-1)[index] += offset
    group = (*inputs[name][:position], tensor, *inputs[name][position + 1 :])
    return {**inputs, name: group}
