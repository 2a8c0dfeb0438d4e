"""B4: how soon very large graphs are seen, and how smoothly they move."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.measurement import Figure, Measurement, Say, Series, Size
from tests.support.large_models import SHAPES, write_large_model
from tests.support.workspaces import command_environment

ID = "B4"
_NODES = (1_000, 10_000, 50_000)
_SEEN_SECONDS, _FRAME_SECONDS, _MEMORY_BYTES = 4.0, 0.016, 500e6
_PERCENTILE = 0.95


def measure(size: Size, say: Say) -> Measurement:
    """Run each model in a process of its own, on a display of its own where there is none."""
    counts = _NODES if size.warm_ups else _NODES[:1]
    runs: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="opstudio-bench-") as name:
        for shape in SHAPES:
            for nodes in counts:
                path = write_large_model(Path(name) / f"{shape}_{nodes}.onnx", shape, nodes, custom_every=7)
                key = f"{shape}, {nodes:,} nodes"
                runs[key] = [_run(path) for _ in range(size.runs)]
                say(f"B4: {key}: {min(map(_seen, runs[key])):.2f} s until it is seen")
    largest = [found for key, founds in runs.items() if f"{counts[-1]:,}" in key for found in founds]
    reached = {
        "opened, laid out and painted, every group open": (max(map(_seen, largest)), _SEEN_SECONDS, "s"),
        "a frame while it moves and zooms, p95": (max(map(_slow_frame, largest)), _FRAME_SECONDS, "s"),
        "memory of the process": (max(float(found["memory"]) for found in largest), _MEMORY_BYTES, "B"),
    }
    return Measurement(
        id=ID,
        title="graphs of models",
        series=tuple(Series(name=f"{key}: seen", seconds=tuple(map(_seen, founds))) for key, founds in runs.items()),
        figures=tuple(
            Figure(benchmark=ID, work=f"{counts[-1]:,} nodes: {work}", unit=unit, reached=value, limit=limit)
            for work, (value, limit, unit) in reached.items()
        ),
        notes=(
            *(
                f"{key}: read {founds[0]['read']:.2f} s, layout {founds[0]['layout']:.2f} s, first picture "
                f"{founds[0]['first_paint']:.2f} s, frame p95 {_slow_frame(founds[0]) * 1e3:.1f} ms, "
                f"{founds[0]['memory'] / 1e6:.0f} MB"
                for key, founds in runs.items()
            ),
            f"platform {'of the display' if os.environ.get('DISPLAY') else 'offscreen'}",
        ),
        details=dict(runs),
    )


def _run(path: Path) -> dict[str, Any]:
    environment = command_environment()
    if not os.environ.get("DISPLAY"):
        environment["QT_QPA_PLATFORM"] = "offscreen"
    command = [sys.executable, "-m", "tests.bench.graph_session", str(path)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(result.stderr)
    return dict(json.loads(result.stdout.splitlines()[-1]))


def _seen(found: dict[str, Any]) -> float:
    return float(found["read"] + found["layout"] + found["first_paint"])


def _slow_frame(found: dict[str, Any]) -> float:
    """Return the 95th percentile of the times of frames."""
    frames = sorted(found["frames"])
    return float(frames[int(len(frames) * _PERCENTILE)])
