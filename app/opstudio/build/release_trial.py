"""Whether the libraries of a release load where nothing of the studio is: from ``/``, with an empty environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opstudio.jobs.cancel import CancelToken
from opstudio.jobs.process import ProcessLimits, run_process

_SCRIPTS: Mapping[str, str] = {
    "torch": "import sys, torch; torch.ops.load_library(sys.argv[1])",
    "onnxruntime": "import sys, onnxruntime; onnxruntime.SessionOptions().register_custom_ops_library(sys.argv[1])",
}
_LIMIT_SECONDS = 120.0
_LAST_LINES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadTrial:
    """How one library loaded. ``error`` is what the interpreter said last, empty where all is well."""

    framework: str
    library: str
    command: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseTrial:
    """The evidence of the stage ``load`` of a release."""

    trials: tuple[LoadTrial, ...]

    @property
    def good(self) -> bool:
        """Whether all libraries loaded."""
        return not any(trial.error for trial in self.trials)

    @property
    def summary(self) -> str:
        """One line for people."""
        return f"{len(self.trials)} libraries load from / with an empty environment"


def try_release(python: str, libraries: Mapping[str, Path], cancel: CancelToken) -> ReleaseTrial:
    """Load each library in an interpreter of its own.

    Raises:
        SetupError: the interpreter cannot be started.
        CancelledError: ``cancel`` was set.
    """
    trials: list[LoadTrial] = []
    for framework, library in libraries.items():
        command = [python, "-I", "-c", _SCRIPTS[framework], str(library)]
        outcome = run_process(
            command, cwd=Path("/"), environment={}, cancel=cancel, limits=ProcessLimits(seconds=_LIMIT_SECONDS)
        )
        error = "" if outcome.succeeded else "\n".join(outcome.output.strip().splitlines()[-_LAST_LINES:])
        if outcome.timed_out:
            error = f"it did not load within {_LIMIT_SECONDS:.0f} s\n{error}"
        trials.append(
            LoadTrial(
                framework=framework,
                library=library.name,
                command=outcome.command_line,
                error=error if outcome.succeeded else error or f"it ended with status {outcome.status}",
            )
        )
    return ReleaseTrial(trials=tuple(trials))
