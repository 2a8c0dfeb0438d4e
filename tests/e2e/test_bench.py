"""The benchmarks run; their figures are for people on a quiet machine, never for a test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.workspaces import ROOT, command_environment


@pytest.mark.skipif(" " in sys.prefix, reason="PyTorch's extension loader, the peer of B1, takes no path with spaces")
def test_that_every_benchmark_runs_at_a_small_size(tmp_path: Path) -> None:
    document = tmp_path / "figures.json"

    result = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--small", "--json", str(document)],
        cwd=ROOT,
        env=command_environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 0, result.stderr
    measurements = json.loads(document.read_text(encoding="utf-8"))["measurements"]
    assert [item["id"] for item in measurements] == ["B1", "B3", "B4", "B7", "WINDOW"]
    assert all(second > 0 for item in measurements for series in item["series"] for second in series["seconds"])
    stages = measurements[0]["details"]["stages"]
    assert [stage for stage in stages if stage.removesuffix(" (cached)") in ("value", "gradient", "parity")] == [
        "value",
        "gradient",
        "parity",
    ]
    for figure in ("save → verdict", "times faster than the extension loader", "opstudio --help"):
        assert f"    {figure}: " in result.stdout
