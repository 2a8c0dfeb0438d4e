"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from opstudio.base.errors import SetupError
from opstudio.base.files import cannot_write, write_atomic
from tests.support.limits import make_read_only, public_folder, run_as_ordinary_user, tiny_disk


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("content", ["", "中文\r\n\x00", b"", bytes(range(256)), b"x" * 3_000_000])
def test_that_a_file_holds_exactly_what_was_written(tmp_path: Path, content: bytes | str) -> None:
    path = tmp_path / "made" / "on the way" / "文件.txt"

    write_atomic(path, content)

    assert (content.encode() if isinstance(content, str) else content) == path.read_bytes()
    assert [path.name] == names(path.parent)


def test_that_an_old_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a long old text")

    write_atomic(path, "new")

    assert path.read_text() == "new"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o444])
def test_that_the_rights_of_an_existing_file_are_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)

    write_atomic(path, "new")

    assert mode == rights(path)


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_that_a_new_file_gets_the_rights_that_the_umask_leaves(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        write_atomic(tmp_path / "file", "new")
    finally:
        os.umask(before)

    assert mode == rights(tmp_path / "file")


def test_that_a_full_disk_keeps_the_old_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk") as disk:
        path = disk / "file"
        write_atomic(path, "old")

        with pytest.raises(SetupError) as caught:
            write_atomic(path, b"x" * 200_000)

        assert (path.read_text(), names(disk)) == ("old", ["file"])
        write_atomic(path, "still room for a small one")

    (finding,) = caught.value.findings
    assert ("STU003", "the disk is full", str(path)) == (finding.id, finding.cause, finding.places[0].file)
    assert "Free some space" in finding.fix


def test_that_a_disk_without_room_for_a_new_file_is_an_error_to_act_on(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk", kibibytes=16) as disk:
        write_atomic(disk / "filler", b"x" * 12_000)

        with pytest.raises(SetupError, match="the disk is full"):
            write_atomic(disk / "deep" / "file", b"x" * 20_000)

        assert names(disk) == ["deep", "filler"]
        assert names(disk / "deep") == []


def test_that_a_read_only_disk_is_named(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk") as disk:
        (disk / "file").write_text("old")
        make_read_only(disk)

        with pytest.raises(SetupError, match="the file system is read-only"):
            write_atomic(disk / "file", "new")

        assert (disk / "file").read_text() == "old"


@pytest.mark.parametrize("name", ["file", "absent", "folder/file"])
def test_that_a_folder_without_write_right_is_an_error_to_act_on(name: str) -> None:
    with public_folder() as folder:
        (folder / "file").write_text("old")
        (folder / "file").chmod(0o666)
        folder.chmod(0o555)

        def attempt() -> str:
            with pytest.raises(SetupError) as caught:
                write_atomic(folder / name, "new")
            return f"{caught.value.findings[0].cause} | {caught.value.findings[0].fix}"

        result = run_as_ordinary_user(attempt)
        kept = (folder / "file").read_text(), names(folder)
        folder.chmod(0o755)

    assert result == "you may not write there | Copy the workspace to a folder that you own, or change its rights"
    assert kept == (("old"), ["file"])


def test_that_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()

    with pytest.raises(SetupError, match="Is a directory"):
        write_atomic(tmp_path / "file", "new")

    assert names(tmp_path) == ["file"]


def test_that_a_pipe_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        with pytest.raises(SetupError) as refused:
            write_atomic(tmp_path / name, b"new")
        assert refused.value.findings[0].cause == "a pipe, a socket or a device stands there"
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]


def test_that_a_file_in_place_of_a_folder_above_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")

    with pytest.raises(SetupError, match="a file stands where a folder is needed"):
        write_atomic(tmp_path / "file" / "a" / "b", "new")


def test_that_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")

    with pytest.raises(SetupError, match="a file stands where a folder is needed"):
        write_atomic(tmp_path / "file" / "a", "new")


def test_that_a_file_with_the_longest_possible_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)

    write_atomic(path, "new")

    assert path.read_text() == "new"


def test_that_a_linked_file_is_written_through_its_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")

    write_atomic(tmp_path / "link", "new")

    assert ((tmp_path / "link").is_symlink(), (tmp_path / "real").read_text()) == (True, "new")


def test_that_an_interrupt_while_writing_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def interrupt(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, "new")

    assert (path.read_text(), names(tmp_path)) == ("old", ["file"])


def test_that_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    texts = [letter * 50_000 for letter in "abcd"]
    write_atomic(path, texts[0])
    stop = threading.Event()
    seen: set[str] = set()

    def read() -> None:
        while not stop.is_set():
            seen.add(path.read_text())

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(15):
        for text in texts:
            write_atomic(path, text)
    stop.set()
    reader.join()

    assert seen <= set(texts)


ENDLESS_WRITER = """
import pathlib, sys
from opstudio.base.files import write_atomic
print("ready", flush=True)
while True:
    write_atomic(pathlib.Path(sys.argv[1]), b"x" * 400_000)
"""


def test_that_a_killed_process_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"x" * 400_000)
    command = [sys.executable, "-c", ENDLESS_WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={"PYTHONPATH": os.pathsep.join(sys.path)}) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.05)
        writer.kill()

    assert path.read_bytes() == b"x" * 400_000


@pytest.mark.parametrize(
    ("number", "cause"),
    [
        (errno.EDQUOT, "your disk quota is used up"),
        (errno.EPERM, "you may not write there"),
        (errno.EMFILE, "Too many open files"),
    ],
)
def test_that_the_systems_refusal_is_put_in_words(number: int, cause: str) -> None:
    error = cannot_write(Path("file"), OSError(number, os.strerror(number)))

    assert (cause, "setup") == (error.findings[0].cause, error.findings[0].stage)


def test_that_a_refusal_without_number_keeps_its_own_words() -> None:
    assert cannot_write(Path("file"), OSError("odd")).findings[0].cause == "odd"


def test_that_a_link_to_a_file_that_is_not_there_yet_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "later" / "real")

    write_atomic(tmp_path / "link", "new")

    assert ((tmp_path / "link").is_symlink(), (tmp_path / "later" / "real").read_text()) == (True, "new")


def test_that_links_in_a_circle_are_an_error_to_act_on(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")

    with pytest.raises(SetupError, match="Cannot write"):
        write_atomic(tmp_path / "a" / "file", "new")
