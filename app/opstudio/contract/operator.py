"""The contract of an operator, as records.

The text form is ``contract.toml`` (see :mod:`opstudio.contract.toml_file`). Everything that the studio
registers, generates or checks comes from these records.
"""

from __future__ import annotations

import enum
import functools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from opstudio.base.data_type import DataType
from opstudio.contract.shape_parser import parse_input_pattern, parse_output_rule
from opstudio.contract.shape_syntax import InputPattern, OutputRule

AttributeValue: TypeAlias = bool | int | float | str | tuple[int, ...] | tuple[float, ...]


class AttributeKind(enum.Enum):
    """The type of an attribute; the value is its word in a contract.

    Lists of strings are missing: API 18 of ONNX Runtime, the oldest that the plug-in serves, hands none to kernels.
    """

    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    STRING = "string"
    INTS = "ints"
    FLOATS = "floats"

    @property
    def is_list(self) -> bool:
        """Whether the attribute holds several values."""
        return self in (AttributeKind.INTS, AttributeKind.FLOATS)


class KernelKind(enum.Enum):
    """Who writes the binding between kernel and framework."""

    NATIVE = "native"
    """A framework-free kernel; the studio's hosts or generated sources bind it."""
    RAW = "raw"
    """The person's own ``TORCH_LIBRARY`` (and ``RegisterCustomOps``) sources; observed, never generated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A tensor that the operator reads.

    ``types`` lists what the input may hold. ``same_type_as`` names an earlier input instead, whose type it shares;
    contracts read from files name one with types of its own.
    ``shape`` is the text of an input pattern (``"[N, C, *D]"``), or ``None`` for any shape.
    ``value_range`` bounds the values of samples.
    """

    name: str
    types: tuple[DataType, ...] = ()
    same_type_as: str | None = None
    shape: str | None = None
    optional: bool = False
    variadic: bool = False
    mutable: bool = False
    value_range: tuple[float, float] | None = None

    @property
    def pattern(self) -> InputPattern | None:
        """The parsed shape pattern."""
        return None if self.shape is None else parse_input_pattern(self.shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A parameter that is fixed when a model is built. One without a default must be given."""

    name: str
    kind: AttributeKind
    default: AttributeValue | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A tensor that the operator returns: its type and shape follow from the inputs and attributes.

    Exactly one of ``type`` and ``same_type_as`` is set. ``shape`` is the text of an output rule.
    """

    name: str
    type: DataType | None = None
    same_type_as: str | None = None
    shape: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """The sources of an operator and what they expect of their host. Paths are relative to the contract."""

    kind: KernelKind = KernelKind.NATIVE
    sources: tuple[str, ...] = ()
    cuda: tuple[str, ...] = ()
    onnxruntime: tuple[str, ...] = ()
    strided: bool = False
    side_effects: bool = False
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradient:
    """The backward kernel: which inputs it differentiates, and which tensors it reads beside the output gradients."""

    inputs: tuple[str, ...]
    saved: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One call: a shape for each input (a list of shapes for a variadic one) and attribute values."""

    name: str
    shapes: Mapping[str, tuple[tuple[int, ...], ...]]
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)

    @property
    def element_count(self) -> int:
        """The number of elements of all inputs together."""
        return sum(math.prod(shape) for group in self.shapes.values() for shape in group)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """The combined criterion: a value agrees when ``|value − reference| ≤ absolute + relative · |reference|``."""

    relative: float
    absolute: float


class Layer(enum.Enum):
    """Which two sides a tolerance compares."""

    KERNEL = "kernel"
    """The kernel against its reference."""
    RUNTIME = "runtime"
    """The PyTorch operator against the ONNX Runtime operator."""
    MACHINES = "machines"
    """One machine against another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """How the operator's model is exported.

    ``registration`` is a Python file that registers translations with the exporters, instead of those
    that the studio derives. ``dynamic`` names the axes that vary, by input and axis.
    """

    opset: int = 18
    registration: str | None = None
    dynamic: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    expand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorContract:
    """All that is known of an operator."""

    name: str
    domain: str
    version: int
    summary: str
    onnx_type: str
    inputs: tuple[Input, ...]
    attributes: tuple[Attribute, ...]
    outputs: tuple[Output, ...]
    kernel: Kernel
    gradient: Gradient | None
    reference: str
    model: str | None
    samples: tuple[Sample, ...]
    tolerances: Mapping[str, Mapping[str, Tolerance]]
    export: ExportOptions = field(default_factory=ExportOptions)

    @property
    def qualified_name(self) -> str:
        """The name of the PyTorch operator, for example ``myops::relu6_scale``."""
        return f"{self.domain}::{self.name}"

    def input(self, name: str) -> Input:
        """Return the input of that name."""
        return next(item for item in self.inputs if item.name == name)

    def attribute(self, name: str) -> Attribute:
        """Return the attribute of that name."""
        return next(item for item in self.attributes if item.name == name)

    @property
    def type_variables(self) -> tuple[Input, ...]:
        """The inputs whose types vary on their own; all other types follow from theirs."""
        return tuple(item for item in self.inputs if item.same_type_as is None)

    def type_source(self, name: str) -> str:
        """Return the input with types of its own from which an input has its type, perhaps by way of others."""
        shared = self.input(name).same_type_as
        return name if shared is None else self.type_source(shared)

    def type_combinations(self) -> Iterator[dict[str, DataType]]:
        """Yield every combination of input types, by input name, the first of each list first."""
        variables = self.type_variables

        def extend(index: int, chosen: dict[str, DataType]) -> Iterator[dict[str, DataType]]:
            if index == len(variables):
                yield {item.name: chosen[self.type_source(item.name)] for item in self.inputs}
                return
            for data_type in variables[index].types:
                yield from extend(index + 1, {**chosen, variables[index].name: data_type})

        yield from extend(0, {})

    def output_type(self, output: Output, input_types: Mapping[str, DataType]) -> DataType:
        """Return the type of an output for given input types."""
        return output.type if output.type is not None else input_types[output.same_type_as or ""]

    def output_rule(self, output: Output) -> OutputRule:
        """Return the parsed shape rule of an output."""
        return _output_rule(self, output)

    def complete_attributes(self, given: Mapping[str, AttributeValue]) -> dict[str, AttributeValue]:
        """Fill in the defaults; attributes without default and value stay absent."""
        values = {item.name: given.get(item.name, item.default) for item in self.attributes}
        return {name: value for name, value in values.items() if value is not None}

    def tolerance(self, layer: Layer, data_type: DataType) -> Tolerance:
        """Return the tolerance of a layer: the contract's, else the usual one of the type."""
        stated = self.tolerances.get(layer.value, {}).get(data_type.value)
        return stated if stated is not None else DEFAULT_TOLERANCES[layer].get(data_type, EXACT)


EXACT = Tolerance(relative=0.0, absolute=0.0)
"""What integers and bool must meet."""

DEFAULT_TOLERANCES: Mapping[Layer, Mapping[DataType, Tolerance]] = {
    # One unit in the last place of the type, with room for two roundings, relative to the value.
    Layer.KERNEL: {
        DataType.FLOAT64: Tolerance(relative=1e-12, absolute=1e-12),
        DataType.FLOAT32: Tolerance(relative=1e-5, absolute=1e-6),
        DataType.FLOAT16: Tolerance(relative=2e-3, absolute=1e-3),
        DataType.BFLOAT16: Tolerance(relative=1.6e-2, absolute=1e-2),
    },
    # The two runtimes may order sums differently and use other libraries of mathematics.
    Layer.RUNTIME: {
        DataType.FLOAT64: Tolerance(relative=1e-10, absolute=1e-11),
        DataType.FLOAT32: Tolerance(relative=1e-4, absolute=1e-5),
        DataType.FLOAT16: Tolerance(relative=4e-3, absolute=2e-3),
        DataType.BFLOAT16: Tolerance(relative=3.2e-2, absolute=2e-2),
    },
    Layer.MACHINES: {
        DataType.FLOAT64: Tolerance(relative=0.0, absolute=1e-10),
        DataType.FLOAT32: Tolerance(relative=0.0, absolute=1e-5),
        DataType.FLOAT16: Tolerance(relative=0.0, absolute=2e-3),
        DataType.BFLOAT16: Tolerance(relative=0.0, absolute=2e-2),
    },
}


def onnx_type_name(operator_name: str) -> str:
    """Return the ONNX operator type of a PyTorch operator name: ``relu6_scale`` becomes ``Relu6Scale``."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"_+", operator_name) if part)


@functools.cache
def _parse_rule(text: str, inputs: frozenset[str], attributes: frozenset[str]) -> OutputRule:
    return parse_output_rule(text, inputs=inputs, attributes=attributes)


def _output_rule(contract: OperatorContract, output: Output) -> OutputRule:
    inputs = frozenset(item.name for item in contract.inputs)
    attributes = frozenset(item.name for item in contract.attributes)
    return _parse_rule(output.shape, inputs, attributes)
