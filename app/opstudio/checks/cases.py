"""Inputs for the checks: from the samples of the contract, the same in every run.

A case is one call: tensors for each input and values for the attributes. Shapes are those of the samples; where a
check runs many variants, large shapes are cut.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opstudio.base.data_type import DataType
from opstudio.contract.operator import AttributeKind, AttributeValue, Input, OperatorContract, Sample
from opstudio.contract.shape_evaluation import ShapeMismatchError, infer_output_shapes

CUT_ELEMENTS = 16384
"""The most elements of a shape that was cut."""
_DEFAULT_RANGE = (-4.0, 4.0)
_DEFAULT_INTEGER_RANGE = (0, 9)
_BEYOND_FLOAT32 = 2.0**-24
"""By how much of itself a float64 value may lie beside the float32 number that the other types see."""

Shapes = Mapping[str, tuple[tuple[int, ...], ...]]
"""For each input the shapes of its tensors."""

Accepts = Callable[[Sample, Shapes], bool]
"""Whether the reference takes the values of a sample at other shapes: an attribute may name an axis or a column."""

Tensors = Mapping[str, tuple[Any, ...]]
"""For each input its tensors: one, several for a variadic input, none for an absent optional one."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call of the operator."""

    name: str
    sample: str
    types: Mapping[str, DataType]
    inputs: Tensors
    attributes: Mapping[str, AttributeValue]

    def arguments(self, contract: OperatorContract) -> list[Any]:
        """Return the arguments in the order of the PyTorch schema."""
        return arguments_of(contract, self.inputs, self.attributes)


def arguments_of(contract: OperatorContract, inputs: Tensors, attributes: Mapping[str, AttributeValue]) -> list[Any]:
    """Return tensors and attribute values in the order of the PyTorch schema."""
    tensors: list[Any] = []
    for item in contract.inputs:
        group = inputs.get(item.name, ())
        tensors.append(list(group) if item.variadic else group[0] if group else None)
    return tensors + [_plain(attributes[item.name]) for item in contract.attributes]


def as_tuple(result: Any) -> tuple[Any, ...]:
    """Return what an operator returned as a tuple of tensors."""
    return tuple(result) if isinstance(result, tuple | list) else (result,)


def round_attributes(contract: OperatorContract, attributes: Mapping[str, AttributeValue]) -> dict[str, AttributeValue]:
    """Return the values that survive export: ONNX stores numbers as float32, and both hosts compute with those."""
    import numpy as np

    result: dict[str, AttributeValue] = dict(attributes)
    for item in contract.attributes:
        value = attributes.get(item.name)
        if item.kind is AttributeKind.FLOAT and isinstance(value, int | float):
            result[item.name] = float(np.float32(value))
        elif item.kind is AttributeKind.FLOATS and isinstance(value, tuple):
            result[item.name] = tuple(float(np.float32(number)) for number in value)
    return result


def cut_cases(contract: OperatorContract, accepts: Accepts) -> Iterator[Case]:
    """Yield a case for each sample, cut, and combination of types, contiguous."""
    for sample in contract.samples:
        shapes = cut_shapes(contract, sample, accepts)
        for types in contract.type_combinations():
            yield make_case(contract, sample, shapes, types)


def make_case(
    contract: OperatorContract,
    sample: Sample,
    shapes: Shapes,
    types: Mapping[str, DataType],
) -> Case:
    """Return a case with pseudo-random values; the same names and shapes give the same values."""
    inputs = {
        item.name: tuple(
            random_tensor(item, types[item.name], shape, f"{contract.name}/{sample.name}/{item.name}/{index}")
            for index, shape in enumerate(shapes.get(item.name, ()))
        )
        for item in contract.inputs
    }
    label = ", ".join(dict.fromkeys(types[item.name].value for item in contract.inputs if shapes.get(item.name)))
    attributes = contract.complete_attributes(sample.attributes)
    return Case(f"{sample.name} ({label})", sample.name, dict(types), inputs, attributes)


def random_tensor(item: Input, data_type: DataType, shape: tuple[int, ...], seed: str) -> Any:
    """Return a tensor of values within the input's range."""
    import torch

    generator = torch.Generator().manual_seed(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:7], "big"))
    if data_type is DataType.BOOL:
        return torch.randint(0, 2, shape, generator=generator, dtype=torch.uint8).to(torch.bool)
    if data_type.is_floating:
        low, high = item.value_range or _DEFAULT_RANGE
        # Drawn as float32 for every type, so that all types see the same numbers.
        values = torch.rand(shape, generator=generator, dtype=torch.float32) * (high - low) + low
        if data_type is DataType.FLOAT64:
            # Digits that float32 has no room for: a kernel that computes in float32 must lose something.
            last = (torch.rand(shape, generator=generator, dtype=torch.float64) - 0.5) * _BEYOND_FLOAT32
            return (values.double() * (1 + last)).clamp(low, high)
        return values.to(torch_type(data_type))
    if item.value_range is not None:
        low, high = (int(bound) for bound in item.value_range)
    else:
        low, high = (0, 255) if data_type is DataType.UINT8 else _DEFAULT_INTEGER_RANGE
    return torch.randint(low, high + 1, shape, generator=generator, dtype=torch.int64).to(torch_type(data_type))


def torch_type(data_type: DataType) -> Any:
    """Return PyTorch's name of a type."""
    import torch

    return getattr(torch, data_type.value)


def cut_shapes(contract: OperatorContract, sample: Sample, accepts: Accepts, *, elements: int = CUT_ELEMENTS) -> Shapes:
    """Make the shapes of a sample small (no tensor above ``elements``) while the contract and the reference take them.

    The largest size that occurs is lowered again and again, in all inputs at once, so that sizes which belong together
    stay together.
    """
    shapes = _cut(contract, sample, elements, lambda _shapes: True)
    # Asking the reference at every step costs, so that it is asked of the result first.
    if shapes == sample.shapes or accepts(sample, shapes):
        return shapes
    return _cut(contract, sample, elements, lambda lowered: accepts(sample, lowered))


def _cut(contract: OperatorContract, sample: Sample, elements: int, fits: Callable[[Shapes], bool]) -> Shapes:
    shapes: Shapes = sample.shapes
    attributes = contract.complete_attributes(sample.attributes)
    fixed: set[int] = set()
    while max(math.prod(shape) for group in shapes.values() for shape in group) > elements:
        sizes = {size for group in shapes.values() for shape in group for size in shape} - fixed
        largest = max(sizes, default=1)
        if largest <= 2:  # noqa: PLR2004 - nothing left to cut
            break
        lowered = {name: tuple(_lower(shape, largest) for shape in group) for name, group in shapes.items()}
        if can_infer(contract, lowered, attributes) and fits(lowered):
            shapes = lowered
        else:
            fixed.add(largest)
    return shapes


def can_infer(contract: OperatorContract, shapes: Shapes, attributes: Mapping[str, AttributeValue]) -> bool:
    """Whether shapes fit the patterns and rules of the contract."""
    try:
        infer_output_shapes(contract, shapes, attributes)
    except ShapeMismatchError:
        return False
    return True


def _lower(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    # Odd sizes, so that nothing divides evenly by accident.
    return tuple(max(size // 2 - (size // 2 + 1) % 2, 2) if dimension == size else dimension for dimension in shape)


def _plain(value: AttributeValue) -> Any:
    return list(value) if isinstance(value, tuple) else value
