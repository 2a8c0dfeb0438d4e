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

from opstudio.qt.perspective import find_perspectives
from tests.qt.events import OPERATOR
from tests.support.workspaces import ROOT, TestWorkspace

KEPT = ("operator", "line", "size", "history")
"""What is where it was in the next session."""
LIMIT_SECONDS = 240.0
XVFB, XDOTOOL = shutil.which("Xvfb"), shutil.which("xdotool")
pytestmark = pytest.mark.skipif(
    XVFB is None or XDOTOOL is None,
    reason="Xvfb or xdotool is not installed (packaging/test installs them where it may)",
)


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A display of its own."""
    reading, writing = os.pipe()
    command = [str(XVFB), "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
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

    def workers(self) -> set[int]:
        """Return the processes that the window itself started."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        every = {int(pid) for task in children.parents[1].glob("*/children") for pid in task.read_text().split()}
        return {pid for pid in every if "bootstrap" in Path(f"/proc/{pid}/cmdline").read_text()}

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
        subprocess.run([str(XDOTOOL), *arguments], env=self._environment, check=True, timeout=60)


@pytest.fixture
def workspace(tmp_path: Path, built_artifacts: Path) -> TestWorkspace:
    """A workspace with one operator, in which the hosts need not be built."""
    made = TestWorkspace(tmp_path / "myops")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    made.add(OPERATOR, OPERATOR)
    return made


@pytest.fixture
def person(display: str, workspace: TestWorkspace, tmp_path: Path) -> Iterator[Person]:
    """The first session in a window that nobody used before."""
    person = Person(display, workspace.root, tmp_path / "settings")
    yield person
    person.stop()


def go_to_line(person: Person, file: str, line: int) -> None:
    """Open a file by its name, and a line by its number."""
    person.press("ctrl+p")
    person.wait(lambda state: state["picker"])
    person.type(file)
    person.press("Return")
    person.wait(lambda state: state["file"] == file and not state["picker"])
    person.press("ctrl+g")
    person.wait(lambda state: state["picker"])
    person.type(str(line))
    person.press("Return")
    person.wait(lambda state: state["line"] == line)


def wait_for_verdict(person: Person, verdict: str) -> dict[str, Any]:
    return person.wait(lambda state: state["verdict"] == verdict and state["is_new"])


def kill_worker(person: Person) -> None:
    """Kill the worker between two checks: the next check has another one."""
    person.wait(lambda state: state["activity"] == "IDLE")
    first = person.workers()
    assert first
    for worker in first:
        os.kill(worker, signal.SIGKILL)
    person.press("F5")
    person.wait(lambda state: state["activity"] == "RUNNING")
    wait_for_verdict(person, "good")
    assert not person.workers() & first


def test_that_a_session_of_real_keys_goes_from_good_over_bad_to_good_and_comes_back(
    display: str, person: Person, workspace: TestWorkspace, tmp_path: Path
) -> None:
    kernel = workspace.root / OPERATOR / f"{OPERATOR}.cpp"
    before = kernel.read_text(encoding="utf-8")
    line = workspace.line(OPERATOR, kernel.name, "return std::min(")
    wait_for_verdict(person, "good")
    # Break the kernel: the error stands at its line.
    go_to_line(person, kernel.name, line)
    person.press("End")
    person.type(" oops")
    person.wait(lambda state: state["modified"] and state["text"].endswith("oops"))
    person.press("ctrl+s")
    assert wait_for_verdict(person, "bad")["stages"]["build"] == "bad"
    shown = person.wait(lambda state: any(at in (line, line + 1) for at, _ in state["marks"]))
    assert any(finding.startswith("BLD") for _, finding in shown["marks"])
    # Mend it.
    person.press(*["BackSpace"] * len(" oops"))
    person.press("ctrl+s")
    assert wait_for_verdict(person, "good")["stages"]["value"] == "good"
    person.wait(lambda state: state["marks"] == [])
    assert kernel.read_text(encoding="utf-8") == before
    kill_worker(person)
    # Leave everything in another place than at first, and find it there again.
    number = [perspective.id for perspective in find_perspectives()].index("history") + 1
    person.press(f"ctrl+{number}")
    left = person.wait(lambda state: state["perspective"] == "history")
    person.press("ctrl+q")
    assert person.end() == 0
    again = Person(display, workspace.root, tmp_path / "settings")
    try:
        found = again.wait(lambda state: state["perspective"] == "history" and state["file"] == kernel.name)
        assert {what: found[what] for what in KEPT} == {what: left[what] for what in KEPT}
        again.press("ctrl+q")
        assert again.end() == 0
    finally:
        again.stop()
