"""Every record class that the studio writes survives the codec, filled with every kind of value it may hold."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from opstudio.base.codec import from_json, to_json
from opstudio.base.discovery import discover
from opstudio.base.finding import Finding
from opstudio.build.records import BuildRecord
from opstudio.checks.check import Check
from opstudio.contract.operator import OperatorContract
from opstudio.jobs import events
from opstudio.parity.comparison import Comparison
from opstudio.workspace.artifact_store import ArtifactRecord
from opstudio.workspace.result_store import StageResult

RECORDS = sorted(
    {
        ArtifactRecord,
        BuildRecord,
        Comparison,
        Finding,
        OperatorContract,
        StageResult,
        *typing.get_args(events.JobEvent),
        *(check.evidence for check in discover("opstudio.checks.stages", "CHECK", Check).manifests),
    },
    key=lambda kind: kind.__name__,
)


def examples(annotation: Any) -> Iterator[Any]:
    """Yield some values of an annotation: each member of a union, the empty and the filled container."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        for argument in arguments:
            yield from examples(argument)
    elif origin is tuple and arguments[-1] is Ellipsis:
        yield ()
        yield tuple(examples(arguments[0]))
    elif origin is tuple:
        yield tuple(next(examples(argument)) for argument in arguments)
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        yield {}
        yield {f"key {index} 中": value for index, value in enumerate(examples(arguments[1]))}
    elif dataclasses.is_dataclass(annotation):
        yield from record_examples(typing.cast("type[Any]", annotation))
    elif isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        yield from annotation
    else:
        yield from SCALARS[annotation]


SCALARS: Mapping[Any, tuple[Any, ...]] = {
    str: ("", "a 'quoted' 中文 text\n"),
    int: (0, -(2**63)),
    float: (-0.0, 1e-300, math.inf),
    bool: (True, False),
    types.NoneType: (None,),
    object: (None, {"nested": [1, {"list": []}, "x"]}),
}


def record_examples(kind: type[Any]) -> Iterator[Any]:
    """Yield records in which each field takes each of its examples once."""
    hints = typing.get_type_hints(kind, localns={"Json": object})
    fields = {item.name: list(examples(hints[item.name])) for item in dataclasses.fields(kind)}
    for index in range(max((len(values) for values in fields.values()), default=1)):
        yield kind(**{name: values[index % len(values)] for name, values in fields.items()})


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_that_each_record_class_survives_json(kind: type[Any]) -> None:
    for record in record_examples(kind):
        text = json.dumps(to_json(record), allow_nan=False)

        assert record == from_json(kind, json.loads(text))


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_that_each_record_class_refuses_an_unknown_field(kind: type[Any]) -> None:
    data = typing.cast("dict[str, Any]", to_json(next(record_examples(kind))))

    with pytest.raises(ValueError, match=f"not a {kind.__name__}"):
        from_json(kind, {**data, "a field of a later studio": 1})


def test_that_the_list_of_record_classes_is_not_empty_by_accident() -> None:
    assert {"OperatorContract", "StageFinished", "BuildRecord"} < {kind.__name__ for kind in RECORDS}
