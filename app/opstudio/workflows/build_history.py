"""The history of an operator's builds: listed, pinned, compared, and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opstudio.base.errors import InputError
from opstudio.base.finding import Place
from opstudio.workflows.build_deltas import BuildDelta, build_delta
from opstudio.workflows.source_difference import FileDifference, SourceText, compare_sources
from opstudio.workspace.build_history import BuildHistory, History, HistoryRecord
from opstudio.workspace.folder import OperatorFolder, Workspace
from opstudio.workspace.source_snapshot import joined, snapshot_of, take_snapshot

STAGE = "history"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedHistory:
    """All builds of an operator, newest first, and how each compares with the pinned one, whose number is there."""

    operator: str
    rows: tuple[tuple[HistoryRecord, BuildDelta | None], ...]
    baseline: int | None


class OperatorHistory:
    """The history of one operator. Reads what is there at each call; several may be open at once."""

    def __init__(self, workspace: Workspace, folder: OperatorFolder) -> None:
        self._folder = folder
        self._root = workspace.root
        self._store = BuildHistory(workspace.state)
        self._where = workspace.state / "history" / folder.name

    def read(self) -> History:
        """Return all records, newest first, and what is wrong with damaged ones."""
        return self._store.read(self._folder.name)

    def latest(self) -> HistoryRecord | None:
        """Return the newest record."""
        return self._store.latest(self._folder.name)

    def record(self, number: int) -> HistoryRecord:
        """Return the record of a number.

        Raises:
            InputError: there is none, or it is damaged.
        """
        found = self._store.find(self._folder.name, number)
        if found is not None:
            return found
        numbers = [record.number for record in self.read().records]
        raise InputError.of(
            f"{self._folder.name} has no build {number}",
            cause=f"the history holds {_spans(numbers)}" if numbers else "nothing was checked here yet",
            fix=f"Choose one of these: opstudio history {self._folder.name}"
            if numbers
            else f"Check it first: opstudio check {self._folder.name}",
            stage=STAGE,
            place=Place(file=str(self._where)),
        )

    def baseline(self) -> HistoryRecord | None:
        """Return the pinned record; ``None`` where none is pinned, or the pinned one is damaged."""
        number = self._store.baseline(self._folder.name)
        return None if number is None else self._store.find(self._folder.name, number)

    def pin(self, number: int) -> HistoryRecord:
        """Make a record the one that others are compared with.

        Raises:
            InputError: there is no such record.
            SetupError: the workspace cannot be written.
        """
        record = self.record(number)
        self._store.set_baseline(self._folder.name, number)
        return record

    def unpin(self) -> None:
        """Compare with nothing.

        Raises:
            SetupError: the workspace cannot be written.
        """
        self._store.set_baseline(self._folder.name, None)

    def delta(self, record: HistoryRecord) -> BuildDelta | None:
        """Return how a record compares with the baseline; ``None`` where there is none, or it is the record itself."""
        return _delta(record, self.baseline())

    def compared(self) -> ComparedHistory:
        """Return all records, each beside the baseline."""
        history, baseline = self.read(), self.baseline()
        return ComparedHistory(
            operator=self._folder.name,
            rows=tuple((record, _delta(record, baseline)) for record in history.records),
            baseline=history.baseline,
        )

    def difference(self, before: HistoryRecord, after: HistoryRecord | None = None) -> tuple[FileDifference, ...]:
        """Return how the sources of a record differ from those of another, or from the files as they are now."""
        return compare_sources(self._texts(before), self._now(before) if after is None else self._texts(after))

    def text(self, record: HistoryRecord, name: str) -> str:
        """Return a source as it was.

        Raises:
            InputError: the record has no such file, or its content was not kept.
        """
        text = self._store.text(record, name)
        if text is not None:
            return text
        known = [file.name for file in record.sources if file.kept]
        raise InputError.of(
            f"{name} of build {record.number} cannot be shown",
            cause="it is too large or no text, so that only its hash was kept"
            if any(file.name == name and not file.kept for file in record.sources)
            else f"the build kept {', '.join(known) or 'no files'}",
            fix="Name one of the files that were kept",
            stage=STAGE,
            place=Place(file=str(self._where)),
        )

    def _texts(self, record: HistoryRecord) -> Mapping[str, SourceText]:
        return {file.name: SourceText(file.address, self._store.text(record, file.name)) for file in record.sources}

    def _now(self, record: HistoryRecord) -> Mapping[str, SourceText]:
        """Return the files as they are now: those of the folder, and those beside it that the record has."""
        folder = self._folder.path
        beside = {name: (folder / name).resolve() for file in record.sources if (name := file.name).startswith("../")}
        inside = {name: path for name, path in beside.items() if path.is_relative_to(self._root)}
        snapshot = joined(take_snapshot(folder), snapshot_of(inside))
        return {
            file.name: SourceText(
                file.address, snapshot.contents[file.address].decode("utf-8", "replace") if file.kept else None
            )
            for file in snapshot.files
        }


def _delta(record: HistoryRecord, baseline: HistoryRecord | None) -> BuildDelta | None:
    return None if baseline is None or baseline.number == record.number else build_delta(record, baseline)


def _spans(numbers: list[int]) -> str:
    """Return numbers, newest first, as ``1 to 12``."""
    return f"{numbers[-1]} to {numbers[0]}" if len(numbers) > 1 else f"{numbers[0]}"
