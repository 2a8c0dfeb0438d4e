"""Schema texts read without PyTorch, held against what PyTorch reads in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from opstudio.contract.schema_parser import SchemaError, parse_schema
from opstudio.contract.torch_schema import Schema, SchemaArgument, SchemaReturn

TYPES_THAT_PYTORCH_CALLS_OTHERWISE = {"SymInt": "int", "Scalar": "number"}
LEAST_SCHEMAS = 40
FEW = 3


def type_in_pytorch(text: str) -> str:
    """Translate ``int[2]?`` to ``Optional[List[int]]``, as PyTorch prints types."""
    if text.endswith("?"):
        return f"Optional[{type_in_pytorch(text[:-1])}]"
    if (found := re.fullmatch(r"(.*)\[\d*\]", text)) is not None:
        return f"List[{type_in_pytorch(found[1])}]"
    return TYPES_THAT_PYTORCH_CALLS_OTHERWISE.get(text, text)


KNOWN_WORDS = {"Tensor", "int", "float", "bool", "str", "number", "ScalarType", "Device", "Layout", "MemoryFormat"} | {
    "Generator",
    "List",
    "Optional",
}
MARKS = ("*,", "(a!)", "(a)", '="', "=[", "=None", "e-", "-> ()", "_.", "SymInt[", "True")


def operators_of_pytorch() -> list[Any]:
    """Return schemas of PyTorch that use known types only: for each type and unusual mark the first few of them."""
    import torch

    chosen: list[Any] = []
    seen: Counter[str] = Counter()
    for schema in sorted(torch._C._jit_get_all_schemas(), key=str):
        types = [str(item.real_type) for item in (*schema.arguments, *schema.returns)]
        words = {word for text in types for word in re.findall(r"\w+", text)}
        features = {*types, *(mark for mark in MARKS if mark in str(schema))}
        # An alias behind a list is a form of its own: see below.
        if words <= KNOWN_WORDS and "](a" not in str(schema) and any(seen[feature] < FEW for feature in features):
            chosen.append(schema)
            seen.update(features)
    assert len(chosen) >= LEAST_SCHEMAS
    assert set(MARKS) <= set(seen)
    return chosen


def test_that_operators_of_pytorch_are_read_as_pytorch_reads_them() -> None:
    for theirs in operators_of_pytorch():
        ours = parse_schema(str(theirs))

        namespace, _, name = theirs.name.rpartition("::")
        assert (namespace or None, name, theirs.overload_name) == (ours.namespace, ours.name, ours.overload)
        assert [
            (item.name, str(item.real_type), item.kwarg_only, item.has_default_value()) for item in theirs.arguments
        ] == [
            (item.name, type_in_pytorch(item.type), item.keyword_only, item.default is not None)
            for item in ours.arguments
        ], str(theirs)
        assert [(item.name, str(item.real_type)) for item in theirs.returns] == [
            (item.name or "", type_in_pytorch(item.type)) for item in ours.returns
        ], str(theirs)
        assert [item.alias_info is not None for item in theirs.arguments] == [
            item.alias is not None for item in ours.arguments
        ], str(theirs)


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("op() -> ()", Schema(None, "op", "", (), ())),
        (
            "ns::op.over(Tensor(a!) self, *, int? dim=None) -> Tensor(a!)",
            Schema(
                "ns",
                "op",
                "over",
                (
                    SchemaArgument("self", "Tensor", alias="a!"),
                    SchemaArgument("dim", "int?", default="None", keyword_only=True),
                ),
                (SchemaReturn("Tensor", alias="a!"),),
            ),
        ),
        (
            'op(int[2] k=[1, -2], float[] f = [0.5, 1e-05], str s="a, \\"b\\")", bool b=True)->(Tensor y, int[])',
            Schema(
                None,
                "op",
                "",
                (
                    SchemaArgument("k", "int[2]", default="[1, -2]"),
                    SchemaArgument("f", "float[]", default="[0.5, 1e-05]"),
                    SchemaArgument("s", "str", default='"a, \\"b\\")"'),
                    SchemaArgument("b", "bool", default="True"),
                ),
                (SchemaReturn("Tensor", "y"), SchemaReturn("int[]")),
            ),
        ),
        (
            "op(Tensor?[] x, Tensor(a)[] y, Tensor(a -> *) z, int[1]? n) -> Tensor[]",
            Schema(
                None,
                "op",
                "",
                (
                    SchemaArgument("x", "Tensor?[]"),
                    SchemaArgument("y", "Tensor[]", alias="a"),
                    SchemaArgument("z", "Tensor", alias="a -> *"),
                    SchemaArgument("n", "int[1]?"),
                ),
                (SchemaReturn("Tensor[]"),),
            ),
        ),
    ],
)
def test_that_every_part_of_a_schema_is_read(text: str, schema: Schema) -> None:
    assert schema == parse_schema(text)


REFUSED = [
    ("f(double a) -> Tensor", "use float: in a schema float is C++'s double, found double", 3),
    (
        "f(tensor a) -> Tensor",
        "tensor is not a type; the usual ones are Tensor, int, float, bool, str, found tensor",
        3,
    ),
    ("f(string a) -> Tensor", "string is not a type", 3),
    ("f(int64_t a) -> Tensor", "int64_t is not a type", 3),
    ("f(List[int] a) -> Tensor", "List is not a type", 3),
    ("f(Tensor a) -> void", "void is not a type", 16),
    ("f(Tensor a)", "expected -> and the returned types, found the end", 12),
    ("f(Tensor a) => Tensor", "expected -> and the returned types, found =", 13),
    ("f(Tensor a) - > Tensor", "expected -> and the returned types, found -", 13),
    ("f(Tensor) -> Tensor", "expected the name of the argument, found )", 9),
    ("f(Tensor 1a) -> Tensor", "expected the name of the argument, found 1", 10),
    ("f(Tensor& a) -> Tensor", "expected the name of the argument, found &", 9),
    ("f(const Tensor a) -> Tensor", "const is not a type", 3),
    ("f(std::string a) -> Tensor", "std is not a type", 3),
    ("f(Tensor a -> Tensor", "expected ), found ->", 12),
    ("f Tensor a) -> Tensor", "expected (, found Tensor", 3),
    ("f(Tensor a) -> Tensor x y", "expected the end of the text, found y", 25),
    ("f(Tensor a) -> Tensor,", "expected the end of the text, found ,", 22),
    ("f(Tensor a) -> Tensor;", "expected the end of the text, found ;", 22),
    ("f(Tensor a) ->", "expected a type such as Tensor, int or float, found the end", 15),
    ("f(Tensor a) -> (Tensor", "expected ), found the end", 23),
    ("f(,) -> Tensor", "expected a type such as Tensor, int or float, found ,", 3),
    ("f(int a int b) -> Tensor", "expected ), found int", 9),
    ("f(int a; int b) -> Tensor", "expected ), found ;", 8),
    ("f(int a=) -> Tensor", "expected a default value, found )", 9),
    ("f(float a=+5.0) -> Tensor", "expected a default value, found +", 11),
    ("f(int[ a) -> Tensor", "expected ], found a", 8),
    ("f(Tensor(a! a) -> Tensor", "expected ), found a", 13),
    ("(Tensor a) -> Tensor", "expected the operator's name, found (", 1),
    ("f.(int a) -> Tensor", "expected the overload's name behind ., found (", 3),
    ("a::b::c(int a) -> Tensor", "expected (, found ::", 5),
    ("a:b(int a) -> Tensor", "expected (, found :", 2),
    ("f-g(int a) -> Tensor", "expected (, found -", 2),
    ("", "expected the operator's name, found the end", 1),
]


@pytest.fixture(scope="module")
def library() -> Iterator[Any]:
    """Return a library of PyTorch, whose ``define`` is what ``TORCH_LIBRARY`` calls as well."""
    import torch

    fragment = torch.library.Library("opstudio_schema_texts", "FRAGMENT")
    yield fragment
    fragment._destroy()


@pytest.mark.parametrize(("text", "message", "column"), REFUSED, ids=[text for text, _, _ in REFUSED])
def test_that_a_text_which_pytorch_refuses_is_refused_at_its_place(
    library: Any, text: str, message: str, column: int
) -> None:
    with pytest.raises((RuntimeError, ValueError)):
        library.define(text)
    with pytest.raises(SchemaError) as caught:
        parse_schema(text)

    assert (column, text) == (caught.value.column, caught.value.text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        "f(Tensor a,) -> Tensor",
        "f(Tensor a) -> (Tensor,)",
        "f(int a=1, Tensor b) -> Tensor",
        "f(Tensor a=1) -> Tensor",
        "f(int a=[1]) -> Tensor",
        "f(int[] a=1) -> Tensor",
        "f(str a=abc) -> Tensor",
        "f(bool a=true) -> Tensor",
        "f(float a=inf) -> Tensor",
        "f(int if) -> Tensor",
        "f(Tensor() a) -> Tensor",
        "f(int[-1] a) -> Tensor",
        "f.default(int a) -> Tensor",
        "f(int a=9223372036854775808) -> Tensor",
        'f(str a="\\u00e9") -> Tensor',
    ],
)
def test_that_a_text_which_only_pytorch_refuses_so_far_is_refused(library: Any, text: str) -> None:
    with pytest.raises((RuntimeError, IndexError, ValueError)):
        library.define(text)
    with pytest.raises(SchemaError):
        parse_schema(text)


@pytest.mark.parametrize(
    "text",
    [
        "f(int[](a!) x) -> ()",
        "f(Tensor[](a!) x) -> Tensor[](a!)",
        "f(float a=.5) -> Tensor",
    ],
)
def test_that_a_text_which_pytorch_takes_is_taken(text: str) -> None:
    import torch

    torch._C.parse_schema(text)
    try:
        parse_schema(text)
    except SchemaError as error:
        pytest.fail(str(error))


@pytest.mark.parametrize(
    "text", ["f(" * 5000, "f(int" + "[]" * 5000 + " x) -> Tensor", "f(int x=" + "[" * 400, "\x00é"]
)
def test_that_a_hostile_text_is_read_or_refused(text: str) -> None:
    try:
        parse_schema(text)
    except SchemaError as error:
        assert 1 <= error.column <= len(text) + 1  # noqa: PT017 - it may be read as well


def test_that_lists_nested_in_one_another_are_refused() -> None:
    with pytest.raises(SchemaError):
        parse_schema("f(int x=" + "[" * 5000 + "]" * 5000 + ") -> Tensor")
