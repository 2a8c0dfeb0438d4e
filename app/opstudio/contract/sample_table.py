"""The ``[samples]`` of a contract: shapes by input, values by attribute."""

from __future__ import annotations

import math

from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import Table
from opstudio.contract.attribute_values import AttributeTypeError, convert_attribute
from opstudio.contract.operator import Attribute, AttributeValue, Input, Sample

_LARGEST_SAMPLE = 2**31
"""Elements of one sample input; more would not fit the checks' memory limit."""


def read_samples(table: Table, inputs: tuple[Input, ...], attributes: tuple[Attribute, ...]) -> tuple[Sample, ...]:
    """Read all samples; problems are noted in the document."""
    samples = tuple(_sample(table.table(name), name, inputs, attributes) for name in table.keys())  # noqa: SIM118
    table.finish()
    return samples


def _sample(table: Table, name: str, inputs: tuple[Input, ...], attributes: tuple[Attribute, ...]) -> Sample:
    shapes: dict[str, tuple[tuple[int, ...], ...]] = {}
    values: dict[str, AttributeValue] = {}
    for item in inputs:
        given = table.value(item.name)
        if given is None:
            if not item.optional:
                table.document.report(
                    "CON003",
                    (*table.path, item.name),
                    title=f"Sample {name} lacks {item.name}",
                    cause=f"every sample gives a shape for each input, {item.name} has none",
                    fix=f"Add {item.name} = [sizes]",
                )
            continue
        found = _shapes(given, variadic=item.variadic)
        if found is None:
            form = "[[2, 3], [2, 4]]" if item.variadic else "[2, 3]"
            table.report(
                item.name, cause=f"{given!r} is not a shape", fix=f"Write sizes from 0 up: {item.name} = {form}"
            )
        else:
            shapes[item.name] = found
    for attribute in attributes:
        given = table.value(attribute.name)
        if given is None:
            if attribute.default is None:
                table.document.report(
                    "CON003",
                    (*table.path, attribute.name),
                    title=f"Sample {name} lacks {attribute.name}",
                    cause=f"attribute {attribute.name} has no default, so every sample must give it",
                    fix=f"Add {attribute.name} = …",
                )
            continue
        try:
            values[attribute.name] = convert_attribute(attribute.kind, given)
        except AttributeTypeError as error:
            table.report(attribute.name, cause=str(error), fix="Give a value of the attribute's type")
    _report_unknown(table, name, [item.name for item in inputs], [attribute.name for attribute in attributes])
    return Sample(name=name, shapes=shapes, attributes=values)


def _shapes(given: object, *, variadic: bool) -> tuple[tuple[int, ...], ...] | None:
    """Return the shapes that a TOML value states, or ``None``."""
    if not isinstance(given, list):
        return None
    shapes = given if variadic else [given]
    for shape in shapes:
        if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
            return None
        if math.prod(shape) > _LARGEST_SAMPLE:
            return None
    return tuple(tuple(shape) for shape in shapes)


def _report_unknown(table: Table, name: str, inputs: list[str], attributes: list[str]) -> None:
    for key in table.keys():  # noqa: SIM118 - a Table is not a mapping
        if key not in inputs and key not in attributes:
            table.document.report(
                "CON001",
                (*table.path, key),
                title=f"Unknown name {key} in sample {name}",
                cause=f"{key} is neither an input nor an attribute; {did_you_mean(key, [*inputs, *attributes])}",
                fix="Correct the name or remove it",
            )
