"""Schemas rendered from contracts, held against PyTorch's own parser."""

from __future__ import annotations

import math
from typing import Any

import pytest

from opstudio.contract.operator import (
    Attribute,
    AttributeKind,
    AttributeValue,
    Gradient,
    Input,
    OperatorContract,
)
from opstudio.contract.schema_parser import parse_schema
from opstudio.contract.torch_schema import (
    ATTRIBUTE_KINDS,
    compare_schemas,
    render_backward_schema,
    render_default,
    render_schema,
)
from tests.support.contracts import a_contract, an_attribute, an_input, an_output

INT, FLOAT, BOOL = AttributeKind.INT, AttributeKind.FLOAT, AttributeKind.BOOL
STRING, INTS, FLOATS = AttributeKind.STRING, AttributeKind.INTS, AttributeKind.FLOATS

DEFAULTS: list[tuple[AttributeKind, AttributeValue]] = [
    (INT, 0),
    (INT, -1),
    (INT, 2**63 - 1),
    (INT, -(2**63)),
    (FLOAT, 6.0),
    (FLOAT, -0.0),
    (FLOAT, -2.5),
    (FLOAT, 1e-05),
    (FLOAT, -1e22),
    (FLOAT, 1.7976931348623157e308),
    (FLOAT, 2.2250738585072014e-308),
    (FLOAT, 0.1 + 0.2),
    (BOOL, True),
    (BOOL, False),
    (STRING, ""),
    (STRING, "same"),
    (STRING, 'a "quoted" word'),
    (STRING, "it's"),
    (STRING, "back\\slash and /slash"),
    (STRING, "line\nand\ttab"),
    (STRING, ", ) -> = [ # *"),
    (INTS, ()),
    (INTS, (1, -2, 3)),
    (FLOATS, ()),
    (FLOATS, (0.5, -1e-07, 3.0)),
]


def varied_contracts() -> dict[str, OperatorContract]:
    contracts = {
        "plain": a_contract(),
        "optional": a_contract(inputs=(an_input("x"), an_input("w", optional=True), an_input("v", optional=True))),
        "optional before an attribute without default": a_contract(
            inputs=(an_input("x"), an_input("w", optional=True)), attributes=(an_attribute("a", FLOAT),)
        ),
        "optional before an attribute with default": a_contract(
            inputs=(an_input("x", optional=True),), attributes=(an_attribute("a", FLOAT, 1.0),)
        ),
        "variadic": a_contract(inputs=(an_input("x"), an_input("rest", variadic=True))),
        "mutable": a_contract(inputs=(an_input("x", mutable=True), an_input("w"))),
        "several outputs": a_contract(outputs=(an_output("x", "y"), an_output("x", "indices"))),
        "every attribute without default": a_contract(
            attributes=tuple(an_attribute(f"a_{kind.value}", kind) for kind in AttributeKind)
        ),
        "attributes with and without default": a_contract(
            attributes=(an_attribute("a", INTS), an_attribute("b", STRING), an_attribute("c", BOOL, default=True))
        ),
        "long names": a_contract(
            name="_op__2_", inputs=(an_input("X_1"), an_input("self")), outputs=(an_output("X_1"),)
        ),
    }
    for kind, value in DEFAULTS:
        contracts[f"{kind.value} {value!r}"] = a_contract(attributes=(an_attribute("a", kind, value),))
    return contracts


CONTRACTS = pytest.mark.parametrize("contract", varied_contracts().values(), ids=varied_contracts().keys())


def type_in_pytorch(item: Input | Attribute) -> str:
    """Return the type of an argument as PyTorch prints it."""
    if isinstance(item, Attribute):
        words = {INT: "int", FLOAT: "float", BOOL: "bool", STRING: "str", INTS: "List[int]", FLOATS: "List[float]"}
        return words[item.kind]
    if item.variadic:
        return "List[Tensor]"
    return "Optional[Tensor]" if item.optional else "Tensor"


@CONTRACTS
def test_that_pytorch_reads_a_rendered_schema_as_the_contract_means_it(contract: OperatorContract) -> None:
    import torch

    schema = torch._C.parse_schema(render_schema(contract))

    arguments: list[Input | Attribute] = [*contract.inputs, *contract.attributes]
    assert (contract.name, "") == (schema.name, schema.overload_name)
    assert [(item.name, type_in_pytorch(item), False) for item in arguments] == [
        (argument.name, str(argument.type), argument.kwarg_only) for argument in schema.arguments
    ]
    assert ["Tensor"] * len(contract.outputs) == [str(item.type) for item in schema.returns]
    defaults = {item.name: item.default for item in contract.attributes if item.default is not None}
    read = {item.name: item.default_value for item in schema.arguments if item.default_value is not None}
    assert repr({name: list(value) if isinstance(value, tuple) else value for name, value in defaults.items()}) == repr(
        read
    )
    assert [item.name for item in contract.inputs if item.mutable] == [
        argument.name for argument in schema.arguments if argument.alias_info and argument.alias_info.is_write
    ]


@CONTRACTS
def test_that_a_rendered_schema_is_read_back_to_the_same_arguments(contract: OperatorContract) -> None:
    schema = parse_schema(render_schema(contract))

    arguments: list[Input | Attribute] = [*contract.inputs, *contract.attributes]
    defaults: dict[str, Any] = {item.name: item.default for item in contract.attributes}
    assert (None, contract.name, "") == (schema.namespace, schema.name, schema.overload)
    assert [item.name for item in arguments] == [argument.name for argument in schema.arguments]
    assert [contract.attribute(name).kind for name in defaults] == [
        ATTRIBUTE_KINDS[argument.type] for argument in schema.arguments if argument.name in defaults
    ]
    for argument in schema.arguments:
        default = defaults.get(argument.name)
        assert default is None or render_default(default) == argument.default
    assert len(contract.outputs) == len(schema.returns)
    assert compare_schemas(schema, parse_schema(f"myops::{render_schema(contract)}")) == ()


@pytest.mark.parametrize(
    ("contract", "text"),
    [
        (a_contract(), "op(Tensor x) -> Tensor"),
        (
            a_contract(attributes=(an_attribute("scale", FLOAT), an_attribute("top", FLOAT, 6.0))),
            "op(Tensor x, float scale, float top=6.0) -> Tensor",
        ),
        (
            a_contract(
                inputs=(an_input("x"), an_input("w", optional=True)), outputs=(an_output(), an_output("x", "z"))
            ),
            "op(Tensor x, Tensor? w=None) -> (Tensor y, Tensor z)",
        ),
        (
            a_contract(inputs=(an_input("x"), an_input("w", optional=True)), attributes=(an_attribute("a", STRING),)),
            "op(Tensor x, Tensor? w, str a) -> Tensor",
        ),
        (
            a_contract(inputs=(an_input("x", mutable=True), an_input("xs", variadic=True))),
            "op(Tensor(a!) x, Tensor[] xs) -> Tensor",
        ),
    ],
)
def test_that_a_schema_is_written_as_people_write_it(contract: OperatorContract, text: str) -> None:
    assert text == render_schema(contract)


def test_that_the_backward_schema_takes_gradients_saved_tensors_and_attributes() -> None:
    import torch

    contract = a_contract(
        inputs=(an_input("x"), an_input("w", optional=True), an_input("rest", variadic=True)),
        attributes=(an_attribute("a", INTS), an_attribute("b", BOOL, default=True)),
        outputs=(an_output("x", "y"), an_output("x", "z")),
        gradient=Gradient(inputs=("x", "rest"), saved=("x", "w", "rest", "z")),
    )

    text = render_backward_schema(contract)

    assert text == (
        "op_backward(Tensor grad_y, Tensor grad_z, Tensor x, Tensor? w, Tensor[] rest, Tensor z, int[] a, bool b)"
        " -> Tensor[]"
    )
    assert [argument.name for argument in torch._C.parse_schema(text).arguments] == [
        "grad_y",
        "grad_z",
        "x",
        "w",
        "rest",
        "z",
        "a",
        "b",
    ]


@pytest.mark.parametrize("value", ["é", "中文", "\r", "a\\101", '"\x001"', "😀", "\x00", "\x1b[0m", "\x7f", "\u2028"])
def test_that_any_text_can_be_a_default(value: str) -> None:
    import torch

    contract = a_contract(attributes=(an_attribute("a", STRING, value),))

    text = render_schema(contract)
    assert value == torch._C.parse_schema(text).arguments[1].default_value
    assert text.isprintable()
    assert parse_schema(text).arguments[1].default == render_default(value)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 5e-324, (1.0, math.inf), 2**63])
def test_that_pytorch_takes_no_default_that_is_not_finite_normal_or_within_64_bits(value: AttributeValue) -> None:
    # Contracts have to refuse such defaults: see test_consistency.
    import torch

    kind = {int: "int", tuple: "float[]"}.get(type(value), "float")
    with pytest.raises((RuntimeError, IndexError)):
        torch._C.parse_schema(f"op({kind} a={render_default(value)}) -> Tensor")


WANTED = "op(Tensor x, Tensor? w=None, int[2] k=[1, 1], float s=1.0) -> (Tensor, Tensor)"


@pytest.mark.parametrize(
    ("actual", "differences"),
    [
        (WANTED, ()),
        ("ns::op.out(Tensor x, Tensor? w, SymInt[] k, float s) -> (Tensor y, Tensor z)", ()),
        ("op(Tensor(a!) x, Tensor? w, int[] k, *, float s=2.0) -> (Tensor(a!), Tensor)", ()),
        (
            "op(Tensor x, Tensor? w, int[] k) -> (Tensor, Tensor)",
            ("it has 3 arguments (x, w, k), the contract 4",),
        ),
        (
            "op(Tensor x, Tensor w, int[] kernel, int s) -> (Tensor, Tensor)",
            (
                "argument w is Tensor, in the contract Tensor?",
                "argument 3 is called kernel, in the contract k",
                "argument s is int, in the contract float",
            ),
        ),
        (
            "op(Tensor x, Tensor? w, int[] k, float s) -> Tensor",
            ("it returns (Tensor), the contract (Tensor, Tensor)",),
        ),
        (
            "op(Tensor x, Tensor? w, int k, float s) -> (Tensor, int)",
            ("argument k is int, in the contract int[2]", "it returns (Tensor, int), the contract (Tensor, Tensor)"),
        ),
    ],
)
def test_that_two_schemas_are_compared_as_callers_see_them(actual: str, differences: tuple[str, ...]) -> None:
    assert differences == compare_schemas(parse_schema(actual), parse_schema(WANTED))
