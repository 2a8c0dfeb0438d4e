"""A changed model tried in a worker: what checker and sessions say of it and of the original, and one run of both."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opstudio.base.codec import from_json
from opstudio.checks.model_trial import CHANGED, ORIGINAL, OutputComparison
from opstudio.jobs.cancel import CancelToken
from opstudio.worker.monitor import Limits, Listener
from opstudio.worker.outcome import Ending, Outcome
from opstudio.worker.pool import WorkerPool
from opstudio.worker.request import Request
from opstudio.workflows.runtime_knowledge import RUNTIME_ALONE

_ENTRY = "opstudio.checks.model_trial:run"
_QUIET_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTrial:
    """What was said of one file: empty texts are good, ``None`` means that nothing was said."""

    checker: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A changed model against the original.

    ``outputs`` are those of one run on the same seeded inputs; where there was none, ``not_compared`` says why.
    ``other_sizes`` are sizes that only the changed model leaves open, at which it was run as well, and
    ``other_size_error`` is why that failed; empty where it ran.
    """

    original: FileTrial
    changed: FileTrial
    outputs: tuple[OutputComparison, ...] = ()
    not_compared: str = ""
    other_sizes: Mapping[str, int] = field(default_factory=dict)
    other_size_error: str = ""

    def worse(self) -> tuple[str, ...]:
        """Return what is worse than before, in words."""
        found: list[str] = []
        for who, before, after in (
            ("the checker of ONNX refuses it", self.original.checker, self.changed.checker),
            ("ONNX Runtime refuses it", self.original.session, self.changed.session),
        ):
            if after and before == "":
                found.append(f"{who}, and took the original: {after}")
        if self.changed.session is None:
            found.append(f"it could not be loaded: {self.not_compared}")
        found.extend(f"output {item.name}: {item.reason}" for item in self.outputs if not item.agrees)
        return tuple(found)


def try_changed_model(
    python: str,
    original: Path,
    changed: Path,
    cancel: CancelToken,
    *,
    libraries: Sequence[Path] = (),
    providers: Sequence[str] = (),
) -> Trial:
    """Try a changed model against the original; code of the libraries runs, in a worker.

    Raises:
        SetupError: that Python cannot be started.
        CancelledError: ``cancel`` was set.
    """
    received: list[dict[str, Any]] = []
    payload = {
        ORIGINAL: str(original.absolute()),
        CHANGED: str(changed.absolute()),
        "libraries": [str(path.absolute()) for path in libraries],
        "providers": list(providers),
    }
    limits = Limits(memory_bytes=_machine_bytes(), quiet_seconds=lambda _label: _QUIET_SECONDS)
    workers = WorkerPool(python, frameworks=RUNTIME_ALONE)
    try:
        request = Request(entry=_ENTRY, payload=payload, limits=limits)
        outcome = workers.run(request, cancel=cancel, listener=Listener(received.append))
    finally:
        workers.close()
    return _trial(received, outcome)


def _trial(events: Sequence[Mapping[str, Any]], outcome: Outcome) -> Trial:
    told: dict[str, dict[str, str]] = {ORIGINAL: {}, CHANGED: {}}
    for event in events:
        if event["event"] in ("checker", "session"):
            told[event["which"]][event["event"]] = event["error"]
    last = {event["event"]: event for event in events}
    outputs = last.get("compared", {}).get("outputs", ())
    reason = last.get("not_compared", {}).get("reason", "")
    if outcome.ending is not Ending.FINISHED and not outputs:
        how = outcome.error or outcome.signal or outcome.ending.value.replace("_", " ")
        reason = f"the process that tried it ended ({outcome.label}): {how}"
    other = last.get("other_size", {})
    return Trial(
        original=FileTrial(**told[ORIGINAL]),
        changed=FileTrial(**told[CHANGED]),
        outputs=tuple(from_json(OutputComparison, item) for item in outputs),
        not_compared=reason,
        other_sizes=other.get("sizes", {}),
        other_size_error=other.get("error", ""),
    )


def _machine_bytes() -> int:
    """Return the memory that a trial may take: nearly all, since a model is as large as it is."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 9 // 10
