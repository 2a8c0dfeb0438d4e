"""Small contracts for tests: as text with marked places, and as records."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opstudio.base.data_type import DataType
from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.contract.operator import (
    Attribute,
    AttributeKind,
    AttributeValue,
    Gradient,
    Input,
    Kernel,
    OperatorContract,
    Output,
    onnx_type_name,
)
from opstudio.contract.toml_file import CONTRACT_FILE, read_contract

MARK = "▸"
"""Stands in a text of a test where a finding must point at; see :func:`take_marks`."""

OPERATOR = '[operator]\nname = "op"\ndomain = "myops"\n'
INPUT = '[[input]]\nname = "x"\ntypes = ["float32"]\nshape = "[N, C]"\n'
OUTPUT = '[[output]]\nname = "y"\nshape = "x"\n'
KERNEL = '[kernel]\nsources = ["op.cpp"]\nreference = "reference.py:op"\n'
SAMPLES = "[samples]\nsingle = { x = [1, 1] }\ntypical = { x = [4, 5] }\nextreme = { x = [1, 64] }\n"


def contract_text(  # noqa: PLR0913 - the sections of a contract
    *,
    operator: str = OPERATOR,
    inputs: str = INPUT,
    attributes: str = "",
    outputs: str = OUTPUT,
    kernel: str = KERNEL,
    samples: str = SAMPLES,
    more: str = "",
) -> str:
    """Return a contract that is good, apart from the sections that are given."""
    return operator + inputs + attributes + outputs + kernel + samples + more


def take_marks(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the text without its marks, and the line and column (from one) of the character behind each mark."""
    positions: list[tuple[int, int]] = []
    plain = ""
    for piece in text.split(MARK)[:-1]:
        plain += piece
        positions.append((plain.count("\n") + 1, len(plain) - (plain.rfind("\n") + 1) + 1))
    return text.replace(MARK, ""), tuple(positions)


def write_contract(folder: Path, text: str) -> Path:
    """Write a contract, with the (empty) files that :data:`KERNEL` names, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("op.cpp", "reference.py"):
        (folder / name).touch()
    path = folder / CONTRACT_FILE
    path.write_text(text, encoding="utf-8")
    return path


def findings_of(path: Path) -> tuple[Finding, ...]:
    """Return what is wrong with a contract; nothing where it is good."""
    try:
        read_contract(path)
    except InputError as error:
        return error.findings
    return ()


def position_of(finding: Finding) -> tuple[int | None, int | None]:
    """Return line and column of a finding's first place."""
    return finding.places[0].line, finding.places[0].column


def assert_reported(folder: Path, sections: Mapping[str, str], number: str, words: str) -> None:
    """Assert that a contract of these sections has one finding: of that id, at the mark, with those words."""
    text, (place,) = take_marks(contract_text(**sections))

    (finding,) = findings_of(write_contract(folder, text))

    assert (number, place, "contract") == (finding.id, position_of(finding), finding.stage)
    assert str(folder / CONTRACT_FILE) == finding.places[0].file
    assert words in f"{finding.cause} {finding.fix}"


def an_input(name: str = "x", shape: str | None = None, **fields: Any) -> Input:
    """Return an input of float32 tensors."""
    return Input(name=name, shape=shape, **{"types": (DataType.FLOAT32,), **fields})


def an_attribute(
    name: str, kind: AttributeKind, default: AttributeValue | None = None, choices: tuple[str, ...] = ()
) -> Attribute:
    """Return an attribute."""
    return Attribute(name=name, kind=kind, default=default, choices=choices)


def an_output(shape: str = "x", name: str = "y") -> Output:
    """Return an output of the type of input ``x``."""
    return Output(name=name, same_type_as="x", shape=shape)


def a_contract(
    *,
    name: str = "op",
    inputs: tuple[Input, ...] = (an_input(),),
    attributes: tuple[Attribute, ...] = (),
    outputs: tuple[Output, ...] = (an_output(),),
    gradient: Gradient | None = None,
    tolerances: Mapping[str, Any] | None = None,
) -> OperatorContract:
    """Return the record of a contract, without any file behind it."""
    return OperatorContract(
        name=name,
        domain="myops",
        version=1,
        summary="",
        onnx_type=onnx_type_name(name),
        inputs=inputs,
        attributes=attributes,
        outputs=outputs,
        kernel=Kernel(sources=("op.cpp",)),
        gradient=gradient,
        reference="reference.py:op",
        model=None,
        samples=(),
        tolerances=tolerances or {},
    )
