"""Several studios that use one workspace at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from opstudio.base.hashing import file_address
from opstudio.workspace.artifact_store import Artifact, ArtifactRecord, ArtifactStore


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.cpp"
    path.write_text("source")
    return path


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    return ArtifactStore(tmp_path / ".opstudio")


def build(store: ArtifactStore, source: Path) -> Artifact:
    with store.building() as folder:
        (folder / "kernel.so").write_text("library")
        inputs = {str(source): file_address(source)}
        return store.store(folder, ArtifactRecord(kind="native", address="a1", inputs=inputs, outputs=("kernel.so",)))


def test_that_an_entry_which_is_whole_stays_as_it_is(store: ArtifactStore, source: Path) -> None:
    # Somebody may have loaded the library.
    before = build(store, source).output("kernel.so").stat()

    assert before.st_ino == build(store, source).output("kernel.so").stat().st_ino


def test_that_many_studios_may_store_one_build_at_once(tmp_path: Path, source: Path) -> None:
    stores = [ArtifactStore(tmp_path / ".opstudio") for _ in range(8)]
    for _ in range(5):
        with ThreadPoolExecutor(8) as pool:
            artifacts = list(pool.map(lambda store: build(store, source), stores))

        assert len({artifact.folder for artifact in artifacts}) == 1
        assert artifacts[0] == stores[0].find("native", "a1")
        assert [path.name for path in (tmp_path / ".opstudio" / "artifacts").iterdir()] == ["native"]
        (artifacts[0].folder / "artifact.json").write_text("{")


def test_that_the_folder_of_a_build_that_runs_elsewhere_stays(
    tmp_path: Path, store: ArtifactStore, source: Path
) -> None:
    with ArtifactStore(tmp_path / ".opstudio").building() as folder:
        (folder / "half.o").touch()
        build(store, source)

        assert (folder / "half.o").exists()
