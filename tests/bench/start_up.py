"""B3 on the command line: how long ``opstudio --help`` takes."""

from __future__ import annotations

import subprocess
import sys
import time

from tests.bench.measurement import Figure, Measurement, Say, Series, Size
from tests.support.workspaces import command_environment

ID = "B3"
_HELP_SECONDS = 0.3


def measure(size: Size, say: Say) -> Measurement:
    """Time the whole process, and a bare interpreter beside it."""
    commands = {
        "opstudio --help": [sys.executable, "-m", "opstudio", "--help"],
        "a bare interpreter": [sys.executable, "-c", "pass"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(-size.warm_ups, 4 * size.runs):
        for name, command in commands.items():
            start = time.monotonic()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=command_environment())
            if run >= 0:
                times[name].append(time.monotonic() - start)
    series = tuple(Series(name=name, seconds=tuple(values)) for name, values in times.items())
    say(f"B3: {series[0].median:.3f} s")
    return Measurement(
        id=ID,
        title="start of the command line",
        series=series,
        figures=(
            Figure(benchmark=ID, work="opstudio --help", unit="s", reached=series[0].median, limit=_HELP_SECONDS),
        ),
    )
