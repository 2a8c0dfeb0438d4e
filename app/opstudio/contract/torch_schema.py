"""PyTorch schemas: written from contracts as text that ``TORCH_LIBRARY`` takes, and compared.

They are read by :mod:`opstudio.contract.schema_parser`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from opstudio.contract.operator import Attribute, AttributeKind, AttributeValue, Input, OperatorContract

_ATTRIBUTE_TYPES = {
    AttributeKind.INT: "int",
    AttributeKind.FLOAT: "float",
    AttributeKind.BOOL: "bool",
    AttributeKind.STRING: "str",
    AttributeKind.INTS: "int[]",
    AttributeKind.FLOATS: "float[]",
}
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
ATTRIBUTE_KINDS = {text: kind for kind, text in _ATTRIBUTE_TYPES.items()} | {"SymInt": AttributeKind.INT}


@dataclass(frozen=True, slots=True)
class SchemaArgument:
    """One argument of a schema. ``type`` is the text without alias annotation, for example ``Tensor?`` or ``int[]``."""

    name: str
    type: str
    default: str | None = None
    keyword_only: bool = False
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class SchemaReturn:
    """One returned value."""

    type: str
    name: str | None = None
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """A parsed schema. ``name`` is without namespace and overload."""

    namespace: str | None
    name: str
    overload: str
    arguments: tuple[SchemaArgument, ...]
    returns: tuple[SchemaReturn, ...]


def render_schema(contract: OperatorContract) -> str:
    """Return the schema of the operator, for example ``relu6_scale(Tensor x, float scale) -> Tensor``."""
    arguments = [*_input_arguments(contract), *map(_attribute_argument, contract.attributes)]
    returns = [f"Tensor {output.name}" for output in contract.outputs]
    result = "Tensor" if len(returns) == 1 else f"({', '.join(returns)})"
    return f"{contract.name}({', '.join(arguments)}) -> {result}"


def render_backward_schema(contract: OperatorContract) -> str:
    """Return the schema of the backward operator.

    Its arguments are the gradient of each output, the saved tensors and the attributes; it returns the gradients
    of the differentiated inputs in the order of ``gradient.inputs``, those of a variadic input one after another and
    none for an absent optional one.
    """
    assert contract.gradient is not None
    arguments = [f"Tensor grad_{output.name}" for output in contract.outputs]
    for name in contract.gradient.saved:
        is_input = any(item.name == name for item in contract.inputs)
        arguments.append(f"{_tensor_type(contract.input(name)) if is_input else 'Tensor'} {name}")
    arguments += [f"{_ATTRIBUTE_TYPES[item.kind]} {item.name}" for item in contract.attributes]
    return f"{contract.name}_backward({', '.join(arguments)}) -> Tensor[]"


def _input_arguments(contract: OperatorContract) -> list[str]:
    """Render the inputs; an optional one gets ``=None`` where everything behind it has a default as well."""
    texts: list[str] = []
    all_default = all(item.default is not None for item in contract.attributes)
    for item in reversed(contract.inputs):
        all_default = all_default and item.optional
        texts.append(f"{_tensor_type(item)} {item.name}{'=None' if all_default else ''}")
    return texts[::-1]


def _tensor_type(item: Input) -> str:
    if item.variadic:
        return "Tensor[]"
    if item.mutable:
        return "Tensor(a!)"
    return "Tensor?" if item.optional else "Tensor"


def _attribute_argument(attribute: Attribute) -> str:
    text = f"{_ATTRIBUTE_TYPES[attribute.kind]} {attribute.name}"
    return text if attribute.default is None else f"{text}={render_default(attribute.default)}"


def render_default(value: AttributeValue) -> str:
    """Return a default value as schema text."""
    match value:
        case bool():
            return str(value)
        case str():
            return f'"{"".join(map(_escape, value))}"'
        case tuple():
            return f"[{', '.join(render_default(item) for item in value)}]"
        case _:
            return repr(value)


def _escape(letter: str) -> str:
    """Write one letter of a text in the escapes that PyTorch's parser knows; what can be printed stays."""
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter.isprintable():
        return letter
    return "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogatepass"))


def compare_schemas(actual: Schema, wanted: Schema) -> tuple[str, ...]:
    """Return in which respects two schemas differ, names and types of arguments and returns; defaults aside."""
    differences: list[str] = []
    if len(actual.arguments) != len(wanted.arguments):
        names = ", ".join(argument.name for argument in actual.arguments)
        differences.append(f"it has {len(actual.arguments)} arguments ({names}), the contract {len(wanted.arguments)}")
    for position, (ours, theirs) in enumerate(zip(actual.arguments, wanted.arguments, strict=False), start=1):
        if ours.name != theirs.name:
            differences.append(f"argument {position} is called {ours.name}, in the contract {theirs.name}")
        if _comparable(ours.type) != _comparable(theirs.type):
            differences.append(f"argument {theirs.name} is {ours.type}, in the contract {theirs.type}")
    if [_comparable(item.type) for item in actual.returns] != [_comparable(item.type) for item in wanted.returns]:
        returned = ", ".join(item.type for item in actual.returns)
        differences.append(f"it returns ({returned}), the contract ({', '.join(item.type for item in wanted.returns)})")
    return tuple(differences)


def _comparable(type_text: str) -> str:
    """Write types that mean the same to a caller in one way: symbolic integers are integers, sizes of lists aside."""
    return re.sub(r"\[\d*\]", "[]", type_text.replace("SymInt", "int"))
