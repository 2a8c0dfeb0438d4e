"""The ``[[input]]``, ``[[attribute]]`` and ``[[output]]`` tables of a contract."""

from __future__ import annotations

import math
import re

from opstudio.base.data_type import DataType
from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import Table
from opstudio.contract.attribute_values import AttributeTypeError, convert_attribute
from opstudio.contract.operator import Attribute, AttributeKind, AttributeValue, Input, Output
from opstudio.contract.schema_parser import RESERVED_WORDS
from opstudio.contract.value_limits import problem_of_default

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TYPES = {data_type.value: data_type for data_type in DataType}
_KINDS = {kind.value: kind for kind in AttributeKind}


def read_identifier(table: Table, key: str) -> str:
    """Return a name that C++ and PyTorch can bear."""
    text = table.text(key)
    if text and not IDENTIFIER.fullmatch(text):
        table.report(
            key, cause=f"{text!r} is not a C++ identifier, which PyTorch asks for", fix="Use letters, digits and _"
        )
    elif text in RESERVED_WORDS:
        table.report(
            key, cause=f"{text} is a word of PyTorch's schemas and cannot be a name", fix="Choose another name"
        )
    return text


def read_inputs(root: Table) -> tuple[Input, ...]:
    """Read all inputs."""
    sources: dict[str, str] = {}
    inputs: list[Input] = []
    for table in root.tables("input"):
        item = _input(table, sources)
        sources.setdefault(item.name, item.same_type_as or item.name)
        inputs.append(item)
    return tuple(inputs)


def _input(table: Table, sources: dict[str, str]) -> Input:
    """Read one input; ``sources`` tells for each earlier one which input has the types that it shares."""
    shared = table.optional_text("type")
    types = _data_types(table)
    if shared is not None and shared not in sources:
        table.report(
            "type",
            cause=f"{shared!r} is not an earlier input; {did_you_mean(shared, sources)}",
            fix='Name an earlier input, or list the types: types = ["float32"]',
        )
    elif shared is not None and "types" in table:
        table.report("type", cause="the input has types of its own as well", fix="Keep either types or type")
    result = Input(
        name=read_identifier(table, "name"),
        types=types,
        same_type_as=None if shared is None else sources.get(shared, shared),
        shape=table.optional_text("shape"),
        optional=table.boolean("optional", default=False),
        variadic=table.boolean("variadic", default=False),
        mutable=table.boolean("mutable", default=False),
        value_range=_value_range(table),
    )
    table.finish()
    if shared is None and "types" not in table and not table.document.doubts(*table.path, "types"):
        table.report(
            "name", cause="an input needs types", fix='Add types = ["float32"], or type = "x" to share those of x'
        )
    return result


def _data_types(table: Table) -> tuple[DataType, ...]:
    texts = table.texts("types")
    if table.value("types") == []:
        table.report("types", cause="an input needs a type at least", fix='Write types = ["float32"]')
    for text in texts:
        if text not in _TYPES:
            table.report("types", cause=f"{text!r} is not a type; {did_you_mean(text, _TYPES)}", fix="Correct the type")
    return tuple(_TYPES[text] for text in texts if text in _TYPES)


def _value_range(table: Table) -> tuple[float, float] | None:
    bounds = table.numbers("range")
    if not bounds:
        return None
    if len(bounds) != 2 or not bounds[0] < bounds[1]:  # noqa: PLR2004 - low and high
        table.report("range", cause="a range has a lower and a higher bound", fix="Write range = [-3.0, 3.0]")
        return None
    if not all(map(math.isfinite, bounds)):
        table.report("range", cause="samples are drawn between two numbers", fix="Write range = [-3.0, 3.0]")
        return None
    return bounds[0], bounds[1]


def read_attributes(root: Table) -> tuple[Attribute, ...]:
    """Read all attributes."""
    return tuple(_attribute(table) for table in root.tables("attribute"))


def _attribute(table: Table) -> Attribute:
    text = table.text("type", choices=_KINDS)
    if text and text not in _KINDS:
        table.report("type", cause=f"{text!r} is not an attribute type; {did_you_mean(text, _KINDS)}", fix="Correct it")
    given = table.value("default")
    default: AttributeValue | None = None
    if given is not None and text in _KINDS:
        try:
            default = convert_attribute(_KINDS[text], given)
        except AttributeTypeError as error:
            table.report("default", cause=str(error), fix="Give a value of the attribute's type")
        if (problem := problem_of_default(default)) is not None:
            table.report("default", cause=problem, fix="Give another default, or none: samples may hold such a value")
    result = Attribute(
        name=read_identifier(table, "name"),
        kind=_KINDS.get(text, AttributeKind.FLOAT),
        default=default,
        choices=table.texts("choices"),
    )
    if result.choices and result.kind is not AttributeKind.STRING and text in _KINDS:
        table.report("choices", cause=f"choices are texts, and the attribute is of type {text}", fix="Remove choices")
    table.finish()
    return result


def read_outputs(root: Table, inputs: tuple[Input, ...]) -> tuple[Output, ...]:
    """Read all outputs; their types may name inputs."""
    return tuple(_output(table, inputs) for table in root.tables("output"))


def _output(table: Table, inputs: tuple[Input, ...]) -> Output:
    sources = {item.name: item.same_type_as or item.name for item in inputs}
    # Where the inputs cannot be read, nothing can be said of what is named after them.
    is_known = not table.document.doubts("input", ..., "name")
    text = table.text("type", next(iter(sources), None) if is_known else "")
    if is_known and text and text not in _TYPES and text not in sources:
        table.report(
            "type",
            cause=f"{text!r} is neither a type nor an input; {did_you_mean(text, [*_TYPES, *sources])}",
            fix='Write type = "x" for the type of input x, or a type such as "float32"',
        )
    result = Output(
        name=read_identifier(table, "name"),
        type=None if text in sources else _TYPES.get(text),
        same_type_as=sources.get(text),
        shape=table.text("shape"),
    )
    table.finish()
    return result
