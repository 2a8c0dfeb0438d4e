"""Conditions under which writing fails, made for real: a full disk, and a user without rights."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

NOBODY = 65534


@contextlib.contextmanager
def tiny_disk(folder: Path, *, kibibytes: int = 64) -> Iterator[Path]:
    """Mount a memory disk of a few pages at ``folder``; the test is skipped where that needs rights it lacks."""
    if os.geteuid() != 0:
        pytest.skip("mounting a tiny disk needs root")
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)  # noqa: S607 - wherever the system has it


def make_read_only(disk: Path) -> None:
    """Mount a disk of :func:`tiny_disk` once more, without the right to write."""
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)  # noqa: S607 - wherever the system has it


@contextlib.contextmanager
def public_folder() -> Iterator[Path]:
    """Give a temporary folder that any user can reach (those of pytest belong to one user alone)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def run_as_ordinary_user(action: Callable[[], str]) -> str:
    """Run ``action`` without the rights of root, in a child process where need be, and return its result."""
    if os.geteuid() != 0:
        return action()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            result = action()
        except BaseException:  # noqa: BLE001 - the parent shows it
            result = traceback.format_exc()
        os.write(writing, result.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return text
