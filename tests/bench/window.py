"""The window: how soon it is visible, how soon it answers to keys and saves, and what it needs of memory."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.measurement import Figure, Measurement, Say, Series, Size
from tests.support.trust import state_of_tests, trust
from tests.support.workspaces import KERNELS, command_environment

ID = "WINDOW"
_LOOPS_PER_RUN = 40
"""With five runs, two hundred loops in one window."""
_VISIBLE_SECONDS, _KEY_SECONDS, _CHIP_SECONDS, _VERDICT_SECONDS, _MEMORY_BYTES = 2.0, 0.016, 0.1, 0.7, 250e6
_PERCENTILE = 0.95


def measure(size: Size, say: Say) -> Measurement:
    """Run one session in a process of its own, on a display of its own where there is none."""
    loops = max(_LOOPS_PER_RUN * size.runs, 2) if size.warm_ups else 2
    with tempfile.TemporaryDirectory(prefix="opstudio-bench-") as name:
        folder = Path(name)
        workspace = folder / "kernels"
        shutil.copytree(KERNELS, workspace, ignore=shutil.ignore_patterns(".opstudio", "dist"))
        with state_of_tests(folder):
            trust(workspace)
            environment = {**command_environment(), "XDG_CONFIG_HOME": str(folder / "settings")}
            if not os.environ.get("DISPLAY"):
                environment["QT_QPA_PLATFORM"] = "offscreen"
            say(f"WINDOW: a session of {loops} saves; the first check builds the hosts")
            command = [sys.executable, "-m", "tests.bench.window_session", str(workspace)]
            result = subprocess.run(
                [*command, str(time.time()), str(loops)], env=environment, capture_output=True, text=True, check=False
            )
        if result.returncode:
            raise RuntimeError(result.stderr)
    found = json.loads(result.stdout.splitlines()[-1])
    keys, memory = sorted(found["keys"]), found["memory"]
    reached = {
        "window visible": (found["visible"], _VISIBLE_SECONDS, "s"),
        "key → glyph in 5,000 lines while a check runs, p95": (keys[int(len(keys) * _PERCENTILE)], _KEY_SECONDS, "s"),
        "save → chips move": (statistics.median(found["chips"]), _CHIP_SECONDS, "s"),
        "save → verdict, through the window": (statistics.median(found["verdicts"]), _VERDICT_SECONDS, "s"),
        f"memory of the window after {loops} saves": (memory[-1], _MEMORY_BYTES, "B"),
    }
    return Measurement(
        id=ID,
        title="the window",
        series=(
            Series(name="key → glyph", seconds=tuple(found["keys"])),
            Series(name="save → chips move", seconds=tuple(found["chips"])),
            Series(name="save → verdict", seconds=tuple(found["verdicts"])),
        ),
        figures=tuple(
            Figure(benchmark=ID, work=work, unit=unit, reached=value, limit=limit)
            for work, (value, limit, unit) in reached.items()
        ),
        notes=(
            "memory in MB at the first save, half way and at the end: "
            + ", ".join(f"{memory[at] / 1e6:.0f}" for at in (0, len(memory) // 2, -1)),
            f"platform {'of the display' if os.environ.get('DISPLAY') else 'offscreen'}",
        ),
        details=found,
    )
