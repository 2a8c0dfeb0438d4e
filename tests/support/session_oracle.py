"""What a real session says of a whole file: the oracle of what is predicted, never the implementation."""

from __future__ import annotations

from pathlib import Path

import onnxruntime  # noqa: TID253 - the oracle


def session_refusal(path: Path, *libraries: Path, optimizes: bool = True) -> str:
    """Return what a session on the CPU refuses a file with, or an empty text; operator libraries are registered."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    if not optimizes:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    for library in libraries:
        options.register_custom_ops_library(str(library))
    try:
        onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 - its errors have no common class
        return str(error)
    return ""
