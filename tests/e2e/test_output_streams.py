"""What the command line prints where it can hardly print, and what scripts read of it when things go wrong."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.workspaces import TestWorkspace, command_environment, run_command

OPSTUDIO = f"{sys.executable} -m opstudio"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("streams") / "workspace")
    made.add("relu6_scale", "relu6_scale")
    made.add("relu6_scale", "broken", ("contract.toml", 'name = "scale"', 'nmae = "scale"'))
    return made


def run_shell(workspace: TestWorkspace, script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", script],
        cwd=workspace.root,
        env=command_environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def caught_signals(pid: int) -> int:
    """Return the mask of the signals for which a process has handlers. Source: proc(5)."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("SigCgt:")), 16)


@pytest.mark.parametrize(
    "arguments", [("check", "--nope"), ("nope",), ("check", "x", "--only"), ("gui", "--size", "1")]
)
def test_that_wrong_arguments_are_one_document_too(arguments: tuple[str, ...]) -> None:
    result = run_command(*arguments, "--json")

    assert result.status == 2
    assert result.document["error"] is True
    assert result.document["findings"][0]["id"] == "STU002"
    assert result.document["findings"][0]["cause"] in result.errors.replace("\n", " ")
    assert result.errors.startswith("usage: opstudio")


@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.4, 1.0])
@pytest.mark.parametrize("as_json", [False, True])
def test_that_an_early_interruption_is_told_in_order(
    workspace: TestWorkspace, seconds: float, *, as_json: bool
) -> None:
    arguments = ["check", "relu6_scale", *(["--json"] if as_json else [])]
    process = subprocess.Popen(
        [sys.executable, "-m", "opstudio", "-C", str(workspace.root), *arguments],
        env=command_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    # Before its first line runs, nobody can tell an interpreter what to do.
    while not caught_signals(process.pid) & 1 << (signal.SIGTERM - 1):
        time.sleep(0.005)
    time.sleep(seconds - 0.1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)

    assert process.returncode == 130
    assert errors == "cancelled\n"
    if as_json:
        assert json.loads(output)["cancelled"] is True


@pytest.mark.parametrize("verb", ["list", "list --json", "--help", "check broken", "check broken --json"])
@pytest.mark.parametrize(("target", "reason"), [(">&-", "closed"), (">/dev/full", "No space left")])
def test_that_output_which_cannot_be_written_is_one_line(
    workspace: TestWorkspace, verb: str, target: str, reason: str
) -> None:
    result = run_shell(workspace, f"{OPSTUDIO} {verb} {target}")

    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert reason in result.stderr


def test_that_a_reader_who_has_seen_enough_is_no_good_verdict(workspace: TestWorkspace) -> None:
    result = run_shell(workspace, f"{OPSTUDIO} check broken relu6_scale | true")

    assert result.returncode in (1, 2)
    assert "Traceback" not in result.stderr
    assert "BrokenPipe" not in result.stderr


def test_that_a_closed_standard_error_changes_nothing(workspace: TestWorkspace) -> None:
    assert run_shell(workspace, f"{OPSTUDIO} list 2>&-").stdout == run_shell(workspace, f"{OPSTUDIO} list").stdout


def test_that_an_ascii_terminal_gets_ascii(workspace: TestWorkspace) -> None:
    variables = {"PYTHONIOENCODING": "ascii"}
    command = run_command("-C", str(workspace.root), "check", "broken", environment=variables)
    document = run_command("-C", str(workspace.root), "check", "broken", "--json", environment=variables)

    assert command.status == document.status == 2
    assert command.output.isascii()
    assert "  x contract" in command.output
    assert document.output.isascii()
    assert document.document["operators"][0]["name"] == "broken"
