"""Ctrl-C, and being killed at any moment: nobody is left behind, nothing is lost."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from onnx import TensorProto, helper, save_model

from tests.support.workspaces import TestWorkspace, command_environment


@pytest.fixture
def workspace(fresh_workspace: TestWorkspace) -> TestWorkspace:
    fresh_workspace.add("relu6_scale", "relu6_scale")
    return fresh_workspace


def start(workspace: TestWorkspace, *arguments: str, mark: str) -> subprocess.Popen[str]:
    """Start the command line; ``mark`` is a variable by which all that it starts can be told."""
    return subprocess.Popen(
        [sys.executable, "-m", "opstudio", "-C", str(workspace.root), *arguments],
        env={**command_environment(), "OPSTUDIO_TEST_MARK": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def marked_processes(mark: str) -> set[int]:
    found: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
            state = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(") ")[2][:1]
        except OSError:
            continue
        if f"OPSTUDIO_TEST_MARK={mark}".encode() in environment and state != "Z":
            found.add(int(folder.name))
    return found


def assert_nobody_left(mark: str) -> None:
    deadline = time.monotonic() + 10
    while (left := marked_processes(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == set()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("seconds", [1.0, 2.5, 5.0])
def test_that_an_interrupted_check_ends_in_order(
    workspace: TestWorkspace, number: signal.Signals, seconds: float
) -> None:
    mark = f"{os.getpid()}-{number}-{seconds}"
    process = start(workspace, "check", "relu6_scale", "--fresh", mark=mark)
    time.sleep(seconds)
    assert process.poll() is None
    process.send_signal(number)

    _, errors = process.communicate(timeout=15)

    assert process.returncode == 130, errors
    assert "cancelled" in errors
    assert_nobody_left(mark)


def test_that_an_interrupted_compilation_leaves_no_compiler(workspace: TestWorkspace) -> None:
    source = workspace.root / "relu6_scale" / "relu6_scale.cpp"
    slow = "template <int N> struct S { static constexpr long v = S<N - 1>::v + S<N - 2>::v * 0 + 1; };\n"
    slow += "template <> struct S<0> { static constexpr long v = 0; };\ntemplate <> struct S<-1> : S<0> {};\n"
    slow += "template <int... I> long sum(std::integer_sequence<int, I...>) { return (S<I % 800>::v + ... + 0L); }\n"
    slow += "long value = sum(std::make_integer_sequence<int, 200000>());\n"
    source.write_text("#include <utility>\n" + slow + source.read_text(encoding="utf-8"), encoding="utf-8")
    mark = f"{os.getpid()}-compiler"
    process = start(workspace, "build", "relu6_scale", mark=mark)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and len(marked_processes(mark)) < 3:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=15)

    assert process.returncode == 130, errors
    assert_nobody_left(mark)
    assert list((workspace.root / ".opstudio" / "artifacts").glob(".building-*")) == []


def test_that_an_interrupted_watch_ends_with_the_workers(workspace: TestWorkspace) -> None:
    mark = f"{os.getpid()}-watch"
    process = start(workspace, "watch", "relu6_scale", "--json", mark=mark)
    assert process.stdout is not None
    for line in process.stdout:
        if '"verdict_reached"' in line:
            break
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=15)

    assert process.returncode == 130
    assert_nobody_left(mark)


def test_that_a_studio_killed_at_any_moment_loses_nothing(workspace: TestWorkspace) -> None:
    for index, seconds in enumerate((0.2, 0.7, 1.5, 2.5, 4.0, 6.0)):
        mark = f"{os.getpid()}-killed-{index}"
        process = start(workspace, "check", "relu6_scale", "--fresh", mark=mark)
        time.sleep(seconds)
        process.kill()
        process.communicate(timeout=15)
        assert_nobody_left(mark)

    result = workspace.check("relu6_scale")

    assert (result.status, result.verdict) == (0, "good")


@pytest.mark.parametrize("verb", ["graph", "fix"])
def test_that_thousands_of_findings_end_in_the_middle(verb: str, fresh_workspace: TestWorkspace) -> None:
    count, model = 5000, fresh_workspace.root / "unknown.onnx"
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("v0", f"v{count}")]
    nodes = [helper.make_node(f"Unknown{index}", [f"v{index}"], [f"v{index + 1}"]) for index in range(count)]
    graph = helper.make_graph(nodes, "unknown", values[:1], values[1:])
    save_model(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(model))

    process = start(fresh_workspace, verb, str(model), mark=f"{os.getpid()}-{verb}")
    assert process.stdout is not None
    # What is not read soon fills so small a pipe: the command stands in the middle of its answer.
    size = fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
    text = ""
    while "error" not in text:
        text += os.read(process.stdout.fileno(), 1).decode()
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=15)

    assert (process.returncode, errors.strip()) == (130, "cancelled")
    assert len(text + output) < size + 8192
    assert "more; --json has all of them" not in output
