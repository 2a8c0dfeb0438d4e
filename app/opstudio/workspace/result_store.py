"""What the stages found, under the address of what they looked at; a file a result, replaced whole.

``.opstudio/results/<operator>/<stage>/<key>.json``. Going back to an earlier text of a kernel finds its results again.
"""

from __future__ import annotations

import contextlib
import itertools
import json
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.codec import from_json, to_json
from opstudio.base.files import write_atomic
from opstudio.base.finding import Finding, Json
from opstudio.jobs.events import StageState

_KEPT = 8
"""Results of one stage that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageResult:
    """The result of one stage. ``evidence`` is the record of the check as JSON."""

    operator: str
    stage: str
    key: str
    state: StageState
    seconds: float
    at: float
    summary: str
    findings: tuple[Finding, ...]
    evidence: Json


class ResultStore:
    """The results of a workspace."""

    def __init__(self, state: Path) -> None:
        self._root = state / "results"

    def find(self, operator: str, stage: str, key: str) -> StageResult | None:
        """Return the result of a stage for exactly that key."""
        return _read(self._folder(operator, stage) / f"{key}.json")

    def latest(self, operator: str, stage: str) -> StageResult | None:
        """Return the newest result of a stage, whatever it looked at."""
        paths = sorted(self._folder(operator, stage).glob("*.json"), key=_modified, reverse=True)
        # The clock of files is coarse: those of one moment are told apart by what they say themselves.
        for _, group in itertools.groupby(paths, key=_modified):
            results = [result for path in group if (result := _read(path)) is not None]
            if results:
                return max(results, key=lambda result: result.at)
        return None

    def put(self, result: StageResult) -> None:
        """Keep a result.

        Raises:
            SetupError: the workspace cannot be written.
        """
        folder = self._folder(result.operator, result.stage)
        path = folder / f"{result.key}.json"
        text = json.dumps(to_json(result), ensure_ascii=False)
        # Names of files that are not UTF-8 hold lone surrogates; their escapes are those of JSON.
        write_atomic(path, text.encode("utf-8", "backslashreplace"))
        others = sorted((other for other in folder.glob("*.json") if other != path), key=_modified, reverse=True)
        for old in others[_KEPT - 1 :]:
            old.unlink(missing_ok=True)

    def touch(self, result: StageResult) -> None:
        """Make a result the newest of its stage, because it was found to hold."""
        with contextlib.suppress(OSError):
            (self._folder(result.operator, result.stage) / f"{result.key}.json").touch()

    def forget(self, operator: str, stage: str, key: str) -> None:
        """Remove a result that turned out not to hold."""
        with contextlib.suppress(OSError):
            (self._folder(operator, stage) / f"{key}.json").unlink()

    def _folder(self, operator: str, stage: str) -> Path:
        return self._root / operator / stage


def _read(path: Path) -> StageResult | None:
    # An unreadable or older file is no result; the stage simply runs again.
    with contextlib.suppress(OSError, ValueError, RecursionError):
        return from_json(StageResult, json.loads(path.read_text(encoding="utf-8")))
    return None


def _modified(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime_ns
    return 0
