"""Snapshots of sources: which files, which bytes, within which bounds."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from opstudio.workspace.source_snapshot import joined, snapshot_of, take_snapshot

KIB = 1024


def test_that_sources_are_taken_and_nothing_else(tmp_path: Path) -> None:
    for name in ("contract.toml", "a.cpp", "sub/b.h", "reference.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    for name in ("README.md", "a.o", ".a.cpp.swp", ".hidden/c.cpp", "__pycache__/d.py", ".e.cpp"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)

    snapshot = take_snapshot(tmp_path)

    assert [file.name for file in snapshot.files] == ["a.cpp", "contract.toml", "reference.py", "sub/b.h"]
    assert {content.decode() for content in snapshot.contents.values()} == {file.name for file in snapshot.files}


def test_that_addresses_are_the_hashes_that_sha256sum_prints(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_bytes(b"int x;\r\n\xff")

    (file,) = take_snapshot(tmp_path).files

    printed = subprocess.run(["sha256sum", str(tmp_path / "a.cpp")], capture_output=True, text=True, check=True)  # noqa: S607 - wherever the system has it
    assert printed.stdout.startswith(file.address)
    assert (len(file.address), file.size_bytes, file.kept) == (20, 9, True)


def test_that_large_files_and_no_texts_are_known_by_hash_only(tmp_path: Path) -> None:
    (tmp_path / "large.h").write_bytes(b"x" * (256 * KIB + 1))
    (tmp_path / "largest.h").write_bytes(b"x" * (256 * KIB))
    (tmp_path / "binary.inc").write_bytes(b"\0\1")

    snapshot = take_snapshot(tmp_path)

    assert {file.name: file.kept for file in snapshot.files} == {
        "binary.inc": False,
        "large.h": False,
        "largest.h": True,
    }
    assert list(snapshot.contents) == [hashlib.sha256(b"x" * (256 * KIB)).hexdigest()[:20]]


def test_that_all_texts_together_are_bounded(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"{number}.h").write_bytes(str(number).encode() * (250 * KIB))

    snapshot = take_snapshot(tmp_path)

    assert [file.kept for file in snapshot.files] == [True] * 8 + [False] * 2
    assert sum(map(len, snapshot.contents.values())) <= 2 * KIB * KIB
    assert len({file.address for file in snapshot.files}) == 10


def test_that_the_address_follows_names_and_contents_not_times(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("1")
    first = take_snapshot(tmp_path).address
    (tmp_path / "a.cpp").touch()
    assert take_snapshot(tmp_path).address == first
    (tmp_path / "a.cpp").write_text("2")
    changed = take_snapshot(tmp_path).address
    (tmp_path / "a.cpp").rename(tmp_path / "b.cpp")
    renamed = take_snapshot(tmp_path).address

    assert len({first, changed, renamed}) == 3


def test_that_files_beside_are_joined_and_the_first_wins(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("one")
    (tmp_path / "b.h").write_text("two")
    own = snapshot_of({"x.h": tmp_path / "a.h"})
    beside = snapshot_of({"x.h": tmp_path / "b.h", "../y.h": tmp_path / "b.h", "gone.h": tmp_path / "gone.h"})

    both = joined(own, beside)

    assert [file.name for file in both.files] == ["../y.h", "x.h"]
    assert [both.contents[file.address] for file in both.files] == [b"two", b"one"]
