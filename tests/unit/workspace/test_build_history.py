"""The history of builds: numbered, bounded, whole after any crash, and readable around damage."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opstudio.base.errors import SetupError
from opstudio.jobs.events import StageState, Verdict
from opstudio.workspace.build_history import (
    KEPT_RECORDS,
    BuildHistory,
    BuiltLibrary,
    ErrorFigure,
    HistoryRecord,
    KernelTime,
    StageMark,
)
from opstudio.workspace.source_snapshot import SourceFile
from tests.support.limits import public_folder, run_as_ordinary_user, tiny_disk
from tests.support.workspaces import ROOT, command_environment

MOST_FILES = KEPT_RECORDS + 20


def source(name: str, content: bytes) -> SourceFile:
    return SourceFile(name=name, address=hashlib.sha256(content).hexdigest()[:20], size_bytes=len(content))


def record(*sources: SourceFile, operator: str = "relu") -> HistoryRecord:
    return HistoryRecord(
        number=0,
        operator=operator,
        at=1.75e9,
        amended_at=1.75e9,
        verdict=Verdict.BAD,
        final=False,
        verdict_seconds=0.5,
        stages=(
            StageMark(stage="value", state=StageState.BAD, seconds=0.1, key="k", findings=("NUM012", "NUM012")),
            StageMark(stage="parity", state=StageState.NOT_RUN, seconds=0.0, summary="中文"),
        ),
        sources=sources,
        errors=(
            ErrorFigure(stage="value", type="float32", largest_ratio=0.5, largest_absolute=3.0),
            ErrorFigure(stage="value", type="int64", largest_ratio=math.inf, largest_absolute=1.0),
        ),
        kernel_time=KernelTime(median=1e-3, low=9e-4, high=2e-3, runs=100, sample="s", type="float32", threads=2),
        libraries=(
            BuiltLibrary(file="a.so", kind="native", artifact="a-1", size_bytes=70, sha256="0" * 64, seconds=0.25),
            BuiltLibrary(file="b.so", kind="native", artifact="b-1", size_bytes=7, sha256="1" * 64, seconds=0.5),
        ),
        versions={"torch": "2.13"},
    )


def add(history: BuildHistory, text: str) -> HistoryRecord:
    content = text.encode()
    file = source("a.cpp", content)
    return history.add(record(file), {file.address: content})


def texts_of(state: Path) -> set[str]:
    return {path.name for path in (state / "history" / "relu" / "texts").iterdir()}


def test_that_records_come_back_newest_first_with_all_they_held(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    first, second = add(history, "one\n"), add(history, "two\n")

    known = BuildHistory(tmp_path).read("relu")

    assert known.records == (second, first)
    assert [item.number for item in known.records] == [2, 1]
    assert dataclasses.replace(first, number=0) == record(*first.sources)
    assert (known.unreadable, known.baseline) == ((), None)
    assert history.latest("relu") == second
    assert history.find("relu", 1) == first
    assert history.find("relu", 3) is None
    assert (history.text(first, "a.cpp"), history.text(second, "a.cpp")) == ("one\n", "two\n")
    assert history.text(first, "b.cpp") is None


def test_that_sums_are_those_of_the_parts(tmp_path: Path) -> None:
    kept = add(BuildHistory(tmp_path), "one\n")

    assert (kept.size_bytes, kept.build_seconds) == (77, 0.75)
    assert kept.worst_error == kept.errors[1]
    assert kept.findings == ("NUM012",)
    assert dataclasses.replace(kept, libraries=(), errors=()).size_bytes is None
    assert dataclasses.replace(kept, libraries=(), errors=()).worst_error is None


def test_that_an_operator_without_a_history_has_none(tmp_path: Path) -> None:
    assert BuildHistory(tmp_path).read("relu").records == ()
    assert BuildHistory(tmp_path).latest("relu") is None
    assert not (tmp_path / "history").exists()


def test_that_the_same_content_is_stored_once(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    add(history, "one\n")
    before = (tmp_path / "history" / "relu" / "texts" / source("", b"one\n").address).stat().st_mtime_ns
    add(history, "two\n")
    add(history, "one\n")

    assert texts_of(tmp_path) == {source("", b"one\n").address, source("", b"two\n").address}
    assert (tmp_path / "history" / "relu" / "texts" / source("", b"one\n").address).stat().st_mtime_ns == before


def test_that_a_text_which_was_cut_off_is_written_again(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    first = add(history, "a longer text\n")
    path = tmp_path / "history" / "relu" / "texts" / first.sources[0].address
    path.write_bytes(b"a lon")

    add(history, "a longer text\n")

    assert history.text(first, "a.cpp") == "a longer text\n"


def test_that_amending_replaces_the_record_alone(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    first = add(history, "one\n")
    add(history, "two\n")

    history.amend(dataclasses.replace(first, verdict=Verdict.GOOD, final=True))

    assert [(item.number, item.verdict.value, item.final) for item in history.read("relu").records] == [
        (2, "bad", False),
        (1, "good", True),
    ]


def test_that_two_hundred_records_and_the_baseline_stay_with_their_texts(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    for number in range(1, MOST_FILES):
        add(history, f"text {number}\n")
        if number == 3:
            history.set_baseline("relu", 3)
    assert len(history.read("relu").records) == MOST_FILES - 1

    add(history, f"text {MOST_FILES}\n")

    numbers = [item.number for item in history.read("relu").records]
    assert numbers == [*range(MOST_FILES, MOST_FILES - KEPT_RECORDS, -1), 3]
    wanted = {source("", f"text {number}\n".encode()).address for number in numbers}
    assert texts_of(tmp_path) == wanted
    baseline = history.find("relu", 3)
    assert baseline is not None
    assert history.text(baseline, "a.cpp") == "text 3\n"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b'{"number": 2}', b"\xff\xfe", b"[" * 100_000],
    ids=["empty", "cut", "list", "null", "incomplete", "no text", "deep"],
)
def test_that_a_damaged_record_is_left_out_with_words(tmp_path: Path, content: bytes) -> None:
    history = BuildHistory(tmp_path)
    for text in ("one\n", "two\n", "three\n"):
        add(history, text)
    (tmp_path / "history" / "relu" / "000002.json").write_bytes(content)

    known = history.read("relu")

    assert [item.number for item in known.records] == [3, 1]
    (words,) = known.unreadable
    assert words.startswith("000002.json is damaged and left out: ")
    assert add(history, "four\n").number == 4


def test_that_a_record_cut_at_any_byte_spoils_no_other(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    add(history, "one\n")
    add(history, "two\n")
    path = tmp_path / "history" / "relu" / "000002.json"
    whole = path.read_bytes()

    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        latest = history.latest("relu")
        assert latest is not None
        assert latest.number == 1
        assert len(history.read("relu").unreadable) == 1


def test_that_a_record_under_the_number_of_another_is_damaged(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    add(history, "one\n")
    folder = tmp_path / "history" / "relu"
    (folder / "000007.json").write_bytes((folder / "000001.json").read_bytes())

    known = history.read("relu")

    assert [item.number for item in known.records] == [1]
    assert "it says that it is number 1" in known.unreadable[0]


@pytest.mark.parametrize("content", ["", "{}", '{"number": "1"}', "[1]"])
def test_that_a_damaged_baseline_is_none(tmp_path: Path, content: str) -> None:
    history = BuildHistory(tmp_path)
    add(history, "one\n")
    history.set_baseline("relu", 1)
    assert history.baseline("relu") == 1

    (tmp_path / "history" / "relu" / "baseline.json").write_text(content)
    assert history.baseline("relu") is None

    history.set_baseline("relu", None)
    history.set_baseline("relu", None)
    assert history.read("relu").baseline is None


WRITER = """
import sys
from pathlib import Path
from tests.unit.workspace.test_build_history import add
from opstudio.workspace.build_history import BuildHistory
history = BuildHistory(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    add(history, f"{sys.argv[2]} {number}\\n" * 50)
"""


def start_writer(state: Path, word: str, count: int) -> subprocess.Popen[str]:
    environment = {**command_environment(), "PYTHONPATH": f"{ROOT / 'app'}{os.pathsep}{ROOT}"}
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(state), word, str(count)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def end(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    process.stdout.close()
    return process.wait(timeout=60)


def test_that_two_studios_which_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [start_writer(tmp_path, word, 30) for word in ("left", "right")]

    assert [end(writer) for writer in writers] == [0, 0]

    history = BuildHistory(tmp_path)
    known = history.read("relu")
    assert [item.number for item in known.records] == list(range(60, 0, -1))
    texts = {str(history.text(item, "a.cpp")).splitlines()[0] for item in known.records}
    assert texts == {f"{word} {number}" for word in ("left", "right") for number in range(30)}
    assert not list((tmp_path / "history" / "relu").glob(".*"))


def test_that_a_killed_studio_leaves_whole_records(tmp_path: Path) -> None:
    for turn in range(8):
        writer = start_writer(tmp_path, f"turn {turn}", 100_000)
        time.sleep(0.02 + 0.023 * turn)
        writer.send_signal(signal.SIGKILL)
        assert end(writer) == -signal.SIGKILL

    history = BuildHistory(tmp_path)
    known = history.read("relu")
    assert known.unreadable == ()
    assert len(known.records) > 8
    for item in known.records:
        text = history.text(item, "a.cpp")
        assert text is not None
        assert hashlib.sha256(text.encode()).hexdigest()[:20] == item.sources[0].address
    assert add(history, "after\n").number == known.records[0].number + 1


def test_that_a_full_disk_leaves_the_records_that_were_there(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk", kibibytes=128) as disk:
        history = BuildHistory(disk)

        def fill() -> None:
            for number in range(1000):
                add(history, f"text {number}\n" * 200)

        with pytest.raises(SetupError, match="the disk is full"):
            fill()
        known = history.read("relu")
        assert known.unreadable == ()
        assert len(known.records) > 0
        assert all(history.text(item, "a.cpp") is not None for item in known.records)


def test_that_a_folder_which_cannot_be_written_is_an_error_with_words() -> None:
    with public_folder() as folder:

        def action() -> str:
            try:
                add(BuildHistory(folder), "one\n")
            except SetupError as error:
                return error.findings[0].cause
            return "written"

        assert run_as_ordinary_user(action) == "you may not write there"


def test_that_names_which_are_no_utf_8_come_back(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    name = os.fsdecode(b"a\xff.cpp")
    content = b"text"
    file = source(name, content)

    kept = history.add(record(file), {file.address: content})

    assert json.loads((tmp_path / "history" / "relu" / "000001.json").read_text(encoding="utf-8"))
    assert history.read("relu").records == (kept,)
    assert history.text(kept, name) == "text"


def test_that_a_record_leads_to_no_other_files(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    (tmp_path / "secret").write_text("secret")
    file = dataclasses.replace(source("a.cpp", b"one"), address="../../../secret")

    kept = history.add(record(file), {})

    assert (tmp_path / "history" / "relu" / "texts" / file.address).resolve() == tmp_path / "secret"
    assert history.text(kept, "a.cpp") is None


def test_that_what_a_killed_studio_left_is_removed_after_a_day(tmp_path: Path) -> None:
    history = BuildHistory(tmp_path)
    add(history, "one\n")
    folder = tmp_path / "history" / "relu"
    left = {age: [folder / f".{age}.part", folder / "texts" / f".{age}.part"] for age in (23, 25)}
    for age, paths in left.items():
        for path in paths:
            path.touch()
            os.utime(path, (time.time() - age * 3600, time.time() - age * 3600))

    add(history, "two\n")

    assert [path.exists() for path in (*left[23], *left[25])] == [True, True, False, False]
