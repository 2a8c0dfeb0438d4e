"""The history of builds: written by real checks, listed, pinned, compared and read back."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import torch

from opstudio.jobs.events import JobEvent, StageFinished, Verdict
from opstudio.jobs.lanes import Job
from opstudio.workflows.check import CheckOptions, OperatorReport, check_operator
from opstudio.workflows.studio import Studio
from opstudio.workspace.folder import open_workspace
from opstudio.workspace.trust import Trust
from tests.support.limits import tiny_disk
from tests.support.watched_loop import WatchedLoop
from tests.support.workspaces import ALONE, TestWorkspace, command_environment

NAME = "relu6_scale"
SOURCE = f"{NAME}.cpp"
FLOOR = "Compute(0)), Compute(max_val))"
ONE_TYPE = ("contract.toml", 'types = ["float32", "float64", "float16", "bfloat16"]', 'types = ["float32"]')
FAST = ("--only", "register,meta,value")


@pytest.fixture
def workspace(fresh_workspace: TestWorkspace) -> TestWorkspace:
    fresh_workspace.add(NAME, NAME, *ALONE, ONE_TYPE)
    return fresh_workspace


def set_floor(workspace: TestWorkspace, old: str, new: str) -> None:
    workspace.edit(NAME, SOURCE, f"Compute({old})), Compute(max_val))", f"Compute({new})), Compute(max_val))")


def history(workspace: TestWorkspace, *arguments: str) -> dict[str, Any]:
    result = workspace.run("history", NAME, "--json", *arguments)
    assert result.status == 0, result.errors
    assert result.document["schema"] == "opstudio/history/1"
    return result.document


def records(workspace: TestWorkspace) -> list[dict[str, Any]]:
    return list(history(workspace)["records"])


def error_of(record: dict[str, Any], stage: str) -> dict[str, Any]:
    (found,) = [item for item in record["errors"] if item["stage"] == stage]
    return dict(found)


def test_that_an_edit_makes_a_record_with_its_line_and_its_error(workspace: TestWorkspace) -> None:
    first = workspace.check(NAME, *FAST)
    line = workspace.line(NAME, SOURCE, FLOOR)
    before = (workspace.root / NAME / SOURCE).read_text(encoding="utf-8")
    set_floor(workspace, "0", "5e-7")
    second = workspace.check(NAME, *FAST)
    assert history(workspace, "--pin", "1")["baseline"] == 1

    document = history(workspace)

    newest, oldest = document["records"]
    assert (newest["number"], oldest["number"], document["baseline"]) == (2, 1, 1)
    assert (newest["verdict"], oldest["verdict"]) == (second.verdict, first.verdict) == ("good", "good")
    for record, checked in ((oldest, first), (newest, second)):
        stages = {stage["stage"]: stage for stage in record["stages"]}
        told = {stage["id"]: stage for stage in checked.operator["stages"]}
        assert {name: (item["state"], item["seconds"]) for name, item in stages.items()} == {
            name: (item["state"], item["seconds"]) for name, item in told.items()
        }
    # y is max(x · scale, 5e-7) where it should be max(x · scale, 0): at zero the tolerance is the absolute one.
    error = error_of(newest, "value")
    assert error["type"] == "float32"
    assert error["largest_absolute"] == float(np.float32(5e-7))
    assert error["largest_ratio"] == pytest.approx(float(np.float32(5e-7)) / 1e-6, rel=1e-9)
    # 1.0 · 0.75 and the like are exact or rounded once on both sides.
    assert error_of(oldest, "value")["largest_ratio"] == 0.0
    delta = newest["delta"]
    assert (delta["worst_error"]["before"], delta["worst_error"]["trend"]) == (0.0, "worse")
    sizes = [
        (workspace.root / ".opstudio/artifacts/native" / item["libraries"][0]["artifact"] / "kernel.so").stat().st_size
        for item in (oldest, newest)
    ]
    assert [oldest["size_bytes"], newest["size_bytes"]] == sizes
    assert (delta["size_bytes"]["before"], delta["size_bytes"]["after"]) == tuple(sizes)
    assert delta["kernel_seconds"] == {"unit": "seconds", "before": None, "after": None, "trend": "unclear"}
    (file,) = history(workspace, "--diff", "1", "2")["files"]
    changed = [item for hunk in file["hunks"] for item in hunk["lines"] if item["kind"] != "same"]
    assert [(item["kind"], item["text"].strip()) for item in changed] == [
        ("removed", f"return std::min(std::max(value * Compute(scale), {FLOOR};"),
        ("added", f"return std::min(std::max(value * Compute(scale), {FLOOR.replace('0', '5e-7', 1)};"),
    ]
    (hunk,) = file["hunks"]
    assert hunk["old_start"] + [item["kind"] for item in hunk["lines"]].index("removed") == line
    assert history(workspace, "--file", "1", SOURCE)["text"] == before
    listed = workspace.run("history", NAME).output
    assert "is the baseline" in listed
    assert "0.5 of tolerance" in listed
    shown = workspace.run("check", NAME, *FAST).output
    assert "relu6_scale against build 1, the baseline: error 0.5× the tolerance, from none, time unknown" in shown
    assert history(workspace, "--unpin")["baseline"] is None
    assert "baseline:" not in workspace.run("check", NAME, *FAST).output


def test_that_checks_of_the_same_sources_amend_one_record(workspace: TestWorkspace) -> None:
    workspace.check(NAME, *FAST)
    (first,) = records(workspace)
    workspace.check(NAME, "--only", "layout")
    workspace.check(NAME, "--only", "load,speed")

    (record,) = records(workspace)

    names = [stage["stage"] for stage in record["stages"]]
    assert names == ["contract", "build", "reference", "register", "meta", "value", "layout", "load", "speed"]
    assert (record["at"], record["verdict_seconds"]) == (first["at"], first["verdict_seconds"])
    assert record["amended_at"] > first["at"]
    assert {item["stage"] for item in record["errors"]} == {"value", "layout"}
    assert 0 < record["kernel_time"]["low"] <= record["kernel_time"]["median"] <= record["kernel_time"]["high"]
    set_floor(workspace, "0", "0.1")
    workspace.check(NAME, *FAST)
    set_floor(workspace, "0.1", "0")
    workspace.check(NAME, *FAST)
    numbers = [(item["number"], item["verdict"], item["findings"]) for item in records(workspace)]
    assert numbers == [(3, "good", []), (2, "bad", ["NUM012"]), (1, "good", [])]


def test_that_a_build_which_fails_and_a_contract_which_is_wrong_are_recorded(workspace: TestWorkspace) -> None:
    workspace.edit(NAME, SOURCE, "#include <algorithm>", "#include <algorithm>\nint oops = ;")
    assert workspace.check(NAME).verdict == "bad"
    workspace.edit(NAME, "contract.toml", "[kernel]", "[kernel")
    workspace.run("check", NAME)

    newest, oldest = records(workspace)

    assert (oldest["findings"], oldest["size_bytes"], oldest["libraries"]) == (["BLD009"], None, [])
    assert [stage["stage"] for stage in newest["stages"]] == ["contract"]
    assert (newest["verdict"], newest["contract"]) == ("bad", "")
    evidence = workspace.run("evidence", NAME, "build", "--build", "1", "--json").document
    sections = {section["title"]: section for section in evidence["stages"][0]["sections"]}
    line = workspace.line(NAME, SOURCE, "int oops")
    assert any(row[1] == f"{NAME}/{SOURCE}:{line}" for row in sections["Messages"]["rows"])
    assert "oops" in sections["What the tools printed"]["text"]


def test_that_a_header_beside_the_operator_belongs_to_its_sources(workspace: TestWorkspace) -> None:
    shared = workspace.root / "shared"
    shared.mkdir()
    (shared / "floor.h").write_text("#pragma once\nconstexpr double kFloor = 0;\n")
    workspace.edit(NAME, SOURCE, "#include <algorithm>", '#include <algorithm>\n#include "../shared/floor.h"')
    set_floor(workspace, "0", "kFloor")
    workspace.check(NAME, *FAST)
    (shared / "floor.h").write_text("#pragma once\nconstexpr double kFloor = 0.1;\n")
    workspace.check(NAME, *FAST)

    (file,) = history(workspace, "--diff", "1", "2")["files"]

    assert file["name"] == "../shared/floor.h"
    assert [record["verdict"] for record in records(workspace)] == ["bad", "good"]
    (shared / "floor.h").unlink()
    (gone,) = history(workspace, "--diff", "2")["files"]
    assert (gone["name"], gone["change"]) == ("../shared/floor.h", "removed")


def test_that_the_record_about_a_result_is_true_and_its_commands_run(workspace: TestWorkspace) -> None:
    workspace.check(NAME, "--only", "build")

    about = history(workspace, "--about")["about"]

    assert about["versions"]["torch"] == torch.__version__
    assert about["versions"]["onnxruntime"] == onnxruntime.__version__
    compiler = subprocess.run(
        [about["commands"][-1].split()[0], "--version"], capture_output=True, text=True, check=True
    )
    assert about["versions"]["compiler"] == compiler.stdout.splitlines()[0]
    assert f"{len(os.sched_getaffinity(0))} core" in about["machine"]
    (library,) = about["libraries"]
    built = Path(library["path"])
    assert library["sha256"] == hashlib.sha256(built.read_bytes()).hexdigest()
    contents = {path.name: path.read_bytes() for path in (workspace.root / NAME).iterdir()}
    hashes = {item["name"]: item["address"] for item in about["sources"]}
    assert hashes == {
        name: hashlib.sha256(content).hexdigest()[:20] for name, content in contents.items() if name != "README.md"
    }
    for command in about["commands"]:
        subprocess.run(command, shell=True, check=True, cwd="/")  # noqa: S602 - that is what people do with it
    again = workspace.root / ".opstudio" / "rebuilt" / "kernel.so"
    assert exported(again) == exported(built)
    assert ctypes.CDLL(str(again)).opstudio_kernel_entry
    text = workspace.run("history", NAME, "--about", "1").output
    assert all(
        word in text for word in (library["sha256"], about["commands"][-1], torch.__version__, about["contract"])
    )


def exported(library: Path) -> set[str]:
    command = ["nm", "--dynamic", "--defined-only", str(library)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.split()[-1] for line in listed.stdout.splitlines()}


def history_words(workspace: TestWorkspace) -> str:
    """Return the one text by which the last check told what is wrong with the history."""
    journal = max((workspace.root / ".opstudio" / "runs").glob("*.ndjson"))
    events = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    (text,) = [item["text"] for item in events if item["event"] == "output_written" and item["source"] == "history"]
    return str(text)


def test_that_a_history_which_cannot_be_written_disturbs_no_verdict(workspace: TestWorkspace) -> None:
    (workspace.root / ".opstudio" / "history").write_text("a file stands here")

    checked = workspace.check(NAME, *FAST)

    assert (checked.status, checked.verdict) == (0, "good")
    words = history_words(workspace)
    assert "a file stands where a folder is needed" in words
    assert workspace.run("history", NAME).output.startswith("no builds yet")


def test_that_a_full_disk_under_the_history_disturbs_no_verdict(workspace: TestWorkspace) -> None:
    with tiny_disk(workspace.root / ".opstudio" / "history", kibibytes=4) as disk:
        (disk / "filler").write_bytes(b"x" * 4096)

        checked = workspace.check(NAME, *FAST)

        assert (checked.status, checked.verdict) == (0, "good")
        assert not list(disk.rglob("*.json"))
        assert "the disk is full" in history_words(workspace)


def test_that_a_damaged_record_is_told_and_the_others_are_shown(workspace: TestWorkspace) -> None:
    workspace.check(NAME, "--only", "build")
    folder = workspace.root / ".opstudio" / "history" / NAME
    shutil.copy(folder / "000001.json", folder / "000002.json")

    result = workspace.run("history", NAME)

    assert result.status == 0
    assert "000002.json is damaged and left out: it says that it is number 1" in result.errors
    assert len(records(workspace)) == 1
    workspace.check(NAME, "--only", "build")
    refused = workspace.run("history", NAME, "--pin", "2")
    assert refused.status == 2
    assert f"{NAME} has no build 2" in refused.errors
    assert f"opstudio history {NAME}" in refused.errors


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--pin", "1"), "nothing was checked here yet"),
        (("--diff", "1", "2", "3"), "3 numbers follow --diff"),
        (("--file", "one", "a.cpp"), "one is no number of a build"),
        (("--about",), "nothing was checked here"),
    ],
)
def test_that_what_cannot_be_done_is_refused(workspace: TestWorkspace, arguments: tuple[str, ...], words: str) -> None:
    result = workspace.run("history", NAME, *arguments)

    assert result.status == 2
    assert words in result.errors
    assert not (workspace.root / ".opstudio" / "history").exists()


def test_that_a_cancelled_check_is_not_recorded(workspace: TestWorkspace) -> None:
    workspace.check(NAME, "--only", "build")
    set_floor(workspace, "0", "0.1")
    process = subprocess.Popen(
        [sys.executable, "-m", "opstudio", "-C", str(workspace.root), "check", NAME, "--fresh"],
        env=command_environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if " build " in line:
            process.send_signal(signal.SIGINT)
            break
    process.communicate(timeout=60)

    assert process.returncode == 130
    assert [record["number"] for record in records(workspace)] == [1]


def check_while(workspace: TestWorkspace, edit: Callable[[JobEvent], None]) -> OperatorReport:
    """Check in this process, with somebody who edits as events come."""
    opened = open_workspace(workspace.root)
    options = CheckOptions.of(only="register,meta,value")
    job = Job("check", NAME, lambda _context: None, edit)
    with Studio(opened, trust=Trust.of_user()) as studio:
        return check_operator(studio, opened.operator(NAME), options, job)


def test_that_a_save_before_the_verdict_is_not_taken_for_what_was_checked(workspace: TestWorkspace) -> None:
    before = (workspace.root / NAME / SOURCE).read_text()

    def edit(event: JobEvent) -> None:
        if isinstance(event, StageFinished) and event.stage == "register":
            set_floor(workspace, "0", "0.1")

    assert check_while(workspace, edit).verdict is Verdict.GOOD

    assert [record["verdict"] for record in records(workspace)] == ["good"]
    assert history(workspace, "--file", "1", SOURCE)["text"] == before


def test_that_a_save_before_the_compilation_leaves_the_record_to_the_next_check(workspace: TestWorkspace) -> None:
    def edit(event: JobEvent) -> None:
        if isinstance(event, StageFinished) and event.stage == "contract":
            set_floor(workspace, "0", "0.1")

    assert check_while(workspace, edit).verdict is Verdict.BAD

    assert records(workspace) == []
    assert workspace.check(NAME, *FAST).verdict == "bad"
    assert [record["number"] for record in records(workspace)] == [1]


def test_that_every_save_of_a_watched_operator_is_recorded(workspace: TestWorkspace) -> None:
    with WatchedLoop(workspace.root, NAME, "--only", "register,meta,value") as loop:
        loop.next_verdict(final=True)
        set_floor(workspace, "0", "0.1")
        _, verdict, _ = loop.next_verdict(final=True)
        assert verdict == "bad"
        deadline = time.monotonic() + 30
        while len(found := records(workspace)) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)

    assert [(record["number"], record["verdict"]) for record in found] == [(2, "bad"), (1, "good")]
    assert history(workspace, "--file", "2", SOURCE)["text"] == (workspace.root / NAME / SOURCE).read_text()
