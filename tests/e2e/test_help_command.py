"""``opstudio help``: what the window shows is read, searched and parsed in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.workspaces import ROOT, run_command

FOLDER = ROOT / "resources" / "help"


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()


def test_that_the_list_names_every_page_in_reading_order() -> None:
    names = [page["name"] for page in run_command("help", "--json").document["pages"]]
    assert set(names) == {path.stem for path in FOLDER.glob("*.md")}
    assert (names[0], names[-1]) == ("start", "troubleshooting")
    printed = run_command("help").output
    assert [name for name in names if name not in printed] == []


@pytest.mark.parametrize(("language", "folder"), [("en", FOLDER), ("zh_CN", FOLDER / "zh_CN")])
def test_that_a_page_is_printed_as_it_is_written(language: str, folder: Path) -> None:
    result = run_command("help", "loop", "--language", language)
    assert (result.status, result.errors) == (0, "")
    assert result.output.strip() == text_of(folder / "loop.md")


def test_that_an_id_is_a_page_too() -> None:
    page = run_command("help", "reg009", "--json").document["page"]
    explained = run_command("explain", "REG009", "--json").document["page"]
    assert page["is_rule"] is True
    assert explained["title"] in page["title"]
    assert [body for _, body in explained["sections"] if body not in page["text"]] == []


def test_that_a_search_finds_pages_and_ids() -> None:
    result = run_command("help", "--search", "strides contiguous", "--json")
    document = json.loads(result.output)
    assert document["schema"] == "opstudio/help/1"
    assert {"REG009", "kernel"} <= {hit["name"] for hit in document["hits"]}
    assert run_command("help", "--search", "步长", "--language", "zh_CN").output.count("步长") > 1


def test_that_a_search_without_a_result_says_so() -> None:
    result = run_command("help", "--search", "zebra [crossing]")
    assert result.status == 0
    assert "no page holds all of: zebra [crossing]" in result.output


def test_that_an_unknown_page_brings_the_nearest() -> None:
    result = run_command("help", "histroy")
    assert result.status == 2
    assert "history" in result.errors
    assert result.output == ""


def test_that_a_page_and_a_search_together_are_refused() -> None:
    result = run_command("help", "loop", "--search", "cached")
    assert result.status == 2
    assert "not allowed with" in result.errors
