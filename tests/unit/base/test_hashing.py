"""Content addresses."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from opstudio.base.hashing import content_address, file_address


def test_that_the_address_is_the_beginning_of_the_sha256_of_canonical_json() -> None:
    text = '{"a":[1,2.5,null,true],"中":"文"}'

    assert hashlib.sha256(text.encode()).hexdigest()[:20] == content_address({"中": "文", "a": (1, 2.5, None, True)})


def test_that_the_order_of_keys_does_not_matter() -> None:
    assert content_address({"a": 1, "b": {"c": 2, "d": 3}}) == content_address({"b": {"d": 3, "c": 2}, "a": 1})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1, 2], [2, 1]),
        (1, 1.0),
        (1, True),
        (1, "1"),
        ("", None),
        ([], {}),
        ({"a": None}, {}),
        (["ab", "c"], ["a", "bc"]),
        ({"a": "b"}, {"b": "a"}),
        (0.1 + 0.2, 0.3),
    ],
)
def test_that_different_values_have_different_addresses(first: Any, second: Any) -> None:
    assert content_address(first) != content_address(second)


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"x" * 300_000])
def test_that_a_file_is_addressed_by_its_bytes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "文 件"
    path.write_bytes(content)

    assert hashlib.sha256(content).hexdigest()[:20] == file_address(path)


def test_that_a_file_that_cannot_be_read_is_the_callers_affair(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        file_address(tmp_path / "absent")


def test_that_a_file_name_that_is_not_utf8_has_an_address() -> None:
    name = os.fsdecode(b"kernel_\xff.py")

    assert content_address({name: "a"}) != content_address({"kernel_.py": "a"})
