"""Records to JSON and back."""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.base.codec import from_json, to_json
from opstudio.base.finding import Finding, Place, Severity
from opstudio.contract.operator import Attribute, AttributeKind, AttributeValue, Layer, Sample


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Rank(enum.IntEnum):
    LOW = 1
    HIGH = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    flag: bool = False
    count: int = 0
    ratio: float = 0.0
    text: str = ""
    colour: Colour = Colour.RED
    rank: Rank = Rank.LOW
    inner: Inner | None = None
    pair: tuple[str, int] = ("", 0)
    row: tuple[float, ...] = ()
    grid: tuple[tuple[int, ...], ...] = ()
    inners: tuple[Inner, ...] = ()
    by_name: Mapping[str, Inner] = field(default_factory=dict)
    deep: Mapping[str, Mapping[str, tuple[Colour, ...]]] = field(default_factory=dict)
    scalar: AttributeValue = 0
    maybe_scalar: int | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixed:
    name: float | str
    text: str = ""


def through_text(record: Any) -> Any:
    """Send a record through the text that files and pipes hold; JSON that no other reader knows is refused."""
    return from_json(type(record), json.loads(json.dumps(to_json(record), allow_nan=False)))


@pytest.mark.parametrize(
    "record",
    [
        Outer(),
        Outer(flag=True, count=-3, ratio=2.5, text='中文 \u2028 \\ "'),
        Outer(colour=Colour.BLUE, rank=Rank.HIGH),
        Outer(inner=Inner(name="a", size=3), inners=(Inner(name="b"), Inner(name="c", size=0))),
        Outer(pair=("left", 2), row=(1.0, -0.5), grid=((1, 2), (), (3,))),
        Outer(by_name={"k": Inner(name="v")}, deep={"a": {"b": (Colour.RED, Colour.BLUE)}, "": {}}),
        Outer(scalar=True),
        Outer(scalar="Infinity"),
        Outer(scalar=(1, 2, 3)),
        Outer(scalar=(0.5, 1.0)),
        Outer(maybe_scalar="x"),
        Outer(maybe_scalar=4),
        Outer(row=(math.inf, -math.inf)),
    ],
)
def test_that_a_record_survives_json(record: Outer) -> None:
    assert record == through_text(record)


@pytest.mark.parametrize("value", [True, 1, 1.0, "1", (1, 2), (1.0, 2.0), (True,)])
def test_that_a_scalar_of_a_union_keeps_its_type(value: AttributeValue) -> None:
    result = through_text(Outer(scalar=value)).scalar

    assert repr(value) == repr(result)


@pytest.mark.parametrize(("value", "text"), [(math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity")])
def test_that_numbers_which_json_lacks_become_the_words_of_javascript(value: float, text: str) -> None:
    assert [text] == to_json((value,))


def test_that_nan_comes_back_as_a_number() -> None:
    (value,) = through_text(Outer(row=(math.nan,))).row

    assert math.isnan(value)


@pytest.mark.parametrize("value", [math.inf, -math.inf, (1.0, math.inf)])
def test_that_an_attribute_value_that_is_not_finite_survives_json(value: AttributeValue) -> None:
    assert value == through_text(Outer(scalar=value)).scalar


def test_that_a_number_which_is_not_finite_is_told_from_the_text_of_its_name() -> None:
    assert to_json(Mixed(name=math.inf, text="Infinity")) == {"name": {"float": "Infinity"}, "text": "Infinity"}
    assert Mixed(name="Infinity") == through_text(Mixed(name="Infinity"))
    assert math.isnan(through_text(Mixed(name=math.nan)).name)


def test_that_mappings_and_lists_of_such_values_survive_json() -> None:
    sample = Sample(
        name="s", shapes={"x": ((1, 2),)}, attributes={"top": math.inf, "mode": "NaN", "k": (1.0, -math.inf)}
    )

    assert sample == through_text(sample)


def test_that_an_absent_field_takes_its_default() -> None:
    assert Inner(name="a", size=None) == from_json(Inner, {"name": "a"})


def test_that_a_whole_number_serves_as_float() -> None:
    result = from_json(Outer, {"ratio": 3}).ratio

    assert (float, 3.0) == (type(result), result)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "name"),
        ({"name": "a", "bogus": 1}, "bogus"),
        ({"name": 1}, "1 is not str"),
        ({"name": None}, "None is not str"),
        ({"name": "a", "size": "3"}, "'3' is not int"),
        ({"name": "a", "size": 3.0}, "3.0 is not int"),
        ([], "Inner"),
        ("name", "Inner"),
        (None, "Inner"),
        (7, "Inner"),
    ],
)
def test_that_data_of_another_shape_is_refused(data: Any, words: str) -> None:
    with pytest.raises(ValueError, match="not a Inner") as caught:
        from_json(Inner, data)

    assert words in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        {"flag": 1},
        {"flag": "true"},
        {"ratio": "fast"},
        {"ratio": None},
        {"ratio": [1.0]},
        {"colour": "green"},
        {"colour": None},
        {"rank": 2},
        {"inner": {"size": 1}},
        {"inner": "a"},
        {"pair": ["a"]},
        {"pair": ["a", 1, 2]},
        {"pair": [1, "a"]},
        {"row": 1.0},
        {"row": None},
        {"grid": [1, 2]},
        {"inners": [None]},
        {"by_name": [["k", {"name": "v"}]]},
        {"by_name": {"k": None}},
        {"deep": {"a": {"b": "red"}}},
    ],
)
def test_that_a_field_of_the_wrong_kind_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r"not a Outer|is not a valid|zip\(\)|could not convert"):
        from_json(Outer, data)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Outer, {"count": True}),
        (Outer, {"ratio": True}),
        (Finding, {"id": "A", "stage": "", "title": "", "cause": "", "fix": "", "places": {}}),
        (Attribute, {"name": "mode", "kind": "string", "choices": "abc"}),
    ],
)
def test_that_a_look_alike_is_refused(kind: type, data: Any) -> None:
    with pytest.raises(ValueError, match=kind.__name__):
        from_json(kind, data)


def test_that_a_value_without_a_place_in_records_is_a_bug() -> None:
    with pytest.raises(TypeError, match="a set has no place in a record"):
        to_json({"a": {1, 2}})


def test_that_enums_are_written_by_value_and_keys_as_text() -> None:
    assert to_json({"kind": AttributeKind.INTS, "layers": (Layer.KERNEL, Layer.RUNTIME), 3: None}) == {
        "kind": "ints",
        "layers": ["kernel", "runtime"],
        "3": None,
    }


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
PLACES = st.builds(
    Place,
    file=st.none() | st.text(),
    line=st.none() | st.integers(),
    column=st.none() | st.integers(),
    node=st.none() | st.text(),
    tensor=st.none() | st.text(),
)


@settings(deadline=None, max_examples=60)
@given(
    finding=st.builds(
        Finding,
        id=st.text(),
        stage=st.text(),
        severity=st.sampled_from(Severity),
        title=st.text(),
        cause=st.text(),
        fix=st.text(),
        places=st.lists(PLACES, max_size=3).map(tuple),
        evidence=st.dictionaries(st.text(), JSON_VALUES, max_size=4),
    )
)
def test_that_any_finding_survives_json(finding: Finding) -> None:
    assert finding == through_text(finding)
