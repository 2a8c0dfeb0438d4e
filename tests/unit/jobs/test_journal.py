"""Journals: one whole JSON object a line, whatever happens."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opstudio.base.errors import SetupError
from opstudio.jobs.events import JobEvent, JobFinished, JobOutcome, JobStarted, OutputWritten, Progressed, event_to_json
from opstudio.jobs.journal import Journal
from tests.support.limits import public_folder, run_as_ordinary_user, tiny_disk


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def refuse_constant(text: str) -> None:
    raise AssertionError(text)


def output(text: str) -> OutputWritten:
    return OutputWritten(at=0.0, operator="op", source="g++", text=text)


def test_that_events_are_lines_in_their_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs" / "20260101T000000.ndjson")
    events: list[JobEvent] = [
        JobStarted(job=1, key="relu", title="Check 中文"),
        output("a\nb\u2028c\x85d\r\n"),
        Progressed(label="l", fraction=float("nan")),
        JobFinished(job=1, key="relu", outcome=JobOutcome.SUCCEEDED, seconds=float("inf")),
    ]
    for event in events:
        journal.write(event)
    journal.close()

    assert [event_to_json(event) for event in events] == lines(journal.path)
    for line in journal.path.read_text(encoding="utf-8").split("\n")[:-1]:
        json.loads(line, parse_constant=refuse_constant)
    assert "Check 中文".encode() in journal.path.read_bytes()


@pytest.mark.parametrize("length", [1, 100_000])
def test_that_a_line_can_be_read_as_soon_as_it_is_written(tmp_path: Path, length: int) -> None:
    journal = Journal(tmp_path / "a.ndjson")
    try:
        for count in range(1, 4):
            journal.write(output("x" * length))
            assert count == len(lines(journal.path))
    finally:
        journal.close()


def test_that_a_journal_is_continued_not_replaced(tmp_path: Path) -> None:
    for title in ("first", "second"):
        journal = Journal(tmp_path / "a.ndjson")
        journal.write(JobStarted(job=1, key="relu", title=title))
        journal.close()

    assert [line["title"] for line in lines(tmp_path / "a.ndjson")] == ["first", "second"]


@settings(deadline=None, max_examples=60)
@given(texts=st.lists(st.text(), max_size=5))
def test_that_any_text_is_one_line(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    journal = Journal(tmp_path_factory.mktemp("runs") / "a.ndjson")
    for text in texts:
        journal.write(output(text))
    journal.close()

    assert texts == [line["text"] for line in lines(journal.path)]


def test_that_a_file_name_that_is_not_utf8_can_be_journaled(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.ndjson")
    text = os.fsdecode(b"kernel_\xff.cpp: error")
    journal.write(output(text))
    journal.close()

    assert [text] == [line["text"] for line in lines(journal.path)]


def journal_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def make_journals(folder: Path, count: int) -> list[str]:
    names = [f"202601{day:02d}T{hour:02d}.ndjson" for day in range(1, 29) for hour in range(24)][:count]
    for name in names:
        (folder / name).write_text("{}\n")
    return names


def test_that_old_journals_are_removed_and_other_files_are_not(tmp_path: Path) -> None:
    names = make_journals(tmp_path, 120)
    (tmp_path / "notes.txt").touch()

    Journal(tmp_path / "20260201T00.ndjson").close()

    kept = journal_names(tmp_path)
    assert "notes.txt" in kept
    assert "20260201T00.ndjson" in kept
    assert set(names[-45:]) < set(kept)
    assert not set(names[:65]) & set(kept)


def test_that_a_few_journals_are_all_kept(tmp_path: Path) -> None:
    names = make_journals(tmp_path, 49)

    Journal(tmp_path / "20260201T00.ndjson").close()

    assert [*names, "20260201T00.ndjson"] == journal_names(tmp_path)


def test_that_no_more_than_fifty_journals_are_kept(tmp_path: Path) -> None:
    make_journals(tmp_path, 60)

    Journal(tmp_path / "20260201T00.ndjson").close()

    assert len(journal_names(tmp_path)) == 50


def test_that_a_folder_that_cannot_be_written_is_an_error_to_act_on() -> None:
    with public_folder() as folder:
        folder.chmod(0o555)

        def attempt() -> str:
            with pytest.raises(SetupError) as caught:
                Journal(folder / "runs" / "a.ndjson")
            return caught.value.findings[0].cause

        assert run_as_ordinary_user(attempt) == "you may not write there"
        folder.chmod(0o755)


def fill(journal: Journal) -> int:
    """Write events until the disk is full; return how many fitted."""
    for written in range(10_000):
        try:
            journal.write(output("x" * 1000))
        except SetupError as error:
            assert error.findings[0].cause == "the disk is full"  # noqa: PT017 - the loop must end here
            return written
    pytest.fail("the disk was never full")


def test_that_a_full_disk_is_an_error_to_act_on(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk") as disk:
        journal = Journal(disk / "a.ndjson")
        written = fill(journal)
        (disk / "a.ndjson").write_text("")  # room again, so that closing has no trouble
        journal.close()

    assert written > 10


def test_that_a_full_disk_leaves_whole_lines_and_lets_the_journal_close(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk") as disk:
        journal = Journal(disk / "a.ndjson")
        written = fill(journal)
        content = (disk / "a.ndjson").read_bytes()
        try:
            journal.close()
        finally:
            (disk / "a.ndjson").write_text("")
            journal.close()

    assert (True, written) == (content.endswith(b"\n"), content.count(b"\n"))


def test_that_a_new_journal_is_never_among_the_old_ones(tmp_path: Path) -> None:
    # The clock was set back: the new name sorts in front of all others.
    make_journals(tmp_path, 60)

    journal = Journal(tmp_path / "20250101T00.ndjson")
    journal.write(output("kept"))
    journal.close()

    assert [line["text"] for line in lines(journal.path)] == ["kept"]
    assert len(journal_names(tmp_path)) == 50
