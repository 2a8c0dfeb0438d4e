"""The settings of a workspace, and where each mistake in them is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.workspace.settings import SETTINGS_FILE, Settings, read_settings
from tests.support.contracts import MARK, position_of, take_marks

GIB = 1024**3


def write(folder: Path, text: str) -> Path:
    path = folder / SETTINGS_FILE
    path.write_text(text, encoding="utf-8")
    return path


def problems_of(path: Path) -> tuple[Finding, ...]:
    with pytest.raises(InputError) as caught:
        read_settings(path)
    return caught.value.findings


def test_that_every_setting_arrives(tmp_path: Path) -> None:
    text = """
[workspace]
name = "我的算子"
operators = ["*", "groups/*"]
[environment]
python = "/opt/env/bin/python"
[build]
compiler = "clang++"
flags = ["-O3", "-DX=1"]
[limits]
memory_gib = 1.5
quiet_seconds = 7
"""

    assert Settings(
        name="我的算子",
        operators=("*", "groups/*"),
        python="/opt/env/bin/python",
        compiler="clang++",
        flags=("-O3", "-DX=1"),
        memory_bytes=1536 * 1024**2,
        quiet_seconds=7.0,
    ) == read_settings(write(tmp_path, text))


def test_that_an_empty_file_means_the_defaults_and_the_folders_name(tmp_path: Path) -> None:
    folder = tmp_path / "我的 工作区"
    folder.mkdir()

    assert Settings(
        name="我的 工作区",
        operators=("*",),
        python=None,
        compiler=None,
        flags=(),
        memory_bytes=4 * GIB,
        quiet_seconds=2.0,
    ) == read_settings(write(folder, ""))


MISTAKES: dict[str, tuple[str, str, str]] = {
    "unknown section": (f"[{MARK}worksapce]\n", "CON001", "did you mean workspace?"),
    "unknown key": (f'[build]\n{MARK}complier = "g++"\n', "CON001", "did you mean compiler?"),
    "key without its section": (f'{MARK}name = "x"\n', "CON001", "known are build, environment, limits, workspace"),
    "name that is no text": (f"[workspace]\nname = {MARK}1\n", "CON002", "a string, not an integer (1)"),
    "pattern that is no text": (f'[workspace]\noperators = ["a", {MARK}2]\n', "CON002", "a string, not an integer (2)"),
    "section that is no table": (f"build = {MARK}1\n", "CON002", "a table, not an integer (1)"),
    "memory in words": (f'[limits]\nmemory_gib = {MARK}"4GiB"\n', "CON002", "a number, not a string ('4GiB')"),
    "too little memory": (f"[limits]\nmemory_gib = {MARK}0.9\n", "CON004", "the frameworks alone need half a GiB"),
    "negative memory": (f"[limits]\nmemory_gib = {MARK}-3\n", "CON004", "Allow 1 at least"),
    "no time": (f"[limits]\nquiet_seconds = {MARK}0\n", "CON004", "cannot make progress in no time"),
    "negative time": (f"[limits]\nquiet_seconds = {MARK}-0.5\n", "CON004", "cannot make progress in no time"),
    "no TOML": (f"[limits]\nmemory_gib = 4 {MARK}GiB\n", "CON005", "Expected newline or end of document"),
}


@pytest.mark.parametrize(("text", "number", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_that_a_mistake_is_reported_at_its_place(tmp_path: Path, text: str, number: str, words: str) -> None:
    plain, (place,) = take_marks(text)
    path = write(tmp_path, plain)

    (finding,) = problems_of(path)

    assert (number, place, "workspace") == (finding.id, position_of(finding), finding.stage)
    assert str(path) == finding.places[0].file
    assert words in f"{finding.cause} {finding.fix}"


def test_that_all_mistakes_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text, places = take_marks(
        f"[limits]\nquiet_seconds = {MARK}-1\nmemory_gib = {MARK}0\n[workspace]\nname = {MARK}2\n{MARK}oprators = []\n"
    )

    assert list(places) == [position_of(finding) for finding in problems_of(write(tmp_path, text))]


@pytest.mark.parametrize(
    "setting",
    [
        *(f"memory_gib = {MARK}{limit}" for limit in ("inf", "nan", "2e6", "0x" + "f" * 300)),
        *(f"quiet_seconds = {MARK}{limit}" for limit in ("inf", "nan", "1e9")),
    ],
)
def test_that_a_limit_which_is_no_limit_is_refused(tmp_path: Path, setting: str) -> None:
    text, (place,) = take_marks(f"[limits]\n{setting}\n")

    assert [("CON004", place)] == [(item.id, position_of(item)) for item in problems_of(write(tmp_path, text))]


@pytest.mark.parametrize("pattern", ["/opt/operators/*", "", "a**b"])
def test_that_a_pattern_which_cannot_be_searched_is_refused(tmp_path: Path, pattern: str) -> None:
    text, (place,) = take_marks(f'[workspace]\noperators = ["*", {MARK}"{pattern}"]\n')

    assert [("CON004", place)] == [(item.id, position_of(item)) for item in problems_of(write(tmp_path, text))]


def test_that_a_missing_file_is_told(tmp_path: Path) -> None:
    (finding,) = problems_of(tmp_path / SETTINGS_FILE)

    assert (finding.id, finding.cause) == ("STU002", "No such file or directory")
