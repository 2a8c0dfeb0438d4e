"""Where an exported model is written: beside its place first, so that nobody ever sees half of it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.files import cannot_write


@contextmanager
def folder_beside(output: Path) -> Iterator[Path]:
    """Give a folder on the same disk, so that finished files are moved and never seen by halves.

    Raises:
        SetupError: the folder of the output cannot be written.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{output.name}-", dir=output.parent))
    except OSError as error:
        raise cannot_write(output, error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def put_in_place(folder: Path, output: Path) -> tuple[Path, ...]:
    """Move the finished files to where they were asked for, the model last, and return them, the model first.

    Raises:
        SetupError: they cannot be moved.
    """
    beside = sorted(path for path in folder.iterdir() if path.name != output.name)
    try:
        for path in (*beside, folder / output.name):
            shutil.copymode(folder / output.name, path)  # weights are written for their owner alone
            path.replace(output.with_name(path.name))
    except OSError as error:
        raise cannot_write(output, error) from error
    return (output, *(output.with_name(path.name) for path in beside))


@contextmanager
def working_folder(folder: Path | None) -> Iterator[Path]:
    """Give a folder for files of several exporters: on the disk where they are to stay, if they are.

    Raises:
        InputError: there is no such folder.
    """
    if folder is not None and not folder.is_dir():
        raise InputError.of(
            f"There is no folder {folder}",
            cause="the files of both exporters are left in it",
            fix="Make it, or name another one",
            stage="export",
        )
    with tempfile.TemporaryDirectory(prefix=".opstudio-export-", dir=folder, ignore_cleanup_errors=True) as made:
        yield Path(made)
