"""The ``[samples]`` of a contract: shapes by input, values by attribute."""

from __future__ import annotations

import math
from typing import Any

from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import Table
from opstudio.base.toml_values import shown
from opstudio.contract.attribute_values import AttributeTypeError, convert_attribute
from opstudio.contract.operator import Attribute, AttributeValue, Input, Sample
from opstudio.contract.value_limits import LARGEST_INTEGER

_LARGEST_SAMPLE = 2**31
"""Elements of one sample input; more would not fit the checks' memory limit."""

_MOST_DIMENSIONS = 64
"""Source: ``NPY_MAXDIMS`` of NumPy 2, and what PyTorch's iterators take."""


class _ShapeError(ValueError):
    """A value of a sample is not a shape."""


def read_samples(table: Table, inputs: tuple[Input, ...], attributes: tuple[Attribute, ...]) -> tuple[Sample, ...]:
    """Read all samples; problems are noted in the document.

    What a sample says of an input or attribute that is wrong itself is not looked at.
    """
    samples = tuple(_sample(table.table(name), name, inputs, attributes) for name in table.keys())  # noqa: SIM118
    table.finish()
    return samples


def _sample(table: Table, name: str, inputs: tuple[Input, ...], attributes: tuple[Attribute, ...]) -> Sample:
    shapes: dict[str, tuple[tuple[int, ...], ...]] = {}
    values: dict[str, AttributeValue] = {}
    for index, item in enumerate(inputs):
        if item.name in table:
            try:
                shapes[item.name] = _shapes(table.value(item.name), variadic=item.variadic)
            except _ShapeError as error:
                form = "[[2, 3], [2, 4]]" if item.variadic else "[2, 3]"
                table.report(item.name, cause=str(error), fix=f"Write sizes from 0 up: {item.name} = {form}")
        elif not item.optional and not table.document.doubts("input", index):
            cause = f"every sample gives a shape for each input, {item.name} has none"
            _lacking(table, name, item.name, cause, f"Add {item.name} = [sizes]")
    for index, attribute in enumerate(attributes):
        if attribute.name in shapes or table.document.doubts("attribute", index):
            table.value(attribute.name)  # of an attribute that bears an input's name nothing can be said
        elif attribute.name in table:
            try:
                values[attribute.name] = convert_attribute(attribute.kind, table.value(attribute.name))
            except AttributeTypeError as error:
                table.report(attribute.name, cause=str(error), fix="Give a value of the attribute's type")
        elif attribute.default is None:
            cause = f"attribute {attribute.name} has no default, so every sample must give it"
            _lacking(table, name, attribute.name, cause, f"Add {attribute.name} = …")
    if not any(table.document.doubts(section, ..., "name") for section in ("input", "attribute")):
        _report_unknown(table, name, [*(item.name for item in inputs), *(item.name for item in attributes)])
    return Sample(name=name, shapes=shapes, attributes=values)


def _lacking(table: Table, name: str, key: str, cause: str, fix: str) -> None:
    table.document.report("CON003", (*table.path, key), title=f"Sample {name} lacks {key}", cause=cause, fix=fix)


def _shapes(given: object, *, variadic: bool) -> tuple[tuple[int, ...], ...]:
    """Return the shapes that a TOML value states.

    Raises:
        _ShapeError: it is none, or one that no machine holds.
    """
    shapes: list[Any] = given if variadic and isinstance(given, list) else [given]
    for shape in shapes:
        if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
            message = f"{shown(given)} is not a shape"
            raise _ShapeError(message)
        if len(shape) > _MOST_DIMENSIONS:
            message = f"{shown(shape)} has {len(shape)} dimensions; PyTorch and NumPy compute with {_MOST_DIMENSIONS}"
            raise _ShapeError(f"{message} at most")
        if math.prod(shape) > _LARGEST_SAMPLE:
            message = f"{shown(shape)} has too many elements; the checks take {_LARGEST_SAMPLE} at most"
            raise _ShapeError(message)
        if any(size > LARGEST_INTEGER for size in shape):
            message = f"{shown(shape)} has a size that does not fit into 64 bits"
            raise _ShapeError(message)
    return tuple(tuple(shape) for shape in shapes)


def _report_unknown(table: Table, name: str, known: list[str]) -> None:
    for key in table.keys():  # noqa: SIM118 - a Table is not a mapping
        if key not in known:
            table.document.report(
                "CON001",
                (*table.path, key),
                title=f"Unknown name {key} in sample {name}",
                cause=f"{key} is neither an input nor an attribute; {did_you_mean(key, known)}",
                fix="Correct the name or remove it",
            )
