"""The real window on a virtual display, driven by real key presses: a session as a person has it."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.workspaces import ROOT, TestWorkspace

OPERATOR = "relu6_scale"
LIMIT_SECONDS = 60.0
pytestmark = pytest.mark.skipif(
    shutil.which("Xvfb") is None or shutil.which("xdotool") is None,
    reason="Xvfb or xdotool is not installed (packaging/test installs them where it may)",
)


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A display of its own."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL, start_new_session=True)
    os.close(writing)
    with os.fdopen(reading) as numbers:
        number = numbers.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()


class Person:
    """Starts the window, presses keys, and looks at what it shows."""

    def __init__(self, display: str, workspace: Path, settings: Path) -> None:
        environment = {
            **os.environ,
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "XDG_CONFIG_HOME": str(settings),
            "PYTHONPATH": os.pathsep.join((str(ROOT / "app"), str(ROOT))),
        }
        environment.pop("WAYLAND_DISPLAY", None)
        self._environment = environment
        self._states: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.driven_window", str(workspace)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.state: dict[str, Any] = {}
        self.wait(lambda state: state["file"] is not None)
        # Without a window manager nobody gives the window the keyboard.
        self._xdotool("windowfocus", "--sync", str(self.state["window"]))

    def press(self, *keys: str) -> None:
        """Press keys, by the names of X: ``ctrl+s``, ``Return``."""
        self._xdotool("key", "--clearmodifiers", "--delay", "30", *keys)

    def type(self, text: str) -> None:
        """Type a text, key by key."""
        self._xdotool("type", "--clearmodifiers", "--delay", "20", text)

    def wait(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the window is in a state."""
        last = time.monotonic() + LIMIT_SECONDS
        while not (self.state and condition(self.state)):
            try:
                state = self._states.get(timeout=max(last - time.monotonic(), 0.0))
            except queue.Empty:
                pytest.fail(f"the window never came to the state; it is {self.state}")
            assert state is not None, f"the window ended; its last state was {self.state}"
            self.state = state
        return self.state

    def workers(self) -> list[int]:
        """Return the processes of the window's worker."""
        listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True)
        rows = [line.split(None, 2) for line in listed.stdout.splitlines()[1:]]
        own = {self.process.pid}
        found: list[int] = []
        for pid, parent, arguments in rows:
            if int(parent) in own and "bootstrap" in arguments:
                found.append(int(pid))
        return found

    def end(self) -> int:
        """Wait for the end of the window."""
        status = self.process.wait(timeout=60)
        self._reader.join()
        return status

    def stop(self) -> None:
        """End whatever is left."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._states.put(json.loads(line))
        self._states.put(None)

    def _xdotool(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self._environment, check=True, timeout=60)


def test_that_a_session_of_real_keys_leads_from_a_fault_to_a_good_verdict_and_back_to_the_same_view(
    display: str, tmp_path: Path, built_artifacts: Path
) -> None:
    workspace = TestWorkspace(tmp_path / "myops")
    shutil.copytree(built_artifacts, workspace.root / ".opstudio" / "artifacts")
    workspace.add(OPERATOR, OPERATOR)
    kernel = workspace.root / OPERATOR / f"{OPERATOR}.cpp"
    before = kernel.read_text(encoding="utf-8")
    line = workspace.line(OPERATOR, kernel.name, "return std::min(")
    person = Person(display, workspace.root, tmp_path / "settings")
    try:
        person.wait(lambda state: state["verdict"] == "good" and state["is_new"])
        # Open the kernel by name, go to a line, break it, save.
        person.press("ctrl+p")
        person.wait(lambda state: state["picker"])
        person.type("relu6_scale.cpp")
        person.press("Return")
        person.wait(lambda state: state["file"] == kernel.name and not state["picker"])
        person.press("ctrl+g")
        person.wait(lambda state: state["picker"])
        person.type(str(line))
        person.press("Return")
        person.wait(lambda state: state["line"] == line)
        person.press("End")
        person.type(" oops")
        person.wait(lambda state: state["modified"] and state["text"].endswith("oops"))
        person.press("ctrl+s")
        broken = person.wait(lambda state: state["verdict"] == "bad" and state["is_new"])
        assert broken["stages"]["build"] == "bad"
        shown = person.wait(lambda state: any(at in (line, line + 1) for at, _ in state["marks"]))
        assert any(finding.startswith("BLD") for _, finding in shown["marks"])
        # Mend it.
        person.press(*["BackSpace"] * len(" oops"))
        person.press("ctrl+s")
        mended = person.wait(lambda state: state["verdict"] == "good" and state["is_new"])
        assert mended["stages"]["value"] == "good"
        person.wait(lambda state: state["marks"] == [])
        assert kernel.read_text(encoding="utf-8") == before
        # The worker dies; the next check has another one.
        person.wait(lambda state: state["activity"] == "IDLE")
        first = person.workers()
        assert first
        for worker in first:
            os.kill(worker, signal.SIGKILL)
        person.press("F5")
        person.wait(lambda state: state["activity"] == "RUNNING")
        person.wait(lambda state: state["verdict"] == "good" and state["is_new"])
        assert not set(person.workers()) & set(first)
        # Leave everything in another place than at first, and find it there again.
        person.press("ctrl+2")
        person.wait(lambda state: state["perspective"] == "history")
        left = person.state
        person.press("ctrl+q")
        assert person.end() == 0
    finally:
        person.stop()
    person = Person(display, workspace.root, tmp_path / "settings")
    try:
        again = person.wait(lambda state: state["perspective"] == "history" and state["file"] == kernel.name)
        for what in ("operator", "line", "geometry", "history"):
            assert again[what] == left[what], what
        person.press("ctrl+q")
        assert person.end() == 0
    finally:
        person.stop()
