"""Results of stages: found by key, the newest found without, old ones pruned."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from pathlib import Path

import pytest

from opstudio.base.codec import to_json
from opstudio.base.errors import SetupError
from opstudio.base.finding import Finding, Place, Severity
from opstudio.jobs.events import StageState
from opstudio.workspace.result_store import ResultStore, StageResult
from tests.support.limits import public_folder, run_as_ordinary_user

KEPT = 8


def result(key: str, *, operator: str = "relu", stage: str = "value", summary: str = "") -> StageResult:
    return StageResult(
        operator=operator,
        stage=stage,
        key=key,
        state=StageState.BAD,
        seconds=0.25,
        at=1.75e9,
        summary=summary,
        findings=(
            Finding(
                id="REG007",
                stage=stage,
                severity=Severity.WARNING,
                title="中文",
                cause="c",
                fix="f",
                places=(Place(file="a.cpp", line=1),),
                evidence={"n": [1, None]},
            ),
        ),
        evidence={"cases": [{"error": 0.5}], "none": None},
    )


def file_of(state: Path, key: str) -> Path:
    return state / "results" / "relu" / "value" / f"{key}.json"


def put_at(store: ResultStore, state: Path, key: str, seconds: int) -> None:
    """Keep a result as if it had been made at that time."""
    store.put(result(key))
    os.utime(file_of(state, key), (seconds, seconds))


def test_that_a_result_is_found_by_exactly_its_key(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.put(result("k1", summary="first"))
    store.put(result("k2", summary="second"))

    assert result("k1", summary="first") == store.find("relu", "value", "k1")
    assert [
        store.find("relu", "value", "k3"),
        store.find("relu", "value", "k"),
        store.find("relu", "layout", "k1"),
        store.find("swish", "value", "k1"),
    ] == [None] * 4


def test_that_another_store_finds_what_the_first_one_kept(tmp_path: Path) -> None:
    ResultStore(tmp_path).put(result("k1"))

    assert result("k1") == ResultStore(tmp_path).find("relu", "value", "k1")


def test_that_a_result_of_the_same_key_is_replaced(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.put(result("k1", summary="old"))
    store.put(result("k1", summary="new"))

    assert result("k1", summary="new") == store.find("relu", "value", "k1")
    assert len(list(file_of(tmp_path, "k1").parent.iterdir())) == 1


def test_that_numbers_which_are_not_finite_can_be_kept_as_evidence(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    kept = dataclasses.replace(result("k1"), seconds=math.inf, evidence={"error": math.nan})
    store.put(kept)

    found = store.find("relu", "value", "k1")

    assert found is not None
    assert (math.inf, {"error": "NaN"}) == (found.seconds, found.evidence)


def test_that_the_newest_result_is_found_whatever_its_key(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    assert store.latest("relu", "value") is None
    for key, seconds in (("a", 100), ("c", 300), ("b", 200)):
        put_at(store, tmp_path, key, seconds)

    assert result("c") == store.latest("relu", "value")
    assert store.latest("relu", "layout") is None


def test_that_a_result_that_was_found_to_hold_becomes_the_newest(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    for key, seconds in (("a", 100), ("b", 200)):
        put_at(store, tmp_path, key, seconds)

    store.touch(result("a"))

    assert result("a") == store.latest("relu", "value")


def test_that_touching_a_result_that_went_away_is_no_error(tmp_path: Path) -> None:
    ResultStore(tmp_path).touch(result("gone"))

    assert ResultStore(tmp_path).latest("relu", "value") is None


UNREADABLE = {
    "empty": b"",
    "half a file": json.dumps({"operator": "relu"}).encode()[:-4],
    "no record": b"null",
    "a list": b"[]",
    "another record": b'{"id": "x"}',
    "an older record": b'{"operator": "relu", "stage": "value", "key": "k"}',
    "an unknown state": None,
    "not text": b"\xff\xfe\x00",
    "deeply nested": b"[" * 100_000,
}


def unreadable(name: str) -> bytes:
    content = UNREADABLE[name]
    if content is None:
        data = to_json(result("k"))
        assert isinstance(data, dict)
        content = json.dumps({**data, "state": "perfect"}).encode()
    return content


@pytest.mark.parametrize("name", UNREADABLE)
def test_that_an_unreadable_file_is_no_result_and_does_not_hide_an_older_one(tmp_path: Path, name: str) -> None:
    store = ResultStore(tmp_path)
    put_at(store, tmp_path, "good", 100)
    file_of(tmp_path, "k").write_bytes(unreadable(name))

    assert store.find("relu", "value", "k") is None
    assert result("good") == store.latest("relu", "value")


def test_that_only_the_newest_results_of_a_stage_are_kept(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.put(result("other", stage="layout"))
    for number in range(20):
        put_at(store, tmp_path, f"k{number:02d}", 1000 + number)
    store.put(result("last"))

    kept = sorted(path.stem for path in file_of(tmp_path, "x").parent.iterdir())

    assert kept == ["k13", "k14", "k15", "k16", "k17", "k18", "k19", "last"]
    assert len(kept) == KEPT
    assert store.find("relu", "layout", "other") is not None


def test_that_a_result_which_is_used_again_is_not_pruned(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    put_at(store, tmp_path, "first", 1)
    for number in range(7):
        put_at(store, tmp_path, f"k{number}", 10 + number)
    store.touch(result("first"))
    for number in range(6):
        put_at(store, tmp_path, f"n{number}", 2_000_000_000 + number)

    assert store.find("relu", "value", "first") is not None


def test_that_of_two_results_of_one_moment_the_later_one_is_the_latest(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    keys = ["b", "a", "c", "d"]
    for number, key in enumerate(keys):
        store.put(dataclasses.replace(result(key), at=1.75e9 + number))
        os.utime(file_of(tmp_path, key), (100, 100))

    latest = [store.latest("relu", "value")]
    file_of(tmp_path, "d").unlink()
    latest.append(store.latest("relu", "value"))
    file_of(tmp_path, "c").unlink()
    latest.append(store.latest("relu", "value"))

    assert [item.key if item else None for item in latest] == ["d", "c", "a"]


def test_that_a_workspace_that_cannot_be_written_is_an_error_to_act_on() -> None:
    with public_folder() as folder:
        folder.chmod(0o555)

        def attempt() -> str:
            with pytest.raises(SetupError) as caught:
                ResultStore(folder).put(result("k"))
            return caught.value.findings[0].cause

        answer = run_as_ordinary_user(attempt)
        folder.chmod(0o755)

    assert answer == "you may not write there"


def test_that_a_result_about_a_file_whose_name_is_not_utf8_can_be_kept(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    kept = result("k1", summary=os.fsdecode(b"kernel_\xff.cpp"))
    store.put(kept)

    assert kept == store.find("relu", "value", "k1")


def test_that_the_result_just_kept_stays_among_others_of_its_moment(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    for number in range(KEPT):
        put_at(store, tmp_path, f"k{number}", 2_000_000_000)

    store.put(result("last"))

    assert store.find("relu", "value", "last") is not None


def test_that_a_result_can_be_forgotten(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.put(result("wrong"))
    store.put(result("right"))

    store.forget("relu", "value", "wrong")
    store.forget("relu", "value", "never kept")

    assert store.find("relu", "value", "wrong") is None
    assert store.find("relu", "value", "right") is not None
