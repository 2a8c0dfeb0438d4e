"""What a Python's ONNX Runtime knows and what operator libraries register: asked in a worker once, and kept.

The runtime's lists hold as long as the frameworks do; what a library registers, as long as its content and the runtime.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from opstudio.base.codec import from_json, to_json
from opstudio.base.errors import InputError, SetupError, StudioError, ToolError
from opstudio.base.files import write_atomic
from opstudio.base.finding import Json
from opstudio.base.hashing import content_address, file_address
from opstudio.base.user_folders import cache_folder
from opstudio.jobs.cancel import CancelToken
from opstudio.model.graph.records import ModelRecord
from opstudio.model.runtime.library_evidence import LibraryEvidence
from opstudio.model.runtime.records import LibraryContents, RuntimeTables
from opstudio.model.runtime.shared_library import read_shared_library
from opstudio.model.shapes.records import ASKING, ModelShapes
from opstudio.model.shapes.transfer import read_shapes
from opstudio.worker.monitor import Limits, Listener
from opstudio.worker.outcome import Ending, Outcome
from opstudio.worker.pool import WorkerPool
from opstudio.worker.request import Request
from opstudio.workflows.framework_versions import recall_versions, remember_versions

_ENTRIES = "opstudio.model.runtime.worker_entry"
_SHAPES = "opstudio.model.shapes.worker_entry:shapes"
_FORMAT = 2
"""Of what is kept; an older one is asked for again."""
RUNTIME_ALONE = ("numpy", "onnx", "onnxruntime")
"""Without torch a worker is ready in a third of a second instead of two."""
_MEMORY_BYTES = 4 * 2**30
_QUIET_SECONDS = 60.0
_NODES_MEMORY_BYTES = 2**30
_NODES_QUIET_SECONDS = 5.0
"""For one node of a model, which anyone may have written: 60 µs is usual."""
_STAGE = "graph"
RecordT = TypeVar("RecordT")


class _EndedError(Exception):
    """The worker ended before it answered."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.ending.value)
        self.outcome = outcome


class RuntimeKnowledge:
    """Answers for one Python. The worker is started only for what is not known yet; use it as a context manager."""

    def __init__(self, python: str = sys.executable, *, folder: Path | None = None) -> None:
        """Keep what is learnt in ``folder``, by default in the person's cache."""
        self._python = python
        self._folder = folder or cache_folder() / "runtimes"
        self._workers: WorkerPool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._workers is not None:
            self._workers.close()

    def tables(self, cancel: CancelToken) -> RuntimeTables:
        """Return the operators and kernels of the runtime.

        Raises:
            SetupError: that Python cannot be started, or has no ONNX Runtime.
            ToolError: the runtime ended the process that asked it.
            CancelledError: ``cancel`` was set.
        """
        try:
            return self._known("tables", RuntimeTables, {}, {}, cancel)
        except _EndedError as ended:
            raise ToolError.of(
                "The runtime could not be asked what it knows",
                cause=ended.outcome.error or ended.outcome.signal or ended.outcome.ending.value.replace("_", " "),
                fix="Run opstudio doctor; it says what works on this machine",
                stage=_STAGE,
            ) from ended

    def library(self, path: Path, cancel: CancelToken) -> LibraryEvidence:
        """Look into an operator library. Its code runs, in a worker; that it fails there is evidence as well.

        Raises:
            InputError: there is no such file, or it is no shared library.
            SetupError: that Python cannot be started, or has no ONNX Runtime.
            CancelledError: ``cancel`` was set.
        """
        # The loader searches its own folders for a name without one.
        path = path.absolute()
        file = read_shared_library(path)
        payload = {"path": str(path)}
        try:
            contents = self._known("library", LibraryContents, payload, {"content": file_address(path)}, cancel)
        except _EndedError as ended:
            outcome = ended.outcome
            if any(finding.id == SetupError.id for finding in outcome.findings):
                raise SetupError(outcome.findings) from ended  # the runtime lacks something, not the library
            refusal = outcome.findings[0].cause if outcome.findings else ""
            return LibraryEvidence(path=str(path), file=file, contents=None, refusal=refusal, outcome=outcome)
        return LibraryEvidence(path=str(path), file=file, contents=contents)

    def shapes(
        self, model: ModelRecord, cancel: CancelToken, *, libraries: Sequence[str] = (), contracts: Sequence[str] = ()
    ) -> ModelShapes:
        """Ask the runtime about the nodes of a model one by one, with libraries registered, by their paths.

        Code of the libraries runs. Where that or the runtime ends the process, the answer says so.

        Raises:
            InputError: the file is not the one that was read any more, or a contract is wrong.
            SetupError: that Python cannot be started, or has no ONNX Runtime.
            CancelledError: ``cancel`` was set.
        """
        self._versions()
        payload = {"path": str(model.path.absolute()), "libraries": list(libraries), "contracts": list(contracts)}
        try:
            # Libraries are the person's own; what they take is their affair.
            memory = _MEMORY_BYTES if libraries else _NODES_MEMORY_BYTES
            events = self._run(_SHAPES, payload, cancel, memory=memory, quiet=_quiet_seconds)
        except _EndedError as ended:
            outcome = ended.outcome
            if any(finding.id != StudioError.id for finding in outcome.findings):
                raise InputError(outcome.findings) from ended
            how = outcome.error or outcome.signal or outcome.ending.value.replace("_", " ")
            return ModelShapes(ended=f"{outcome.label}: {how}")
        return read_shapes(events, model)

    def _known(
        self,
        entry: str,
        kind: type[RecordT],
        payload: Mapping[str, str],
        address: Mapping[str, str],
        cancel: CancelToken,
    ) -> RecordT:
        key: dict[str, Json] = {"format": str(_FORMAT), "versions": dict(self._versions()), **payload, **address}
        file = self._folder / f"{entry}-{content_address(key)}.json"
        # A file that is damaged, or of another studio, is no knowledge.
        with contextlib.suppress(OSError, ValueError, RecursionError):
            return from_json(kind, json.loads(file.read_text(encoding="utf-8")))
        found = from_json(kind, self._ask(entry, payload, cancel))
        with contextlib.suppress(StudioError):  # it is asked again the next time
            write_atomic(file, json.dumps(to_json(found)).encode("utf-8", "backslashreplace"))
        return found

    def _ask(self, entry: str, payload: Mapping[str, str], cancel: CancelToken) -> Any:
        events = self._run(f"{_ENTRIES}:{entry}", payload, cancel)
        return next(event["data"] for event in events if event["event"] == entry)

    def _run(
        self,
        entry: str,
        payload: Mapping[str, Any],
        cancel: CancelToken,
        *,
        memory: int = _MEMORY_BYTES,
        quiet: Callable[[str], float] = lambda _label: _QUIET_SECONDS,
    ) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        limits = Limits(memory_bytes=memory, quiet_seconds=quiet)
        request = Request(entry=entry, payload=dict(payload), limits=limits)
        outcome = self._pool().run(request, cancel=cancel, listener=Listener(events.append))
        if outcome.ending is not Ending.FINISHED:
            raise _EndedError(outcome)
        return events

    def _versions(self) -> Mapping[str, str]:
        file = self._folder / "frameworks.json"
        versions = recall_versions(file, self._python)
        if versions is None:
            versions = self._pool().versions()
            if "onnxruntime" in versions and "onnx" in versions:
                with contextlib.suppress(StudioError):
                    remember_versions(file, self._python, versions)
        if missing := [name for name in ("onnx", "onnxruntime") if name not in versions]:
            raise SetupError.of(
                f"{self._python} lacks {' and '.join(missing)}",
                cause="the graph is held against what the runtime itself knows",
                fix=f"Install: pip install {' '.join(missing)}",
            )
        return versions

    def _pool(self) -> WorkerPool:
        if self._workers is None:
            self._workers = WorkerPool(self._python, frameworks=RUNTIME_ALONE)
        return self._workers


def _quiet_seconds(label: str) -> float:
    """Return how long a worker that asks about nodes may be silent; to load libraries takes longer than any node."""
    return _NODES_QUIET_SECONDS if label.startswith(ASKING) else _QUIET_SECONDS
