"""Runs commands on every file of a folder in one process, and prints how each run ended.

Run as ``python -m tests.support.hostile_batch FOLDER SECONDS``: one line of JSON for each command, and one for the
workers. The commands are the real ones; only their worker stays for the next, as a window's does.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from opstudio.cli.main import main as opstudio
from opstudio.jobs.cancel import CancelToken
from opstudio.model.runtime.records import RuntimeTables
from opstudio.workflows import runtime_knowledge
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge

FIXED_EVERY = 3
"""``fix`` looks at a model as ``graph`` does before it looks for fixes; it is run for a part of the files."""
_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


class TooLongError(BaseException):
    """The time for one command is over; nobody catches it on its way."""


class _KeptKnowledge(RuntimeKnowledge):
    """What the runtime knows, and the worker that asks it, for all commands."""

    _tables: RuntimeTables | None = None

    def __exit__(self, *_error: object) -> None:
        pass

    def tables(self, cancel: CancelToken) -> RuntimeTables:
        if self._tables is None:
            self._tables = super().tables(cancel)
        return self._tables

    def end(self) -> None:
        super().__exit__(None, None, None)


def _out_of_time(_number: int, _frame: object) -> None:
    raise TooLongError


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak_bytes() -> int:
    found = _PEAK.search(Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return 1024 * int(found[1])


def run(arguments: list[str], seconds: float) -> dict[str, Any]:
    """Run one command; ``status`` is its exit code, or a text where it had none."""
    output, errors = io.StringIO(), io.StringIO()
    status: int | str = ""
    _forget_peak()
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = opstudio(arguments)
    except TooLongError:
        status = f"too long: {traceback.format_exc()[-3000:]}"
    except BaseException:  # noqa: BLE001 - what it may be is the question
        status = f"raised: {traceback.format_exc()[-3000:]}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return {
        "status": status,
        "seconds": round(time.monotonic() - start, 3),
        "peak": _peak_bytes(),
        "errors": errors.getvalue()[-3000:],
        "output": output.getvalue(),
    }


def main() -> None:
    folder, seconds = Path(sys.argv[1]), float(sys.argv[2])
    signal.signal(signal.SIGALRM, _out_of_time)
    knowledge = _KeptKnowledge()
    runtime_knowledge.RuntimeKnowledge = lambda *_arguments: knowledge  # type: ignore[assignment,misc]
    models = sorted(path for path in folder.iterdir() if path.suffix in (".onnx", ".ort"))
    for number, path in enumerate(models):
        commands = [["graph", str(path), "--json", "--svg", str(folder / "picture.svg")]]
        if number % FIXED_EVERY == 0:
            commands.append(["fix", str(path)])
        for command in commands:
            row = {"file": path.name, "verb": command[0], **run(command, seconds)}
            print(json.dumps(row), flush=True)  # noqa: T201 - what the test reads
    knowledge.end()
    peak = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"file": "", "verb": "workers", "peak": peak}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
