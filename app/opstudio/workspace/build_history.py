"""What became of every text of an operator that was checked: verdict, errors, time, size, and the text itself.

``.opstudio/history/<operator>/<number>.json`` is a record, ``texts/<address>`` a source (the same content once),
``baseline.json`` the number of the build that others are compared with. Records are written whole and renamed into
place, their texts before them. The newest 200 records and the baseline are kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from opstudio.base.codec import from_json, to_json
from opstudio.base.files import cannot_write, write_atomic
from opstudio.jobs.events import StageState, Verdict
from opstudio.workspace.source_snapshot import SourceFile, sources_address

KEPT_RECORDS = 200
_PRUNED_AT_ONCE = 20
"""Records that may be too many before they are removed: finding out which texts are needed reads all that stay."""
_ABANDONED_SECONDS = 86_400.0
"""A file that was being written a day ago belongs to a studio that is gone."""
_DIGITS = 6
_TEXTS = "texts"
_BASELINE = "baseline.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageMark:
    """How a stage ended. ``key`` is that of its kept result, empty where nothing was kept."""

    stage: str
    state: StageState
    seconds: float
    cached: bool = False
    summary: str = ""
    key: str = ""
    findings: tuple[str, ...] = ()
    """Their ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFigure:
    """The largest error of a stage in one type: absolute, and as a part of what is allowed at that element."""

    stage: str
    type: str
    largest_ratio: float
    largest_absolute: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelTime:
    """How long the operator takes in PyTorch, in seconds: median, and the 10th and 90th percentile of the runs."""

    median: float
    low: float
    high: float
    runs: int
    sample: str
    type: str
    threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltLibrary:
    """A library of a build: its file, where the artifact store has it, its size and the SHA-256 of its content."""

    file: str
    kind: str
    artifact: str
    size_bytes: int
    sha256: str
    seconds: float
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRecord:
    """One text of an operator and what a check found out about it.

    ``at`` is when its first verdict was told and ``verdict_seconds`` how long that took; later checks of the same text
    amend the rest, ``amended_at``. ``final`` says that slow stages were run as well. ``versions`` and ``machine`` are
    those of the last check.
    """

    number: int
    operator: str
    at: float
    amended_at: float
    verdict: Verdict
    final: bool
    verdict_seconds: float
    stages: tuple[StageMark, ...]
    sources: tuple[SourceFile, ...]
    errors: tuple[ErrorFigure, ...] = ()
    kernel_time: KernelTime | None = None
    libraries: tuple[BuiltLibrary, ...] = ()
    contract: str = ""
    """The address of the contract as it was understood; empty where it could not be read."""
    flags: tuple[str, ...] = ()
    """Flags of the workspace and of the contract, beside the studio's own."""
    versions: Mapping[str, str] = field(default_factory=dict)
    machine: str = ""

    @property
    def sources_address(self) -> str:
        """Changes with every source."""
        return sources_address(self.sources)

    @property
    def size_bytes(self) -> int | None:
        """The size of all libraries together; ``None`` where there is none."""
        return sum(library.size_bytes for library in self.libraries) if self.libraries else None

    @property
    def build_seconds(self) -> float | None:
        """How long compiling all libraries took, when they were compiled; ``None`` where there is none."""
        return sum(library.seconds for library in self.libraries) if self.libraries else None

    @property
    def worst_error(self) -> ErrorFigure | None:
        """The largest error by what is allowed; ``None`` where nothing was compared."""
        return max(self.errors, key=lambda item: (item.largest_ratio, item.largest_absolute), default=None)

    @property
    def findings(self) -> tuple[str, ...]:
        """The ids of all findings, each once."""
        return tuple(dict.fromkeys(identifier for stage in self.stages for identifier in stage.findings))

    def stage(self, name: str) -> StageMark | None:
        """Return how a stage ended, if it is known."""
        return next((mark for mark in self.stages if mark.stage == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The records of an operator, newest first; ``unreadable`` says of each damaged one what is wrong with it."""

    records: tuple[HistoryRecord, ...]
    unreadable: tuple[str, ...] = ()
    baseline: int | None = None


class BuildHistory:
    """The histories of a workspace. Several studios may write at once."""

    def __init__(self, state: Path) -> None:
        self._root = state / "history"

    def read(self, operator: str) -> History:
        """Return all that is known of an operator."""
        records: list[HistoryRecord] = []
        unreadable: list[str] = []
        for path in self._paths(operator):
            try:
                records.append(_read(path))
            except (OSError, ValueError, RecursionError) as error:
                unreadable.append(f"{path.name} is damaged and left out: {error}")
        return History(records=tuple(records), unreadable=tuple(unreadable), baseline=self.baseline(operator))

    def latest(self, operator: str) -> HistoryRecord | None:
        """Return the newest record that can be read."""
        for path in self._paths(operator):
            with contextlib.suppress(OSError, ValueError, RecursionError):
                return _read(path)
        return None

    def find(self, operator: str, number: int) -> HistoryRecord | None:
        """Return the record of a number, if it is there and can be read."""
        with contextlib.suppress(OSError, ValueError, RecursionError):
            return _read(self._path(operator, number))
        return None

    def add(self, record: HistoryRecord, contents: Mapping[str, bytes]) -> HistoryRecord:
        """Keep a new record and its texts; return it with the number that it got.

        Raises:
            SetupError: the workspace cannot be written.
        """
        folder = self._root / record.operator
        for address, content in contents.items():
            # A text that a crash cut off has another size.
            path = folder / _TEXTS / address
            if not path.is_file() or path.stat().st_size != len(content):
                write_atomic(path, content)
        number = max((_number(path) for path in self._paths(record.operator)), default=0)
        while True:
            number += 1
            numbered = replace(record, number=number)
            if _write_new(self._path(record.operator, number), _text(numbered)):
                break
        self._prune(record.operator)
        return numbered

    def amend(self, record: HistoryRecord) -> None:
        """Replace a record by what is known of it now.

        Raises:
            SetupError: the workspace cannot be written.
        """
        write_atomic(self._path(record.operator, record.number), _text(record))

    def text(self, record: HistoryRecord, name: str) -> str | None:
        """Return a source of a record; ``None`` where it is no source of it, or was not kept."""
        file = next((item for item in record.sources if item.name == name), None)
        # What a damaged record says must not lead out of the folder of texts.
        if file is None or not file.kept or not file.address.isalnum():
            return None
        with contextlib.suppress(OSError):
            content = (self._root / record.operator / _TEXTS / file.address).read_bytes()
            return content.decode("utf-8", "replace")
        return None

    def baseline(self, operator: str) -> int | None:
        """Return the number of the record that others are compared with."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            number = json.loads((self._root / operator / _BASELINE).read_text(encoding="utf-8"))["number"]
            return number if isinstance(number, int) else None
        return None

    def set_baseline(self, operator: str, number: int | None) -> None:
        """Choose the record that others are compared with, or none.

        Raises:
            SetupError: the workspace cannot be written.
        """
        path = self._root / operator / _BASELINE
        if number is not None:
            write_atomic(path, json.dumps({"number": number}))
            return
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(path, error) from error

    def _paths(self, operator: str) -> list[Path]:
        """Return the files of all records, newest first."""
        paths = [path for path in (self._root / operator).glob("*.json") if path.stem.isdecimal()]
        return sorted(paths, key=_number, reverse=True)

    def _path(self, operator: str, number: int) -> Path:
        return self._root / operator / f"{number:0{_DIGITS}}.json"

    def _remove_abandoned(self, operator: str) -> None:
        oldest = time.time() - _ABANDONED_SECONDS
        folder = self._root / operator
        for path in (*folder.glob(".*.part"), *(folder / _TEXTS).glob(".*.part")):
            # Zero stands for a file that is gone.
            if 0.0 < _modified(path) < oldest:
                with contextlib.suppress(OSError):
                    path.unlink()

    def _prune(self, operator: str) -> None:
        """Remove what a killed studio left, the oldest records, and the texts that no record needs any more."""
        self._remove_abandoned(operator)
        paths = self._paths(operator)
        if len(paths) < KEPT_RECORDS + _PRUNED_AT_ONCE:
            return
        baseline = self.baseline(operator)
        old = [path for path in paths[KEPT_RECORDS:] if _number(path) != baseline]
        # An error leaves more behind than there should be, which the next time removes.
        with contextlib.suppress(OSError):
            for path in old:
                path.unlink(missing_ok=True)
            needed = {file.address for record in self.read(operator).records for file in record.sources}
            for path in (self._root / operator / _TEXTS).iterdir():
                if path.name not in needed:
                    path.unlink(missing_ok=True)


def _modified(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _read(path: Path) -> HistoryRecord:
    """Read a record.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged, or of another studio.
    """
    record = from_json(HistoryRecord, json.loads(path.read_text(encoding="utf-8")))
    if record.number != _number(path):
        message = f"it says that it is number {record.number}"
        raise ValueError(message)
    return record


def _text(record: HistoryRecord) -> bytes:
    # Names of files that are not UTF-8 hold lone surrogates; their escapes are those of JSON.
    return json.dumps(to_json(record), ensure_ascii=False).encode("utf-8", "backslashreplace")


def _number(path: Path) -> int:
    return int(path.stem)


def _write_new(path: Path, content: bytes) -> bool:
    """Write a file that must not be there yet, whole; return whether it was not.

    Raises:
        SetupError: the workspace cannot be written.
    """
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.part")
    write_atomic(temporary, content)
    try:
        # Unlike renaming, linking refuses a name that another studio has just taken.
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError:
        # Some file systems have no links.
        try:
            temporary.replace(path)
        except OSError as error:
            raise cannot_write(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)
    return True
