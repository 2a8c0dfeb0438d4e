"""What an operator takes and returns, read from the schema that the dispatcher has, with the sizes of one call."""

from __future__ import annotations

import enum
import keyword
import re
from dataclasses import dataclass

from opstudio.contract.schema_parser import parse_schema
from opstudio.contract.torch_schema import SchemaArgument
from opstudio.model.export_debugging.eager_records import CustomCall, TensorNote


class Kind(enum.Enum):
    """What an argument is; the value is its letter for ``parse_args``."""

    TENSOR = "v"
    INT = "i"
    FLOAT = "f"
    BOOL = "b"
    STRING = "s"
    OTHER = "none"
    """A device, a layout, a generator …: no node has it as an attribute."""


_KINDS = {
    "Tensor": Kind.TENSOR,
    "int": Kind.INT,
    "SymInt": Kind.INT,
    "float": Kind.FLOAT,
    "Scalar": Kind.FLOAT,
    "bool": Kind.BOOL,
    "str": Kind.STRING,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An argument of an operator. ``default`` is Python text."""

    name: str
    kind: Kind
    is_list: bool
    is_optional: bool
    default: str | None
    is_written: bool
    """The operator changes the tensor in place."""

    @property
    def variable(self) -> str:
        """Its name in Python code."""
        return f"{self.name}_" if keyword.iskeyword(self.name) else self.name

    @property
    def is_attribute(self) -> bool:
        """Whether a node has it as an attribute."""
        return self.kind not in (Kind.TENSOR, Kind.OTHER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """An operator: its name, its arguments, how many tensors it returns, and the tensors of one call."""

    namespace: str
    name: str
    overload: str
    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...]
    """The type of each returned value, ``Tensor`` mostly."""
    inputs: tuple[TensorNote, ...]
    outputs: tuple[TensorNote, ...]

    @property
    def qualified_name(self) -> str:
        """The name with its namespace: ``lab::swish``."""
        return f"{self.namespace}::{self.name}"

    @property
    def onnx_type(self) -> str:
        """The type of a node of the operator: its name in capitals, as ONNX writes them."""
        words = [word for word in self.name.split("_") if word]
        return "".join(word[:1].upper() + word[1:] for word in words) or self.name

    @property
    def identifier(self) -> str:
        """A name for functions about the operator."""
        return re.sub(r"\W", "_", f"{self.namespace}_{self.name}")

    @property
    def tensors(self) -> tuple[Parameter, ...]:
        """The arguments that are tensors."""
        return tuple(item for item in self.parameters if item.kind is Kind.TENSOR)

    @property
    def attributes(self) -> tuple[Parameter, ...]:
        """The arguments that a node has as attributes."""
        return tuple(item for item in self.parameters if item.is_attribute)

    @property
    def others(self) -> tuple[Parameter, ...]:
        """The arguments that no node can have."""
        return tuple(item for item in self.parameters if item.kind is Kind.OTHER)

    @property
    def writes(self) -> bool:
        """Whether it changes a tensor in place."""
        return any(item.is_written for item in self.parameters)

    def first_input(self, parameter: Parameter) -> TensorNote | None:
        """Return the tensor that the call passed for an argument, the first one of a list."""
        return next((item for item in self.inputs if item.argument == parameter.name), None)


def signature_of(call: CustomCall) -> Signature:
    """Return the signature of the operator of a call.

    Raises:
        SchemaError: the schema has a type that is none of the dispatcher's usual ones.
    """
    schema = parse_schema(call.schema, check_defaults=False)
    return Signature(
        namespace=schema.namespace or call.operator.partition("::")[0],
        name=schema.name,
        overload=schema.overload or "default",
        parameters=tuple(map(_parameter, schema.arguments)),
        returns=tuple(item.type for item in schema.returns),
        inputs=call.inputs,
        outputs=call.outputs,
    )


def _parameter(argument: SchemaArgument) -> Parameter:
    base = re.match(r"\w+", argument.type)
    assert base is not None, "types begin with a name"
    return Parameter(
        name=argument.name,
        kind=_KINDS.get(base[0], Kind.OTHER),
        is_list="[" in argument.type,
        is_optional=argument.type.endswith("?"),
        default=_python_default(argument),
        is_written="!" in (argument.alias or ""),
    )


def _python_default(argument: SchemaArgument) -> str | None:
    """Return a default as Python text: the dispatcher prints ``1.`` and ``5`` for the numbers 1.0 of a float."""
    text = argument.default
    if text is None:
        return None
    if argument.type.rstrip("?") in ("float", "Scalar") and re.fullmatch(r"-?\d+\.?", text):
        return f"{text.rstrip('.')}.0"
    if argument.type.rstrip("?") == "bool":
        return {"1": "True", "0": "False"}.get(text, text)
    return text
