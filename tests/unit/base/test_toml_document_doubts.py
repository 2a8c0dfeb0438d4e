"""Problems that follow from others are left out, and what is in doubt is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.base.toml_document import TomlDocument
from tests.support.contracts import MARK, position_of, take_marks


def read(folder: Path, text: str) -> TomlDocument:
    path = folder / "file.toml"
    path.write_text(text)
    return TomlDocument.read(path, stage="workspace")


def problems_of(document: TomlDocument) -> tuple[Finding, ...]:
    with pytest.raises(InputError) as caught:
        document.raise_problems()
    return caught.value.findings


def test_that_what_is_missing_because_it_was_mistyped_is_told_once(tmp_path: Path) -> None:
    text, places = take_marks(f"[table]\n{MARK}nmae = 1\n[{MARK}sectoin]\nx = 1\n")
    document = read(tmp_path, text)
    table = document.root.table("table")
    table.text("name")
    table.finish()
    root = document.root
    root.table("section").text("needed")
    root.table("table")
    root.finish()

    assert [("CON001", place) for place in places] == [
        (finding.id, position_of(finding)) for finding in problems_of(document)
    ]


def test_that_a_mistyped_key_beside_the_right_one_hides_nothing(tmp_path: Path) -> None:
    document = read(tmp_path, "nmae = 1\nname = 2\n")
    root = document.root
    root.text("name")
    root.finish()

    assert [finding.id for finding in problems_of(document)] == ["CON001", "CON002"]


def test_that_nothing_is_told_of_what_is_below_a_wrong_key(tmp_path: Path) -> None:
    text, (place,) = take_marks(f"table = {MARK}3\n")
    document = read(tmp_path, text)
    document.root.table("table").text("name")

    assert [place] == [position_of(finding) for finding in problems_of(document)]


@pytest.mark.parametrize(
    ("path", "doubted"),
    [
        (("rows",), True),
        (("rows", 1), True),
        (("rows", 1, "n"), True),
        (("rows", 1, "n", "deeper"), True),
        (("rows", ..., "n"), True),
        (("rows", 0), False),
        (("rows", 1, "m"), False),
        (("rows", ..., "m"), False),
        (("other",), False),
    ],
)
def test_that_a_key_is_in_doubt_with_all_around_and_below_it(
    tmp_path: Path, path: tuple[Any, ...], *, doubted: bool
) -> None:
    document = read(tmp_path, "[[rows]]\nn = 1\n[[rows]]\nn = 2\n")
    document.root.tables("rows")[1].text("n")

    assert doubted == document.doubts(*path)
