"""Defaults in schema texts, held against what PyTorch takes and refuses."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from opstudio.contract.schema_parser import SchemaError, parse_schema

TYPES = (
    *("Tensor", "Tensor?", "Tensor[]", "Tensor?[]", "int", "int?", "int[]", "int[2]", "int[2]?", "SymInt", "SymInt[]"),
    *("float", "float?", "float[]", "float[3]", "bool", "bool[]", "bool[3]", "str", "str?", "str[]", "Scalar"),
    *("ScalarType?", "Device", "Device?", "Layout", "MemoryFormat?", "Generator?", "int[][]"),
)
DEFAULTS = (
    *("None", "1", "-1", "1.5", ".5", "1.", "1e5", "-.5", "True", "False", "true", "inf", "nan", "-inf"),
    *("[]", "[1]", "[1, 2]", "[1.5]", "[True]", "[1,]", "[[1]]", "['a']", "[None]", "[.5, -1e3]"),
    *('"x"', "'x'", "abc", "Mean", "strided", "cpu", "", "=1", "1 2", "(1)", "--1", "+1", "1_0"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"),
    *("[9223372036854775808]", "1e400", "5e-324", "1e-400", "2.2250738585072014e-308", "0.0", "0e5", "-0.0"),
    *('"\\101"', '"\\400"', '"\\18"', '"\\r"', '"\\n"', '"\\x41"', '"\\\\"', '"é"'),
)


@pytest.fixture(scope="module")
def library() -> Iterator[Any]:
    """Return a library of PyTorch, whose ``define`` is what ``TORCH_LIBRARY`` calls as well."""
    import torch

    fragment = torch.library.Library("opstudio_schema_defaults", "FRAGMENT")
    yield fragment
    fragment._destroy()


def test_that_a_default_is_taken_where_pytorch_takes_it(library: Any) -> None:
    theirs, ours = {}, {}
    for number, (kind, default) in enumerate(itertools.product(TYPES, DEFAULTS)):
        text = f"op{number}({kind} a={default}) -> Tensor"
        theirs[text] = ours[text] = True
        try:
            library.define(text)
        except (RuntimeError, IndexError, ValueError):
            theirs[text] = False
        try:
            parse_schema(text)
        except SchemaError:
            ours[text] = False

    assert theirs == ours
    assert 100 < sum(ours.values()) < len(ours) - 100


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("f(bool a=true) -> Tensor", "true is no default value; did you mean True?, found true", 10),
        ("f(float a=inf) -> Tensor", "inf is no default value; known are", 11),
        ("f(int[] a=[1, 2.5]) -> Tensor", "this is no default for int[], found [", 11),
        ("f(int a=9223372036854775808) -> Tensor", "9223372036854775808 does not fit into 64 bits", 9),
        ("f(float a=1e-400) -> Tensor", "1e-400 is too small for PyTorch's parser", 11),
        ('f(str a="\\u00e9") -> Tensor', "PyTorch knows the escapes", 9),
        ("f(int a=1, Tensor b) -> Tensor", "an argument without default stands behind one that has, found b", 19),
        ("f(Tensor a,) -> Tensor", "expected a type such as Tensor, int or float, found )", 12),
        ("f(int if) -> Tensor", "if is a word of PyTorch's schemas and cannot be a name, found if", 7),
        ("f.default(int a) -> Tensor", "default is not a name that an overload may have", 3),
        ("f(int[-1] a) -> Tensor", "the size of a list is a whole number, found -1", 7),
        ("f(Tensor?(a!) a) -> Tensor", "expected the name of the argument, found (", 10),
        ("f(Tensor(a|) x) -> Tensor", "expected the name of an alias, found )", 12),
    ],
)
def test_that_a_refusal_says_why_at_its_place(text: str, message: str, column: int) -> None:
    with pytest.raises(SchemaError) as caught:
        parse_schema(text)

    assert column == caught.value.column
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("default", ["é", "中文", "\x1b", "\r"])
def test_that_what_pytorch_prints_can_be_read_without_a_look_at_the_defaults(default: str) -> None:
    import torch

    printed = str(torch._C.parse_schema(f"ns::op(Tensor x, str a={octal(default)}, int b=1) -> Tensor"))

    schema = parse_schema(printed, check_defaults=False)

    assert [(item.name, item.type) for item in schema.arguments] == [("x", "Tensor"), ("a", "str"), ("b", "int")]


def octal(text: str) -> str:
    return '"' + "".join(f"\\{byte:03o}" for byte in text.encode()) + '"'
