"""The form of a contract's text: line ends, encodings and ways to write a table leave every place where it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.contracts import (
    MARK,
    OPERATOR,
    assert_reported,
    contract_text,
    findings_of,
    position_of,
    take_marks,
    write_contract,
)

FORMS = {
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "non-ASCII text before": lambda text: f"# é中文😀\n{text}",
    "a blank first line": lambda text: f"\n{text}",
    "no line end at the end": lambda text: text.rstrip("\n"),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_that_the_form_of_the_text_does_not_move_the_place(tmp_path: Path, form: Callable[[str], str]) -> None:
    text = form(contract_text(operator=OPERATOR + f'summary = "é中" # 中文\n{MARK}summry = "s"\n'))
    plain, _ = take_marks(text)
    _, (place,) = take_marks(text.replace("\r\n", "\n"))

    path = write_contract(tmp_path, "")
    path.write_bytes(plain.encode())

    assert [place] == [position_of(finding) for finding in findings_of(path)]


@pytest.mark.parametrize("mark_length", [0, 1])
def test_that_a_byte_order_mark_does_not_move_the_place(tmp_path: Path, mark_length: int) -> None:
    text, (place,) = take_marks(contract_text(operator=f"{MARK}top = 1\n{OPERATOR}"))
    path = write_contract(tmp_path, "")
    path.write_bytes(b"\xef\xbb\xbf" * mark_length + text.encode())

    assert [("CON001", place)] == [(finding.id, position_of(finding)) for finding in findings_of(path)]


SAME_MEANING = {
    "inline table": f'operator = {{ name = "op", domain = "中文", {MARK}summry = "s" }}\n',
    "dotted keys": f'operator.name = "op"\noperator . domain = "中文"\n{MARK}operator.summry = "s"\n',
    "quoted keys": f'["operator"]\n"name" = "op"\n\'domain\' = "中文"\n{MARK}"summry" = "s"\n',
    "indented keys": f'  [ operator ]\n\tname = "op"\n\tdomain = "中文"\n\t  {MARK}summry = "s"\n',
}


@pytest.mark.parametrize("operator", SAME_MEANING.values(), ids=SAME_MEANING.keys())
def test_that_a_mistake_is_found_however_the_table_is_written(tmp_path: Path, operator: str) -> None:
    text, (place,) = take_marks(contract_text(operator=operator))

    name, unknown = sorted(findings_of(write_contract(tmp_path, text)), key=lambda finding: finding.id, reverse=True)

    assert ("CON004", "CON001", place) == (name.id, unknown.id, position_of(unknown))


def test_that_a_path_with_spaces_and_chinese_characters_is_named_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "我的 算子" / "relu é"
    assert_reported(folder, {"operator": OPERATOR + f'{MARK}summry = "s"\n'}, "CON001", "summary")


def test_that_a_contract_below_such_a_path_is_read(tmp_path: Path) -> None:
    assert findings_of(write_contract(tmp_path / "我的 算子", contract_text())) == ()
