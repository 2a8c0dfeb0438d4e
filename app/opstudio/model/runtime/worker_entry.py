"""Entry points of a worker: what the runtime knows, and what an operator library adds to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opstudio.base.errors import ToolError
from opstudio.base.finding import Place
from opstudio.model.runtime.library_probe import probe_library
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables
from opstudio.worker.context import WorkerContext


def tables(context: WorkerContext, _payload: dict[str, Any]) -> None:
    """Send the operators and kernels of the installed runtime."""
    context.emit("tables", data=read_runtime_tables())


def library(context: WorkerContext, payload: dict[str, Any]) -> None:
    """Send what the library at ``path`` registers.

    Raises:
        SetupError: the runtime's own library is not where it should be.
        ToolError: the library cannot be loaded, or offers nothing to register.
    """
    path = Path(payload["path"])
    context.progress(f"load {path.name}")
    try:
        contents = probe_library(path)
    except (OSError, AttributeError) as error:
        raise ToolError.of(
            f"{path.name} cannot be used as an operator library",
            cause=str(error),
            fix="Build it against this runtime with an exported RegisterCustomOps",
            stage="load",
            place=Place(file=str(path)),
        ) from error
    context.emit("library", data=contents)
