"""Records to JSON and back. Frozen dataclasses are the only schema; there is no second description of them.

Supported fields: JSON scalars, enums, tuples, mappings, optional values, nested dataclasses.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from opstudio.base.finding import Json

RecordT = TypeVar("RecordT")

_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def to_json(value: object) -> Json:
    """Turn a record into JSON values.

    NaN and the infinities, which JSON lacks, become the strings that JavaScript prints for them.
    """
    match value:
        case enum.Enum():
            return cast("Json", value.value)
        case float():
            return value if math.isfinite(value) else _render_not_finite(value)
        case None | bool() | int() | str():
            return value
        case Mapping():
            return {str(key): to_json(item) for key, item in value.items()}
        case tuple() | list():
            return [to_json(item) for item in value]
        case _ if dataclasses.is_dataclass(value):
            return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    message = f"a {type(value).__name__} has no place in a record"
    raise TypeError(message)


def from_json(kind: type[RecordT], data: Json) -> RecordT:
    """Build a record of class ``kind`` from what :func:`to_json` made of it.

    Raises:
        ValueError: the data does not have the shape of the record, for example because an older studio wrote it.
    """
    try:
        return cast("RecordT", _decoder(cast("Any", kind))(data))
    except (TypeError, KeyError, AttributeError) as error:
        message = f"not a {kind.__name__}: {error}"
        raise ValueError(message) from error


def _render_not_finite(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


@functools.cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    """Return the function that decodes values of one annotation."""
    origin = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _union_decoder(arguments)
    if origin is tuple:
        return _tuple_decoder(arguments)
    if origin is not None and issubclass(origin, Mapping):
        decode_item = _decoder(arguments[1])
        return lambda data: {key: decode_item(item) for key, item in data.items()}
    if dataclasses.is_dataclass(kind):
        return _dataclass_decoder(cast("type[Any]", kind))
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind
    if kind is float:
        return lambda data: _NOT_FINITE[data] if isinstance(data, str) else float(data)
    if kind in (bool, int, str):
        return functools.partial(_checked, kind)
    return lambda data: data


def _checked(kind: type, data: object) -> object:
    if not isinstance(data, kind):
        message = f"{data!r} is not {kind.__name__}"
        raise TypeError(message)
    return data


def _union_decoder(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    members = [argument for argument in arguments if argument is not types.NoneType]
    if len(members) == 1:
        decode = _decoder(members[0])
        return lambda data: None if data is None else decode(data)
    # Unions of several scalars (attribute values, JSON) are stored as they are, apart from lists.
    return lambda data: tuple(data) if isinstance(data, list) else data


def _tuple_decoder(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:  # noqa: PLR2004 - tuple[X, ...]
        decode = _decoder(arguments[0])
        return lambda data: tuple(decode(item) for item in data)
    decoders = [_decoder(argument) for argument in arguments]
    return lambda data: tuple(decode(item) for decode, item in zip(decoders, data, strict=True))


def _dataclass_decoder(kind: type[Any]) -> Callable[[Any], Any]:
    # JSON values are stored as they are; their recursive alias cannot be resolved outside of its own module.
    hints = typing.get_type_hints(kind, localns={"Json": object})
    decoders = {field.name: _decoder(hints[field.name]) for field in dataclasses.fields(kind)}

    def decode(data: Mapping[str, Any]) -> Any:
        return kind(**{name: decoders[name](item) for name, item in data.items()})

    return decode
