"""``opstudio watch``: every way to save counts, once; the newest save wins."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.watched_loop import WatchedLoop
from tests.support.workspaces import TestWorkspace

GOOD, WRONG = "Compute(0))", "Compute(0.25))"
FAST = ("--only", "value")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("watch") / "workspace")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    made.add("relu6_scale", "relu6_scale")
    return made


@pytest.fixture(scope="module")
def loop(workspace: TestWorkspace) -> Iterator[WatchedLoop]:
    with WatchedLoop(workspace.root, *FAST) as started:
        assert started.next_verdict(final=True)[1] == "good"
        yield started


def in_place(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def by_renaming(path: Path, text: str) -> None:
    beside = path.with_suffix(".cpp~new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def with_backup(path: Path, text: str) -> None:
    """As vim does with backupcopy=no: the old file is moved away, a new one is written."""
    path.rename(path.with_suffix(".cpp~"))
    path.write_text(text, encoding="utf-8")
    path.with_suffix(".cpp~").unlink()


def piece_by_piece(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, len(text), 500):
            file.write(text[start : start + 500])
            file.flush()
            os.fsync(file.fileno())


@pytest.mark.parametrize("save", [in_place, by_renaming, with_backup, piece_by_piece])
def test_that_every_way_to_save_counts(
    workspace: TestWorkspace, loop: WatchedLoop, save: Callable[[Path, str], None]
) -> None:
    source = workspace.root / "relu6_scale" / "relu6_scale.cpp"
    text = source.read_text(encoding="utf-8")

    save(source, text.replace(GOOD, WRONG))
    assert loop.next_verdict(final=True)[1] == "bad"

    save(source, text)
    assert loop.next_verdict(final=True)[1] == "good"


def test_that_a_file_which_is_only_touched_starts_nothing(workspace: TestWorkspace, loop: WatchedLoop) -> None:
    loop.drain()
    (workspace.root / "relu6_scale" / "relu6_scale.cpp").touch()
    (workspace.root / "relu6_scale" / "notes.md").write_text("not a source", encoding="utf-8")

    assert [event for event in loop.events_within(1.5) if event["event"] == "job_started"] == []


def test_that_two_hundred_files_at_once_are_one_loop(workspace: TestWorkspace, loop: WatchedLoop) -> None:
    loop.drain()
    folder = workspace.root / "relu6_scale"
    for number in range(200):
        (folder / f"helper_{number}.h").write_text(f"// {number}\n", encoding="utf-8")
    loop.next_verdict(final=True)
    events = loop.events_within(1.5)
    for number in range(200):
        (folder / f"helper_{number}.h").unlink()
    loop.next_verdict(final=True)

    assert [event["event"] for event in events if event["event"] in ("job_started", "verdict_reached")] == []


def test_that_the_newest_save_wins(workspace: TestWorkspace, loop: WatchedLoop) -> None:
    loop.drain()
    source = workspace.root / "relu6_scale" / "relu6_scale.cpp"
    text = source.read_text(encoding="utf-8")
    in_place(source, text.replace(GOOD, WRONG) + "// slow\n")
    time.sleep(0.15)
    in_place(source, text + "// newest\n")

    events = loop.events_within(6.0)
    in_place(source, text)
    loop.next_verdict(final=True)

    # The job before this test may end only now.
    names = [event["event"] for event in events]
    events = events[names.index("job_started") :]
    outcomes = [event["outcome"] for event in events if event["event"] == "job_finished"]
    verdicts = [event["verdict"] for event in events if event["event"] == "verdict_reached" and event["final"]]
    assert outcomes == ["cancelled", "succeeded"]
    assert verdicts == ["good"]


def test_that_a_header_beside_the_operators_counts(workspace: TestWorkspace, loop: WatchedLoop) -> None:
    loop.drain()
    shared = workspace.root / "shared"
    shared.mkdir()
    (shared / "floor.h").write_text("#pragma once\nconstexpr double kFloor = 0;\n", encoding="utf-8")
    source = workspace.root / "relu6_scale" / "relu6_scale.cpp"
    text = source.read_text(encoding="utf-8")
    in_place(source, '#include "../shared/floor.h"\n' + text.replace(GOOD, "Compute(kFloor))"))
    loop.next_verdict(final=True)

    (shared / "floor.h").write_text("#pragma once\nconstexpr double kFloor = 0.5;\n", encoding="utf-8")
    verdict = loop.next_verdict(final=True)[1]
    in_place(source, text)
    loop.next_verdict(final=True)

    assert verdict == "bad"


def test_that_a_new_operator_is_checked_as_soon_as_it_is_there(workspace: TestWorkspace, loop: WatchedLoop) -> None:
    loop.drain()
    workspace.add("affine_pick", "affine_pick")

    assert loop.next_verdict(final=True, operator="affine_pick")[1] == "good"


def test_that_a_broken_contract_is_told_and_the_loop_goes_on(workspace: TestWorkspace, loop: WatchedLoop) -> None:
    loop.drain()
    contract = workspace.root / "relu6_scale" / "contract.toml"
    text = contract.read_text(encoding="utf-8")
    in_place(contract, text.replace("[kernel]", "[kernel"))
    _, verdict, stages = loop.next_verdict(final=True, operator="relu6_scale")
    in_place(contract, text)

    assert verdict == "bad"
    assert stages[0]["findings"][0]["places"][0]["line"] == text[: text.index("[kernel]")].count("\n") + 1
    assert loop.next_verdict(final=True, operator="relu6_scale")[1] == "good"


def test_that_a_workspace_that_is_replaced_ends_the_watch(tmp_path: Path) -> None:
    made = TestWorkspace(tmp_path / "workspace")
    with WatchedLoop(made.root, *FAST) as loop:
        loop.events_within(2.0)
        made.root.rename(tmp_path / "moved")
        shutil.copytree(tmp_path / "moved", made.root)

        assert loop.wait_for_the_end() == 2
