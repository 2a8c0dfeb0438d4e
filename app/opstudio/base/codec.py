"""Records to JSON and back. Frozen dataclasses are the only schema; there is no second description of them.

Supported fields: JSON scalars, enums, tuples, mappings, optional values, unions of scalars, nested dataclasses.
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
_MARK = "float"
"""Key of the object that stands for such a number where a text might be meant as well."""


def to_json(value: object) -> Json:
    """Turn a record into JSON values.

    NaN and the infinities, which JSON lacks, become the strings that JavaScript prints for them; in fields that hold
    either numbers or texts, such as the values of attributes, they become ``{"float": "Infinity"}``.
    """
    return _to_json(value, marked=False)


def _to_json(value: object, *, marked: bool) -> Json:
    match value:
        case enum.Enum():
            return cast("Json", value.value)
        case float():
            if math.isfinite(value):
                return value
            return {_MARK: _render_not_finite(value)} if marked else _render_not_finite(value)
        case None | bool() | int() | str():
            return value
        case Mapping():
            return {str(key): _to_json(item, marked=marked) for key, item in value.items()}
        case tuple() | list():
            return [_to_json(item, marked=marked) for item in value]
        case _ if dataclasses.is_dataclass(value):
            mixed = _mixed_fields(cast("Any", type(value)))
            names = [field.name for field in dataclasses.fields(value)]
            return {name: _to_json(getattr(value, name), marked=name in mixed) for name in names}
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


def _hints(kind: type[Any]) -> dict[str, Any]:
    # JSON values are stored as they are; their recursive alias cannot be resolved outside of its own module.
    return typing.get_type_hints(kind, localns={"Json": object})


@functools.cache
def _mixed_fields(kind: type[Any]) -> frozenset[str]:
    """Return the fields whose annotation allows a number and a text in the same place."""
    return frozenset(name for name, hint in _hints(kind).items() if _is_mixed(hint))


def _is_mixed(hint: Any) -> bool:
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) in (typing.Union, types.UnionType) and {float, str} <= set(arguments):
        return True
    return any(_is_mixed(argument) for argument in arguments)


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
        return _decode_float
    if kind in (bool, int, str):
        return functools.partial(_checked, kind)
    return lambda data: data


def _checked(kind: type, data: object) -> object:
    # True is an int to Python, but not to those who write JSON.
    if not isinstance(data, kind) or (isinstance(data, bool) and kind is not bool):
        message = f"{data!r} is not {kind.__name__}"
        raise TypeError(message)
    return data


def _decode_float(data: object) -> float:
    if isinstance(data, str):
        return _NOT_FINITE[data]
    if isinstance(data, bool) or not isinstance(data, int | float):
        message = f"{data!r} is not float"
        raise TypeError(message)
    return float(data)


def _items(data: object) -> list[Any]:
    if not isinstance(data, list):
        message = f"{data!r} is not a list"
        raise TypeError(message)
    return data


def _union_decoder(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    members = [argument for argument in arguments if argument is not types.NoneType]
    if len(members) == 1:
        decode = _decoder(members[0])
        return lambda data: None if data is None else decode(data)
    return _decode_scalar


def _decode_scalar(data: Any) -> Any:
    """Decode a value of a union of scalars and lists of them: stored as it is, apart from what JSON lacks."""
    match data:
        case list():
            return tuple(_decode_scalar(item) for item in data)
        case dict():
            return _NOT_FINITE[data[_MARK]]
        case _:
            return data


def _tuple_decoder(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:  # noqa: PLR2004 - tuple[X, ...]
        decode = _decoder(arguments[0])
        return lambda data: tuple(decode(item) for item in _items(data))
    decoders = [_decoder(argument) for argument in arguments]
    return lambda data: tuple(decode(item) for decode, item in zip(decoders, _items(data), strict=True))


def _dataclass_decoder(kind: type[Any]) -> Callable[[Any], Any]:
    hints = _hints(kind)
    decoders = {field.name: _decoder(hints[field.name]) for field in dataclasses.fields(kind)}

    def decode(data: Mapping[str, Any]) -> Any:
        return kind(**{name: decoders[name](item) for name, item in data.items()})

    return decode
