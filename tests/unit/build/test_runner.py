"""Builds with a real compiler: what is kept, what is built again, what is left behind."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from opstudio.base.errors import CancelledError, SetupError
from opstudio.build.library_plan import Unit, plan_library, plan_units
from opstudio.build.records import BuildPlan, BuildResult, BuildStep
from opstudio.build.runner import execute
from opstudio.build.toolchain import find_cxx
from opstudio.jobs.cancel import CancelToken
from opstudio.workspace.artifact_store import ArtifactStore


def build(
    plan: BuildPlan, store: ArtifactStore, cancel: CancelToken | None = None, shared: ArtifactStore | None = None
) -> BuildResult:
    return execute(plan, store, cancel=cancel or CancelToken(), on_output=lambda _text: None, shared=shared)


def library(source: Path, *flags: str) -> BuildPlan:
    return plan_library(
        kind="test", compiler=find_cxx(None), sources=(source,), library="test.so", flags=("-fPIC", *flags)
    )


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    return ArtifactStore(tmp_path / "state")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "value.h").write_text("#define VALUE 1\n", encoding="utf-8")
    path = tmp_path / "source.cpp"
    path.write_text('#include "value.h"\nint f() { return VALUE; }\n', encoding="utf-8")
    return path


def test_that_the_same_inputs_are_built_once(store: ArtifactStore, source: Path) -> None:
    first, second = build(library(source), store), build(library(source), store)

    assert (first.record.cached, second.record.cached) == (False, True)
    assert first.artifact is not None
    assert second.artifact == first.artifact
    assert second.record.commands == first.record.commands


def test_that_what_one_store_gave_to_another_is_not_built_again(
    store: ArtifactStore, source: Path, tmp_path: Path
) -> None:
    shared, second = ArtifactStore(tmp_path / "shared"), ArtifactStore(tmp_path / "second")
    first = build(library(source), store, shared=shared)
    found = build(library(source), second, shared=shared)

    assert (first.record.cached, found.record.cached) == (False, True)
    assert first.artifact is not None
    assert found.artifact is not None
    library_file = found.artifact.output("test.so")
    assert library_file.is_relative_to(tmp_path / "second"), "a workspace keeps its own copy"
    assert library_file.read_bytes() == first.artifact.output("test.so").read_bytes()
    assert build(library(source), second).record.cached


def test_that_a_damaged_or_old_entry_of_another_store_is_not_taken(
    store: ArtifactStore, source: Path, tmp_path: Path
) -> None:
    shared = ArtifactStore(tmp_path / "shared")
    build(library(source), store, shared=shared)
    (kept,) = (tmp_path / "shared").rglob("test.so")
    kept.unlink()

    damaged = build(library(source), ArtifactStore(tmp_path / "second"), shared=shared)
    source.write_text("int f() { return 3; }\n", encoding="utf-8")
    changed = build(library(source), ArtifactStore(tmp_path / "third"), shared=shared)

    assert (damaged.record.cached, changed.record.cached) == (False, False)
    assert kept.is_file(), "the build that was needed mends the entry"


def test_that_a_store_that_cannot_be_written_only_takes_longer(
    store: ArtifactStore, source: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = build(library(source), store, shared=ArtifactStore(tmp_path / "file"))

    assert result.artifact is not None
    assert result.artifact.output("test.so").is_file()


def test_that_a_changed_header_is_noticed(store: ArtifactStore, source: Path) -> None:
    first = build(library(source), store)
    source.with_name("value.h").write_text("#define VALUE 2\n", encoding="utf-8")
    second = build(library(source), store)

    assert not second.record.cached
    assert second.record.artifact != first.record.artifact


def test_that_going_back_finds_the_earlier_build(store: ArtifactStore, source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    first = build(library(source), store)
    source.write_text(text + "int g() { return 2; }\n", encoding="utf-8")
    build(library(source), store)
    source.write_text(text, encoding="utf-8")
    third = build(library(source), store)

    assert third.record.cached
    assert third.artifact == first.artifact


def test_that_other_flags_are_another_build(store: ArtifactStore, source: Path) -> None:
    build(library(source), store)

    assert not build(library(source, "-O2"), store).record.cached


def test_that_a_refusal_is_a_result_and_leaves_nothing(store: ArtifactStore, source: Path, tmp_path: Path) -> None:
    source.write_text("int f() { return missing; }\n", encoding="utf-8")
    result = build(library(source), store)

    assert result.artifact is None
    assert not result.record.succeeded
    assert result.record.diagnostics[0].line == 1
    assert [path for path in (tmp_path / "state").rglob("*") if path.is_file()] == []


def test_that_steps_end_with_the_first_that_fails(store: ArtifactStore, tmp_path: Path) -> None:
    good, bad, never = (tmp_path / f"{name}.cpp" for name in ("good", "bad", "never"))
    good.write_text("int f() { return 1; }\n", encoding="utf-8")
    bad.write_text("syntax error\n", encoding="utf-8")
    never.write_text("int g() { return 1; }\n", encoding="utf-8")
    plan = plan_units(
        kind="test",
        compiler=find_cxx(None),
        units=tuple(Unit(path, ("-fPIC",)) for path in (good, bad, never)),
        library="test.so",
        link_flags=(),
        versions={},
        inputs=(good, bad, never),
    )

    assert [Path(command.split()[-3]).name for command in build(plan, store).record.commands] == ["good.cpp", "bad.cpp"]


def test_that_cancelling_ends_the_compiler_at_once(store: ArtifactStore, tmp_path: Path) -> None:
    plan = BuildPlan(
        kind="test",
        key={},
        inputs=(),
        outputs=("never",),
        steps=(BuildStep(title="sleep", command=("sleep", "60")),),
    )
    cancel = CancelToken()
    threading.Timer(0.2, cancel.cancel, ["enough"]).start()
    start = time.monotonic()

    with pytest.raises(CancelledError, match="enough"):
        build(plan, store, cancel)

    assert time.monotonic() - start < 5
    assert list((tmp_path / "state").rglob(".building-*")) == []


def test_that_a_program_which_is_not_there_is_told(store: ArtifactStore) -> None:
    step = BuildStep(title="nothing", command=("no-such-program",))

    with pytest.raises(SetupError, match="no-such-program"):
        build(BuildPlan(kind="test", key={}, inputs=(), outputs=(), steps=(step,)), store)


def test_that_generated_files_are_part_of_the_address(store: ArtifactStore) -> None:
    def plan(text: str) -> BuildPlan:
        compiler = find_cxx(None).path
        command = (compiler, "-shared", "-fPIC", "{out}/made.cpp", "-o", "{out}/made.so")
        step = BuildStep(title="compile", command=command)
        return BuildPlan(
            kind="test", key={}, inputs=(), outputs=("made.so",), steps=(step,), generated={"made.cpp": text}
        )

    first = build(plan("int f() { return 1; }\n"), store)
    second = build(plan("int f() { return 2; }\n"), store)

    assert first.artifact is not None
    assert second.artifact is not None
    assert first.artifact.output("made.so").read_bytes() != second.artifact.output("made.so").read_bytes()
    assert build(plan("int f() { return 1; }\n"), store).artifact == first.artifact
