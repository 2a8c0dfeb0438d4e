"""What was published of an operator, and what a change takes away from it."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path

import pytest

from opstudio.base.errors import InputError
from opstudio.contract.history import HISTORY_FILE, PublishedVersion, breaking_changes, publish, read_history
from opstudio.contract.operator import AttributeKind, OperatorContract
from tests.support.contracts import MARK, a_contract, an_attribute, an_input, an_output, position_of, take_marks

SCALE = an_attribute("scale", AttributeKind.FLOAT)
TOP = an_attribute("top", AttributeKind.FLOAT, 6.0)
MODE = an_attribute("mode", AttributeKind.STRING, 'a "b" \\ c')
PUBLISHED = PublishedVersion(version=1, schema="op(Tensor x, float scale, float top=6.0) -> Tensor", onnx="myops:Op")


def contract(*attributes: object, **parts: object) -> OperatorContract:
    return a_contract(attributes=attributes or (SCALE, TOP), **parts)  # type: ignore[arg-type]


def test_that_an_operator_without_a_history_was_never_published(tmp_path: Path) -> None:
    assert read_history(tmp_path) == ()


def test_that_what_is_published_can_be_read(tmp_path: Path) -> None:
    publish(tmp_path, contract())

    assert read_history(tmp_path) == (PUBLISHED,)


def test_that_the_history_grows_and_says_nothing_twice(tmp_path: Path) -> None:
    publish(tmp_path, contract())
    first = (tmp_path / HISTORY_FILE).read_text(encoding="utf-8")
    publish(tmp_path, contract())
    assert first == (tmp_path / HISTORY_FILE).read_text(encoding="utf-8")

    publish(tmp_path, contract(SCALE, TOP, MODE))

    assert (tmp_path / HISTORY_FILE).read_text(encoding="utf-8").startswith(first)
    assert [PUBLISHED.schema, 'op(Tensor x, float scale, float top=6.0, str mode="a \\"b\\" \\\\ c") -> Tensor'] == [
        entry.schema for entry in read_history(tmp_path)
    ]


@pytest.mark.parametrize("end", ["", "\n", "\n\n# a note of the person"])
def test_that_a_history_edited_by_hand_is_continued(tmp_path: Path, end: str) -> None:
    path = tmp_path / HISTORY_FILE
    path.write_text(f'[[published]]\nversion = 3\nschema = "op() -> ()"\nonnx = "m:Op"{end}', encoding="utf-8")

    publish(tmp_path, contract())

    assert [entry.version for entry in read_history(tmp_path)] == [3, 1]
    assert end.strip() in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (f"[[{MARK}publisht]]\nversion = 1\n", "CON001"),
        (f'[[published]]\nversion = 1\nschema = {MARK}"op(double x)"\nonnx = ""\n', "CON004"),
        (f'[[published]]\nversion = {MARK}"1"\nschema = ""\nonnx = ""\n', "CON002"),
        (f'[[{MARK}published]]\nversion = 1\nschema = ""\n', "CON003"),
        (f'[[published]]\nversion = 1\nschema = ""\n{MARK}onx = ""\nonnx = ""\n', "CON001"),
        (f"[[published]]\nversion = {MARK}\n", "CON005"),
    ],
)
def test_that_a_mistake_in_a_history_is_reported_at_its_place(tmp_path: Path, text: str, number: str) -> None:
    plain, (place,) = take_marks(text)
    (tmp_path / HISTORY_FILE).write_text(plain, encoding="utf-8")

    with pytest.raises(InputError) as caught:
        read_history(tmp_path)

    assert [(number, place)] == [(finding.id, position_of(finding)) for finding in caught.value.findings]


@pytest.mark.parametrize("letter", ["é", "\x7f", "😀"])
def test_that_any_letter_of_a_name_can_be_published(tmp_path: Path, letter: str) -> None:
    publish(tmp_path, dataclasses.replace(contract(), onnx_type=f"Op{letter}"))

    published = tomllib.loads((tmp_path / HISTORY_FILE).read_text(encoding="utf-8"))["published"]
    assert [f"myops:Op{letter}"] == [entry["onnx"] for entry in published]


@pytest.mark.parametrize(
    ("changed", "changes"),
    [
        (contract(), ()),
        (contract(SCALE, TOP, MODE), ()),
        (contract(SCALE), ("argument top is gone",)),
        (
            contract(SCALE, an_attribute("max_val", AttributeKind.FLOAT, 6.0)),
            ("argument top is gone",),
        ),
        (
            contract(an_attribute("scale", AttributeKind.INT), TOP),
            ("argument scale was float and is int",),
        ),
        (
            contract(SCALE, an_attribute("top", AttributeKind.FLOAT, 5.0)),
            ("the default of top was 6.0 and is 5.0",),
        ),
        (
            contract(SCALE, an_attribute("top", AttributeKind.FLOAT)),
            ("the default of top was 6.0 and is None",),
        ),
        (
            contract(an_attribute("beta", AttributeKind.INT), SCALE, TOP),
            ("argument beta is new and has no default",),
        ),
        (contract(TOP, SCALE), ("the arguments are in another order",)),
        (
            contract(inputs=(an_input("x", optional=True),)),
            ("argument x was Tensor and is Tensor?",),
        ),
        (
            contract(outputs=(an_output("x", "y"), an_output("x", "z"))),
            ("it returned 1 tensors and returns 2",),
        ),
        (
            contract(TOP, an_attribute("scale", AttributeKind.INT, 1), name="other"),
            (
                "argument scale was float and is int",
                "the arguments are in another order",
                "the ONNX node myops:Op is now myops:Other",
            ),
        ),
    ],
)
def test_that_what_a_change_takes_away_is_told(changed: OperatorContract, changes: tuple[str, ...]) -> None:
    assert changes == breaking_changes(PUBLISHED, changed)


def test_that_a_new_argument_in_front_of_an_old_one_breaks_calls_by_position() -> None:
    assert breaking_changes(PUBLISHED, contract(SCALE, MODE, TOP)) == (
        "argument mode is new and stands in front of published ones",
    )
