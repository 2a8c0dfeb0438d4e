"""B7: the bundled operators in ONNX Runtime, beside standard nodes, eager PyTorch and a copy of the same bytes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.kernel_timings import COPY, CUSTOM, EAGER, STANDARD
from tests.bench.measurement import Figure, Measurement, Say, Series, Size
from tests.support.trust import state_of_tests, trust
from tests.support.workspaces import KERNELS, ROOT, command_environment

ID = "B7"
_OPERATORS = ("relu6_scale", "normalize_image", "swish", "rms_norm", "row_softmax", "directional_pool2d")
_MEMORY_BOUND = ("relu6_scale", "normalize_image")
_OF_COPY = 0.8
_MEGABYTES = (1, 16, 64, 256)
_FROM_MEGABYTES = 16
"""Below, everything lies in the processor's cache and a call costs more than its bytes."""
_SECONDS_A_RUN = 0.1
_COLUMNS = ((CUSTOM, 13), (STANDARD, 14), (EAGER, 13), (COPY, 7))


@dataclass(frozen=True)
class _Result:
    """One operator at one size: medians in seconds by contender."""

    name: str
    megabytes: int
    medians: dict[str, float]
    nodes: list[str]

    def times_of(self, peer: str) -> float:
        """Return how many times as quick as a peer the operator is."""
        return self.medians[peer] / self.medians[CUSTOM]

    @property
    def line(self) -> str:
        times = "  ".join(f"{self.medians[key] * 1e3:{width}.3f}" for key, width in _COLUMNS)
        ratios = "  ".join(f"{self.times_of(key):5.2f}" for key in (COPY, STANDARD, EAGER))
        return f"{self.name:<20}{self.megabytes:>5}  {times}   {ratios}"


def measure(size: Size, say: Say) -> Measurement:
    """Time every operator at every size, each in a process of its own."""
    megabytes = _MEGABYTES if size.warm_ups else _MEGABYTES[:1]
    seconds = _SECONDS_A_RUN * size.runs if size.warm_ups else 0.0
    documents = list(_documents(megabytes, seconds, say))
    results = [
        _Result(
            item["name"],
            item["megabytes"],
            {timing["name"]: timing["median"] for timing in item["timings"]},
            item["nodes"],
        )
        for item in documents
    ]
    largest = [result for result in results if result.megabytes == megabytes[-1]]
    return Measurement(
        id=ID,
        title="bundled operators in ONNX Runtime",
        series=tuple(
            Series(name=f"{result.name}, {result.megabytes} MB", seconds=(result.medians[CUSTOM],))
            for result in largest
        ),
        figures=tuple(
            Figure(
                benchmark=ID,
                work=f"{result.name}, {result.megabytes} MB: bandwidth of a copy",
                unit="of it",
                reached=result.times_of(COPY),
                limit=_OF_COPY,
                at_most=False,
            )
            for result in results
            if result.name in _MEMORY_BOUND and result.megabytes >= _FROM_MEGABYTES
        ),
        notes=_notes(results, documents[0]["threads"]),
        details={"results": documents},
    )


def _notes(results: list[_Result], threads: int) -> tuple[str, ...]:
    times = "  ".join(f"{key:>{width}}" for key, width in _COLUMNS)
    nodes = {result.name: " ".join(result.nodes) for result in results}
    return (
        f"float32, bytes for normalize_image; {threads} threads everywhere; a size is that of the largest tensor",
        "a copy moves as many bytes as the operator reads and writes",
        "medians in milliseconds, and how many times as quick as each peer the custom node is:",
        f"{'':<20}{'MB':>5}  {times}   {'copy':>5}  nodes  eager",
        *(result.line for result in results),
        *(f"standard nodes of {name}: {listed}" for name, listed in nodes.items()),
        *_not_worth_having(results),
    )


def _not_worth_having(results: list[_Result]) -> Iterator[str]:
    slower = [f"{item.name} ({item.megabytes} MB)" for item in results if item.times_of(STANDARD) < 1]
    if slower:
        yield f"standard nodes are quicker for {', '.join(slower)}: there the operator is not worth having"


def _documents(megabytes: tuple[int, ...], seconds: float, say: Say) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="opstudio-bench-") as name, state_of_tests(Path(name)):
        workspace = Path(name) / "kernels"
        shutil.copytree(KERNELS, workspace, ignore=shutil.ignore_patterns(".opstudio", "dist"))
        trust(workspace)
        say(f"{ID}: the first process also builds operators and hosts")
        for operator in _OPERATORS:
            for count in megabytes:
                yield _run(workspace, operator, count, seconds, say)


def _run(workspace: Path, operator: str, megabytes: int, seconds: float, say: Say) -> dict[str, Any]:
    module = "tests.bench.kernel_timings"
    command = [sys.executable, "-m", module, str(workspace), operator, str(megabytes), str(seconds)]
    # Threads of PyTorch that spin after a call would take the processor from whatever is timed next.
    environment = {**command_environment(), "OMP_WAIT_POLICY": "PASSIVE"}
    completed = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    document: dict[str, Any] = json.loads(completed.stdout.splitlines()[-1])
    medians = ", ".join(f"{item['name']} {item['median'] * 1e3:.3f} ms" for item in document["timings"])
    say(f"{ID}: {operator}, {megabytes} MB: {medians}")
    return document
