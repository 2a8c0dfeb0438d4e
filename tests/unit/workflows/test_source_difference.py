"""Differences of sources: held against ``patch``, which must make one side of the other."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from opstudio.workflows.source_difference import FileChange, LineKind, SourceText, compare_sources

LINES = some.lists(some.sampled_from(["a\n", "b\n", "c\n", "\n", "long line of text\n", "中\u2028文\n"]), max_size=30)
TEXTS = some.builds(lambda lines, tail: "".join(lines) + tail, LINES, some.sampled_from(["", "tail", " "]))


def texts(**files: str | None) -> dict[str, SourceText]:
    return {name: SourceText(str(hash(text)), text) for name, text in files.items()}


def one(before: str, after: str) -> dict[str, dict[str, SourceText]]:
    return {
        "before": {"a.cpp": SourceText("1", before)},
        "after": {"a.cpp": SourceText("2", after)},
    }


def patched(before: str, difference: str) -> str:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.cpp"
        path.write_bytes(before.encode())
        subprocess.run(
            ["patch", "--silent", "--fuzz=0", str(path)],  # noqa: S607 - wherever the system has it
            input=difference.encode(),
            check=True,
            capture_output=True,
        )
        return path.read_bytes().decode() if path.exists() else ""


@settings(max_examples=60, deadline=None)
@given(before=TEXTS, after=TEXTS)
def test_that_patch_makes_the_later_text_of_the_earlier(before: str, after: str) -> None:
    if before == after:
        return
    (difference,) = compare_sources(**one(before, after))

    assert patched(before, difference.as_text()) == after


def test_that_hunks_state_lines_and_counts() -> None:
    before = "".join(f"{number}\n" for number in range(1, 21))
    after = before.replace("5\n", "five\n", 1).replace("20\n", "")

    (difference,) = compare_sources(**one(before, after))

    assert [hunk.heading for hunk in difference.hunks] == ["@@ -2,7 +2,7 @@", "@@ -17,4 +17,3 @@"]
    marked = [(line.kind, line.text) for line in difference.hunks[0].lines if line.kind is not LineKind.SAME]
    assert marked == [(LineKind.REMOVED, "5"), (LineKind.ADDED, "five")]
    assert difference.counts == (1, 2)


def test_that_files_are_added_removed_and_left_out() -> None:
    differences = compare_sources(texts(old="x\n", same="s\n"), texts(new="y\n", same="s\n"))

    assert [(item.name, item.change) for item in differences] == [
        ("new", FileChange.ADDED),
        ("old", FileChange.REMOVED),
    ]
    assert differences[0].as_text() == "--- /dev/null\n+++ b/new\n@@ -0,0 +1,1 @@\n+y\n"
    assert differences[1].as_text() == "--- a/old\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n"


@pytest.mark.parametrize("side", ["before", "after"])
def test_that_a_text_which_is_not_known_has_no_hunks(side: str) -> None:
    sides = {**one("x\n", "y\n"), side: {"a.cpp": SourceText("3", None)}}

    (difference,) = compare_sources(**sides)

    assert (difference.change, difference.hunks) == (FileChange.CHANGED, ())
