"""Arrays as files: workers write them, anybody maps them, nobody sends them through a pipe.

An array file is raw data at aligned offsets; the references to it travel as records.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opstudio.base.data_type import DataType
from opstudio.base.files import cannot_write

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

_ALIGNMENT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayReference:
    """Where an array lies: a file (its name within the folder of arrays), an offset in bytes, a shape and a type."""

    file: str
    offset: int
    shape: tuple[int, ...]
    type: DataType

    @property
    def size_bytes(self) -> int:
        """The size of the data."""
        return math.prod(self.shape) * self.type.size_bytes


class ArrayFile:
    """A file that is being written; it appears under its name only when it is complete."""

    def __init__(self, folder: Path, name: str) -> None:
        """Start a file.

        Raises:
            SetupError: the folder cannot be written.
        """
        self._path = folder / name
        self._temporary = folder / f".{name}.{os.getpid()}.part"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._temporary.open("wb")
        except OSError as error:
            raise cannot_write(self._path, error) from error

    def add(self, tensor: Any) -> ArrayReference:
        """Append a PyTorch tensor.

        Raises:
            SetupError: the disk is full.
        """
        import torch

        data_type = DataType(str(tensor.dtype).removeprefix("torch."))
        plain = tensor.detach().contiguous()
        raw = plain.view(torch.uint8) if plain.dim() else plain.reshape(1).view(torch.uint8)
        try:
            offset = self._file.tell()
            if padding := -offset % _ALIGNMENT:
                self._file.write(b"\0" * padding)
            self._file.write(memoryview(raw.numpy().reshape(-1)))
        except OSError as error:
            self.abandon()
            raise cannot_write(self._path, error) from error
        return ArrayReference(file=self._path.name, offset=offset + padding, shape=tuple(tensor.shape), type=data_type)

    def finish(self) -> None:
        """Give the file its name.

        Raises:
            SetupError: the disk is full.
        """
        try:
            self._file.close()
            self._temporary.replace(self._path)
        except OSError as error:
            self.abandon()
            raise cannot_write(self._path, error) from error

    def abandon(self) -> None:
        """Remove what was written."""
        self._file.close()
        self._temporary.unlink(missing_ok=True)


def remove_abandoned(folder: Path, prefix: str) -> None:
    """Remove files that begin with ``prefix`` and were never finished, where the process that wrote them is gone."""
    for path in folder.glob(f".{prefix}*.part"):
        writer = path.name.split(".")[-2]
        if not (writer.isdigit() and Path(f"/proc/{writer}").exists()):
            path.unlink(missing_ok=True)


class ArrayFolder:
    """Reads arrays; each file is mapped once. Changes to what is returned stay in this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, Any] = {}

    def tensor(self, reference: ArrayReference) -> Any:
        """Return an array as a PyTorch tensor that shares the mapped memory.

        Raises:
            OSError: the file is gone.
        """
        import torch

        kind: Callable[..., Any] = getattr(torch, reference.type.value)
        if reference.size_bytes == 0:
            return torch.empty(reference.shape, dtype=kind)
        memory = self._map(reference.file)[reference.offset : reference.offset + reference.size_bytes]
        return torch.from_numpy(memory).view(kind).reshape(reference.shape)

    def _map(self, name: str) -> Any:
        import numpy as np

        if name not in self._files:
            self._files[name] = np.memmap(self._folder / name, dtype=np.uint8, mode="c")
        return self._files[name]
