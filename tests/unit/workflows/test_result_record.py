"""The record about a result: every line of it, and commands that a shell takes."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from opstudio.jobs.events import StageState, Verdict
from opstudio.workflows.built_libraries import exported_symbols, runnable
from opstudio.workflows.result_record import about_result
from opstudio.workspace.artifact_store import ArtifactRecord, ArtifactStore
from opstudio.workspace.build_history import BuiltLibrary, HistoryRecord, StageMark
from opstudio.workspace.folder import Workspace
from opstudio.workspace.settings import Settings
from opstudio.workspace.source_snapshot import SourceFile


def record(*libraries: BuiltLibrary) -> HistoryRecord:
    return HistoryRecord(
        number=7,
        operator="relu",
        at=1_750_000_000.0,
        amended_at=1_750_000_000.0,
        verdict=Verdict.BAD,
        final=True,
        verdict_seconds=0.5,
        stages=(
            StageMark(stage="build", state=StageState.GOOD, seconds=0.25, cached=True, key="k1"),
            StageMark(stage="value", state=StageState.BAD, seconds=0.125, findings=("NUM012",)),
            StageMark(stage="parity", state=StageState.NOT_RUN, seconds=0.0, summary="value is not good"),
        ),
        sources=(SourceFile(name="a.cpp", address="abc", size_bytes=10),),
        libraries=libraries,
        contract="c1",
        flags=("-DX",),
        versions={"torch": "2.13.0", "compiler": "g++ 12"},
        machine="AMD, 2 cores",
    )


def stored(state: Path, command: str) -> BuiltLibrary:
    store = ArtifactStore(state)
    with store.building() as folder:
        (folder / "kernel.so").write_bytes(b"library")
        artifact = store.store(
            folder, ArtifactRecord(kind="native", address="a1", inputs={}, outputs=("kernel.so",), commands=(command,))
        )
    return BuiltLibrary(
        file="kernel.so",
        kind="native",
        artifact=artifact.identity,
        size_bytes=7,
        sha256="f" * 64,
        seconds=0.25,
        commands=(command,),
    )


def lines_of(text: str) -> list[tuple[str, str]]:
    return [(name.strip(), value) for name, _, value in (line.partition("  ") for line in text.splitlines())]


def test_that_the_text_says_everything(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, Settings(name="tests"))
    library = stored(workspace.state, "g++ -shared -o kernel.so")

    about = about_result(workspace, record(library))

    lines = {name: value.strip() for name, value in lines_of(about.as_text())}
    assert lines == {
        "operator": "relu, build 7",
        "verdict": "bad, 2025-06-15 15:06:40 UTC, after 500 ms",
        "version of torch": "2.13.0",
        "version of compiler": "g++ 12",
        "machine": "AMD, 2 cores",
        "flags": "-DX",
        "command": "g++ -shared -o kernel.so",
        "library": str(workspace.state / "artifacts" / "native" / library.artifact / "kernel.so"),
        "artifact": f"native/{library.artifact}",
        "size": "7 B (7 B)",
        "SHA-256": "f" * 64,
        "compiled in": "250 ms",
        "contract": "c1",
        "source a.cpp": "abc, 10 B",
        "stage build": "good, found to hold, 250 ms, key k1",
        "stage value": "bad, run, 125 ms, NUM012",
        "stage parity": "not run: value is not good",
    }


def test_that_the_record_of_a_stage_is_about_that_stage(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, Settings(name="tests"))

    about = about_result(workspace, record(), "value")

    stages = [(name, value.strip()) for name, value in lines_of(about.as_text()) if name.startswith("stage")]
    assert stages == [("stage value", "bad, run, 125 ms, NUM012")]
    document = about.as_document()
    assert [item["stage"] for item in document["stages"]] == ["value"]  # type: ignore[index, union-attr]


def test_that_a_library_which_was_tidied_away_is_told(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, Settings(name="tests"))
    library = BuiltLibrary(file="k.so", kind="native", artifact="a-1", size_bytes=7, sha256="", seconds=0.25)

    assert "k.so, tidied away since" in about_result(workspace, record(library)).as_text()


@pytest.mark.parametrize("name", ["plain", "with space", "it's", "区"])
def test_that_commands_run_in_a_folder_that_is_there(tmp_path: Path, name: str) -> None:
    state = tmp_path / name / ".opstudio"
    gone = state / "artifacts" / ".building-x1_9z"
    ran = (
        shlex.join(["sh", "-c", 'echo one > "$1"', "sh", f"{gone}/0.o"]),
        shlex.join(["cp", f"{gone}/0.o", f"{gone}/kernel.so"]),
    )

    for command in runnable(ran):
        subprocess.run(command, shell=True, check=True)  # noqa: S602 - that is what people do with it

    assert (state / "rebuilt" / "kernel.so").read_text() == "one\n"
    assert not gone.exists()


def test_that_no_commands_need_no_folder() -> None:
    assert runnable(()) == ()
    assert runnable(("g++ --version",)) == ("g++ --version",)


def test_that_symbols_are_those_of_a_real_library(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(
        'extern "C" int plain() { return 1; }\nnamespace n { int f(int, char) { return 2; } }\nstatic int h;\n'
    )
    subprocess.run(["g++", "-shared", "-fPIC", "-o", str(tmp_path / "a.so"), str(source)], check=True)  # noqa: S607 - wherever the system has it

    symbols = exported_symbols(tmp_path / "a.so")

    assert symbols is not None
    assert {"plain", "n::f(int, char)"} <= set(symbols)
    assert "h" not in symbols
    assert exported_symbols(tmp_path / "none.so") is None
    assert exported_symbols(source) is None
