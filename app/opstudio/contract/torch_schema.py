"""PyTorch schema text, in both directions.

``render_schema`` writes what ``TORCH_LIBRARY`` takes; ``parse_schema`` reads such a text without PyTorch and says
where it is wrong. Source of the grammar: PyTorch's ``aten/src/ATen/native/README.md`` (func strings), checked
against the dispatcher's own parser in ``tests``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from opstudio.contract.operator import Attribute, AttributeKind, AttributeValue, Input, OperatorContract
from opstudio.contract.token_stream import TextError, TokenStream

_ATTRIBUTE_TYPES = {
    AttributeKind.INT: "int",
    AttributeKind.FLOAT: "float",
    AttributeKind.BOOL: "bool",
    AttributeKind.STRING: "str",
    AttributeKind.INTS: "int[]",
    AttributeKind.FLOATS: "float[]",
}
ATTRIBUTE_KINDS = {text: kind for kind, text in _ATTRIBUTE_TYPES.items()} | {"SymInt": AttributeKind.INT}
_BASE_TYPES = frozenset(
    {"Tensor", "int", "SymInt", "float", "bool", "str", "Scalar", "ScalarType", "Device", "Layout", "MemoryFormat"}
    | {"Generator", "Dimname"}
)


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


class SchemaError(TextError):
    """A schema text does not parse (REG001)."""


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
            return json.dumps(value)
        case tuple():
            return f"[{', '.join(render_default(item) for item in value)}]"
        case _:
            return repr(value)


def parse_schema(text: str) -> Schema:
    """Parse a schema text.

    Raises:
        SchemaError: with the position and the token that was expected there.
    """
    return _SchemaParser(text).schema()


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


_TOKEN = re.compile(
    r"\s*(?:(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?P<number>-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<symbol>->|::|.))"
)


class _SchemaParser:
    def __init__(self, text: str) -> None:
        self._tokens = TokenStream(text, _TOKEN, SchemaError)

    def schema(self) -> Schema:
        namespace, name, overload = None, self._name("the operator's name"), ""
        if self._tokens.accept("::"):
            namespace, name = name, self._name("the operator's name behind ::")
        if self._tokens.accept("."):
            overload = self._name("the overload's name behind .")
        arguments = self._arguments()
        if not self._tokens.accept("->"):
            raise self._tokens.error("expected -> and the returned types")
        returns = self._returns()
        self._tokens.expect_end()
        return Schema(namespace, name, overload, arguments, returns)

    def _arguments(self) -> tuple[SchemaArgument, ...]:
        arguments: list[SchemaArgument] = []
        keyword_only = False
        self._tokens.expect("(")
        while self._tokens.peek().text != ")":
            if self._tokens.accept("*"):
                keyword_only = True
            else:
                arguments.append(self._argument(keyword_only=keyword_only))
            if not self._tokens.accept(","):
                break
        self._tokens.expect(")")
        return tuple(arguments)

    def _argument(self, *, keyword_only: bool) -> SchemaArgument:
        type_text, alias = self._type()
        name = self._name("the name of the argument")
        default = self._default() if self._tokens.accept("=") else None
        return SchemaArgument(name, type_text, default, keyword_only, alias)

    def _type(self) -> tuple[str, str | None]:
        token = self._tokens.peek()
        base = self._name("a type such as Tensor, int or float")
        if base == "double":
            raise self._tokens.error("use float: in a schema float is C++'s double", token)
        if base not in _BASE_TYPES:
            raise self._tokens.error(f"{base} is not a type; the usual ones are Tensor, int, float, bool, str", token)
        alias = None
        if self._tokens.accept("("):
            start = self._tokens.peek().column
            while self._tokens.peek().text not in (")", "the end"):
                self._tokens.advance()
            alias = self._tokens.text[start - 1 : self._tokens.peek().column - 1]
            self._tokens.expect(")")
        text = base
        while self._tokens.peek().text in ("[", "?"):
            if self._tokens.accept("?"):
                text += "?"
                continue
            self._tokens.advance()
            size = self._tokens.advance().text if self._tokens.peek().kind == "number" else ""
            self._tokens.expect("]")
            text += f"[{size}]"
        return text, alias

    def _default(self) -> str:
        if self._tokens.accept("["):
            items: list[str] = []
            while self._tokens.peek().text != "]":
                items.append(self._default())
                if not self._tokens.accept(","):
                    break
            self._tokens.expect("]")
            return f"[{', '.join(items)}]"
        token = self._tokens.advance()
        if token.kind not in ("string", "number", "name"):
            raise self._tokens.error("expected a default value", token)
        return token.text

    def _returns(self) -> tuple[SchemaReturn, ...]:
        if not self._tokens.accept("("):
            type_text, alias = self._type()
            name = self._name("a name") if self._tokens.peek().kind == "name" else None
            return (SchemaReturn(type_text, name, alias),)
        returns: list[SchemaReturn] = []
        while self._tokens.peek().text != ")":
            type_text, alias = self._type()
            name = self._name("a name") if self._tokens.peek().kind == "name" else None
            returns.append(SchemaReturn(type_text, name, alias))
            if not self._tokens.accept(","):
                break
        self._tokens.expect(")")
        return tuple(returns)

    def _name(self, expected: str) -> str:
        token = self._tokens.advance()
        if token.kind != "name":
            raise self._tokens.error(f"expected {expected}", token)
        return token.text
