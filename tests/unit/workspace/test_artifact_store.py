"""Builds under content addresses: never built twice, never mistaken for another."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from opstudio.base.errors import SetupError
from opstudio.base.hashing import file_address
from opstudio.workspace.artifact_store import Artifact, ArtifactRecord, ArtifactStore
from tests.support.limits import public_folder, run_as_ordinary_user, tiny_disk

KEPT = 12


@pytest.fixture
def sources(tmp_path: Path) -> tuple[Path, Path]:
    """Return a source file and a header."""
    source, header = tmp_path / "kernel.cpp", tmp_path / "kernel.h"
    source.write_text("source 1")
    header.write_text("header 1")
    return source, header


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    return ArtifactStore(tmp_path / ".opstudio")


def build(store: ArtifactStore, inputs: Iterable[Path], *, kind: str = "native", address: str = "a1") -> Artifact:
    """Build a library that holds the texts of its inputs."""
    inputs = list(inputs)
    with store.building() as folder:
        (folder / "kernel.so").write_text("|".join(path.read_text() for path in inputs))
        record = ArtifactRecord(
            kind=kind,
            address=address,
            inputs={str(path): file_address(path) for path in inputs},
            outputs=("kernel.so",),
            commands=("g++ kernel.cpp",),
            versions={"g++": "13"},
            seconds=0.5,
        )
        return store.store(folder, record)


def found_text(store: ArtifactStore, address: str = "a1") -> str | None:
    artifact = store.find("native", address)
    return None if artifact is None else artifact.output("kernel.so").read_text()


def test_that_a_build_is_found_with_everything_known_of_it(store: ArtifactStore, sources: tuple[Path, Path]) -> None:
    assert store.find("native", "a1") is None

    built = build(store, sources)

    found = store.find("native", "a1")
    assert built == found
    assert found_text(store) == "source 1|header 1"
    assert built.record.versions == {"g++": "13"}


@pytest.mark.parametrize(("kind", "address"), [("torch", "a1"), ("native", "a2"), ("native", "a"), ("native", "a1-")])
def test_that_another_kind_or_address_is_not_found(
    store: ArtifactStore, sources: tuple[Path, Path], kind: str, address: str
) -> None:
    build(store, sources)

    assert store.find(kind, address) is None


@pytest.mark.parametrize("changed", [0, 1])
def test_that_a_change_of_source_or_header_misses_and_going_back_hits(
    store: ArtifactStore, sources: tuple[Path, Path], changed: int
) -> None:
    first = build(store, sources)
    old_text = sources[changed].read_text()

    sources[changed].write_text("changed")
    assert found_text(store) is None

    second = build(store, sources)
    assert "changed" in (found_text(store) or "")
    assert first.identity != second.identity

    sources[changed].write_text(old_text)
    assert first == store.find("native", "a1")
    assert found_text(store) == "source 1|header 1"


def test_that_touching_a_file_without_changing_it_still_hits(store: ArtifactStore, sources: tuple[Path, Path]) -> None:
    built = build(store, sources)
    os.utime(sources[0], (1, 1))

    assert built == store.find("native", "a1")


def test_that_a_missing_input_misses(store: ArtifactStore, sources: tuple[Path, Path]) -> None:
    build(store, sources)
    sources[1].unlink()

    assert store.find("native", "a1") is None


def test_that_a_folder_in_place_of_an_input_misses(store: ArtifactStore, sources: tuple[Path, Path]) -> None:
    build(store, sources)
    sources[1].unlink()
    sources[1].mkdir()

    assert store.find("native", "a1") is None


def test_that_a_missing_output_misses(store: ArtifactStore, sources: tuple[Path, Path]) -> None:
    build(store, sources).output("kernel.so").unlink()

    assert store.find("native", "a1") is None


@pytest.mark.parametrize("manifest", [b"", b"{", b"[]", b'{"kind": "native"}', b"\xff"])
def test_that_an_entry_with_an_unreadable_manifest_is_none(
    store: ArtifactStore, sources: tuple[Path, Path], manifest: bytes
) -> None:
    (build(store, sources).folder / "artifact.json").write_bytes(manifest)

    assert store.find("native", "a1") is None


def test_that_building_the_same_again_gives_the_same_entry(store: ArtifactStore, sources: tuple[Path, Path]) -> None:
    first = build(store, sources)

    assert first == build(store, sources)
    assert len(list(first.folder.parent.iterdir())) == 1


def test_that_two_files_that_exchange_their_contents_are_another_build(
    store: ArtifactStore, sources: tuple[Path, Path]
) -> None:
    build(store, sources)
    sources[0].write_text("header 1")
    sources[1].write_text("source 1")

    artifact = build(store, sources)

    assert artifact.output("kernel.so").read_text() == "header 1|source 1"
    assert found_text(store) == "header 1|source 1"


@pytest.mark.parametrize("damage", ["kernel.so", "artifact.json"])
def test_that_a_damaged_entry_is_replaced_by_the_next_build(
    store: ArtifactStore, sources: tuple[Path, Path], damage: str
) -> None:
    folder = build(store, sources).folder
    if damage == "kernel.so":
        (folder / damage).unlink()
    else:
        (folder / damage).write_text("{")

    artifact = build(store, sources)

    assert artifact.output("kernel.so").is_file()
    assert artifact == store.find("native", "a1")


def test_that_an_entry_without_manifest_left_by_a_crash_is_replaced(
    store: ArtifactStore, sources: tuple[Path, Path]
) -> None:
    folder = build(store, sources).folder
    (folder / "artifact.json").unlink()
    (folder / "half.o").touch()

    artifact = build(store, sources)

    assert artifact == store.find("native", "a1")
    assert sorted(path.name for path in artifact.folder.iterdir()) == ["artifact.json", "kernel.so"]


def test_that_a_build_which_was_never_stored_leaves_nothing(tmp_path: Path, store: ArtifactStore) -> None:
    def fail() -> None:
        with store.building() as folder:
            (folder / "half.o").touch()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert list((tmp_path / ".opstudio" / "artifacts").iterdir()) == []


def test_that_two_builds_at_once_do_not_meet(store: ArtifactStore, sources: tuple[Path, Path]) -> None:
    with store.building() as first, store.building() as second:
        assert first != second
    assert build(store, sources) == store.find("native", "a1")


def test_that_what_is_left_from_a_crash_while_building_is_never_an_artifact(
    tmp_path: Path, store: ArtifactStore, sources: tuple[Path, Path]
) -> None:
    left = tmp_path / ".opstudio" / "artifacts" / ".building-left"
    left.mkdir(parents=True)
    (left / "artifact.json").write_text("{}")

    assert store.find("native", "a1") is None
    assert build(store, sources) == store.find("native", "a1")


def test_that_what_is_left_from_a_crash_long_ago_is_removed(
    tmp_path: Path, store: ArtifactStore, sources: tuple[Path, Path]
) -> None:
    left = tmp_path / ".opstudio" / "artifacts" / ".building-left"
    left.mkdir(parents=True)
    os.utime(left, (1, 1))

    build(store, sources)

    assert not left.exists()


def test_that_only_the_newest_builds_of_an_address_are_kept(store: ArtifactStore, sources: tuple[Path, Path]) -> None:
    other = build(store, sources, address="b2")
    builds = []
    for number in range(KEPT + 3):
        sources[0].write_text(f"source {number}")
        builds.append(build(store, sources))
        os.utime(builds[-1].folder, (1000 + number, 1000 + number))
    sources[0].write_text("last")
    builds.append(build(store, sources))

    assert [artifact.folder.exists() for artifact in builds] == [False] * 4 + [True] * KEPT
    assert other.folder.exists()
    sources[0].write_text("source 10")
    assert builds[10] == store.find("native", "a1")


def test_that_an_address_which_begins_like_another_is_not_pruned_with_it(
    store: ArtifactStore, sources: tuple[Path, Path]
) -> None:
    longer = build(store, sources, address="a1b")
    for number in range(KEPT + 1):
        sources[0].write_text(f"source {number}")
        build(store, sources, address="a1")

    assert longer.folder.exists()


def test_that_the_manifest_lists_every_input_by_its_content(store: ArtifactStore, sources: tuple[Path, Path]) -> None:
    manifest = json.loads((build(store, sources).folder / "artifact.json").read_text())

    assert {str(path): file_address(path) for path in sources} == manifest["inputs"]


def test_that_an_unwritable_workspace_is_an_error_to_act_on() -> None:
    with public_folder() as folder:
        folder.chmod(0o555)

        def attempt() -> str:
            with pytest.raises(SetupError) as caught, ArtifactStore(folder).building():
                pass
            return caught.value.findings[0].cause

        answer = run_as_ordinary_user(attempt)
        folder.chmod(0o755)

    assert answer == "you may not write there"


def test_that_a_full_disk_while_storing_is_an_error_to_act_on_and_leaves_no_entry(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk") as disk:
        store = ArtifactStore(disk)
        record = ArtifactRecord(kind="native", address="a1", inputs={}, outputs=(), commands=("x" * 200_000,))
        with pytest.raises(SetupError, match="the disk is full"), store.building() as folder:
            store.store(folder, record)

        assert store.find("native", "a1") is None
        assert list((disk / "artifacts").iterdir()) == []
