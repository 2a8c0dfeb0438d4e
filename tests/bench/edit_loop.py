"""B1: from a saved line of a native kernel to the verdict, beside the same edit under PyTorch's extension loader."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.measurement import Figure, Measurement, Say, Series, Size
from tests.support.trust import state_of_tests
from tests.support.watched_loop import WatchedLoop
from tests.support.workspaces import KERNELS

ID = "B1"
_OPERATOR = "relu6_scale"
_LINE = "std::min(std::max(value * Compute(scale), Compute(0)), Compute(max_val))"
_PEER = Path(__file__).parent / "peer"
_VERDICT_SECONDS = 0.7
_TIMES_FASTER = 30.0


def measure(size: Size, say: Say) -> Measurement:
    """Edit, save, wait for the verdict; every second edit computes something wrong."""
    with tempfile.TemporaryDirectory(prefix="opstudio-bench-") as name:
        folder = Path(name)
        workspace = folder / "kernels"
        shutil.copytree(KERNELS, workspace, ignore=shutil.ignore_patterns(".opstudio", "dist"))
        source = workspace / _OPERATOR / f"{_OPERATOR}.cpp"
        peer_source = folder / "extension.cpp"
        good: list[float] = []
        bad: list[float] = []
        peer: list[float] = []
        stages: list[str] = []
        with state_of_tests(folder), WatchedLoop(workspace, _OPERATOR, "--trust") as loop:
            say("B1: first check, which also builds the hosts")
            loop.next_verdict(final=True)
            text = source.read_text(encoding="utf-8")
            assert text.count(_LINE) == 1
            for run in range(-size.warm_ups, size.runs):
                # Texts that were never built before: zero in another spelling, and a floor that is not zero.
                number = run + size.warm_ups + 1
                for wanted, floor, times in (("bad", f"0.0{number}1", bad), ("good", f"0.{'0' * number}", good)):
                    loop.drain()
                    start = time.monotonic()
                    save(source, text.replace("Compute(0))", f"Compute({floor}))"))
                    at, verdict, ended = loop.next_verdict(final=False)
                    if verdict != wanted:
                        message = f"the verdict on floor {floor} is {verdict}, not {wanted}"
                        raise RuntimeError(message)
                    loop.next_verdict(final=True)
                    if run >= 0:
                        times.append(at - start)
                        stages = [f"{item['stage']}{' (cached)' if item['cached'] else ''}" for item in ended]
                        say(f"B1: {verdict} after {at - start:.3f} s")
                if run >= 0:
                    peer.append(_time_peer(peer_source, number, folder))
                    say(f"B1: PyTorch's extension loader {peer[-1]:.1f} s")
    series = (
        Series(name="save → verdict good", seconds=tuple(good)),
        Series(name="save → verdict bad (a wrong constant)", seconds=tuple(bad)),
        Series(name="torch.utils.cpp_extension.load, fresh process", seconds=tuple(peer)),
    )
    return Measurement(
        id=ID,
        title="edit loop, native operator",
        series=series,
        figures=(
            Figure(benchmark=ID, work="save → verdict", unit="s", reached=series[0].median, limit=_VERDICT_SECONDS),
            Figure(
                benchmark=ID,
                work="a wrong constant is bad after",
                unit="s",
                reached=series[1].median,
                limit=_VERDICT_SECONDS,
            ),
            Figure(
                benchmark=ID,
                work="times faster than the extension loader",
                unit="×",
                reached=series[2].median / series[0].median,
                limit=_TIMES_FASTER,
                at_most=False,
            ),
        ),
        notes=(
            "each run: a wrong edit, a right one, then the peer; compiler cache off for the peer",
            f"stages before the verdict: {', '.join(stages)}",
        ),
        details={"stages": stages},
    )


def save(path: Path, text: str) -> None:
    """Save as editors do: write beside, rename over."""
    beside = path.with_name(f".{path.name}.saving")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _time_peer(source: Path, number: int, folder: Path) -> float:
    """Change the same constant in an extension; build, load and compare forward and backward once."""
    text = (_PEER / "relu6_scale_extension.cpp").read_text(encoding="utf-8")
    source.write_text(text.replace("kFloor = 0.0", f"kFloor = 0.{'0' * number}"), encoding="utf-8")
    environment = {
        **os.environ,
        "TORCH_EXTENSIONS_DIR": str(folder / "extensions"),
        "TORCH_NO_COMPILER_WRAPPER": "1",
        "CCACHE_DISABLE": "1",
        # The loader starts ninja, which lies beside the interpreter.
        "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}",
    }
    start = time.monotonic()
    subprocess.run([sys.executable, str(_PEER / "load_extension.py"), str(source)], check=True, env=environment)
    return time.monotonic() - start
