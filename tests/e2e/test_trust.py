"""A workspace from elsewhere asks once before anything of it is built or run; until then it can be read."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.limits import make_read_only, tiny_disk
from tests.support.workspaces import KERNELS, CommandResult, TestWorkspace, command_environment, run_command

OPERATOR = "relu6_scale"
BUILD = ("build", OPERATOR, "--backend", "native")
CHECK = ("check", OPERATOR, "--only", "reference")
FACTORY = "import torch\ndef make():\n    return torch.nn.ReLU()\ndef example_inputs():\n    return (torch.ones(2),)\n"


@dataclass(frozen=True)
class Stranger:
    """A workspace that nobody trusts yet, and a user of its own; whatever runs of it leaves a mark."""

    root: Path
    mark: Path
    state: Path

    @property
    def environment(self) -> dict[str, str]:
        return {"XDG_STATE_HOME": str(self.state)}

    def run(self, *arguments: str, root: Path | None = None) -> CommandResult:
        return run_command("-C", str(root or self.root), *arguments, environment=self.environment)

    def assert_untouched(self) -> None:
        assert not self.mark.exists(), self.mark.read_text(encoding="utf-8")
        assert not (self.root / ".opstudio").exists()


@pytest.fixture
def stranger(tmp_path: Path) -> Stranger:
    root, mark = tmp_path / "ws", tmp_path / "mark"
    shutil.copytree(KERNELS / OPERATOR, root / OPERATOR)
    for name, program in (("python", sys.executable), ("compiler", "g++")):
        script = tmp_path / name
        script.write_text(f'#!/bin/sh\necho {name} >> "{mark}"\nexec {program} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    (root / "opstudio.toml").write_text(
        f'[environment]\npython = "{tmp_path}/python"\n[build]\ncompiler = "{tmp_path}/compiler"\nflags = ["-DOWN"]\n',
        encoding="utf-8",
    )
    for file in ("reference.py", "model.py"):
        path = root / OPERATOR / file
        text = path.read_text(encoding="utf-8")
        leaves = f'import pathlib\nwith pathlib.Path(r"{mark}").open("a") as mark:\n    mark.write("{file}\\n")\n'
        head, future, rest = text.partition("from __future__ import annotations\n")
        path.write_text(head + future + leaves + rest if future else leaves + text, encoding="utf-8")
    (root / "network.py").write_text(f'open(r"{mark}", "a").write("network.py")\n{FACTORY}', encoding="utf-8")
    return Stranger(root, mark, tmp_path / "state")


def assert_refused(result: CommandResult, root: Path) -> None:
    assert (result.status, result.output) == (2, ""), result.errors
    assert f"STU007 The workspace {root} is not trusted" in result.errors
    assert "add --trust" in result.errors
    assert "Traceback" not in result.errors


@pytest.mark.parametrize(
    "command",
    [
        ("check", OPERATOR),
        ("check", "--all", "--fresh"),
        ("build", OPERATOR),
        ("build", OPERATOR, "--backend", "cuda"),
        ("build", "--all", "--release"),
        ("watch",),
        ("export", OPERATOR, "-o", "model.onnx"),
        ("export", "{root}/network.py:make", "-o", "model.onnx"),
    ],
    ids=lambda command: " ".join(command[:3]),
)
def test_that_nothing_of_it_is_built_or_run(stranger: Stranger, tmp_path: Path, command: tuple[str, ...]) -> None:
    arguments = [text.replace("{root}", str(stranger.root)) for text in command]

    result = run_command("-C", str(stranger.root), *arguments, environment=stranger.environment, cwd=tmp_path)

    assert_refused(result, stranger.root)
    stranger.assert_untouched()
    assert not (tmp_path / "model.onnx").exists()


@pytest.mark.parametrize("verb", ["check", "watch", "build"])
def test_that_a_refusal_is_one_document(stranger: Stranger, verb: str) -> None:
    result = stranger.run(verb, OPERATOR, "--json")

    assert result.status == 2
    assert result.output.count("\n") == 1
    document = json.loads(result.output)
    assert (document["schema"], document["error"]) == (f"opstudio/{verb}/1", True)
    assert [finding["id"] for finding in document["findings"]] == ["STU007"]
    stranger.assert_untouched()


@pytest.mark.parametrize("command", [("list", "--schema"), ("doctor",), ("explain", "STU007"), ("trust", "--list")])
def test_that_it_can_be_read(stranger: Stranger, command: tuple[str, ...]) -> None:
    result = stranger.run(*command)

    assert (result.status, result.errors) == (0, "")
    stranger.assert_untouched()


def test_that_the_doctor_says_whose_programs_it_left_alone(stranger: Stranger) -> None:
    parts = {part["name"]: part for part in stranger.run("doctor", "--json").document["parts"]}

    assert parts["workspace"]["version"] == "not trusted"
    assert sys.executable in parts["workspace's Python"]["version"]
    stranger.run("trust")
    trusted = {part["name"]: part for part in stranger.run("doctor", "--json").document["parts"]}
    assert "workspace" not in trusted
    assert f"({stranger.root.parent}/python)" in trusted["workspace's Python"]["version"]


def test_that_it_is_trusted_once(stranger: Stranger, built_artifacts: Path) -> None:
    shutil.copytree(built_artifacts, stranger.root / ".opstudio" / "artifacts")
    # The libraries of the studio's own were built by another compiler, and without flags.
    settings = (stranger.root / "opstudio.toml").read_text(encoding="utf-8").partition("[build]")[0]
    (stranger.root / "opstudio.toml").write_text(settings, encoding="utf-8")
    first = stranger.run(*CHECK, "--trust")
    assert first.status == 0, first.output + first.errors
    # What the other tests rely on: had anything run, it would show.
    assert {"python", "reference.py"} <= set(stranger.mark.read_text(encoding="utf-8").split())

    again = stranger.run(*CHECK, "--json")

    assert (again.status, again.document["operators"][0]["verdict"]) == (0, "good")
    assert str(stranger.root) in stranger.run("trust", "--list").output


def test_that_what_is_made_here_is_trusted(stranger: Stranger, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    assert stranger.run("init", str(mine)).status == 0
    assert stranger.run("new", "square", root=mine).status == 0

    result = stranger.run("build", "square", "--backend", "native", root=mine)

    assert result.status == 0, result.errors


def test_that_the_bundled_workspace_is_trusted(stranger: Stranger) -> None:
    # An operator that is not there: nothing is built beside the sources of this checkout.
    result = stranger.run("check", OPERATOR, "--only", "no-such-stage", root=KERNELS)
    parts = {part["name"] for part in stranger.run("doctor", "--json", root=KERNELS).document["parts"]}

    assert (result.status, "STU007" in result.errors) == (2, False)
    assert "workspace" not in parts


def test_that_samples_names_the_bundled_workspace(stranger: Stranger) -> None:
    result = stranger.run("samples", root=KERNELS)
    assert (result.status, result.output, result.errors) == (0, f"{KERNELS}\n", "")
    assert stranger.run("samples", "--json", root=KERNELS).document["workspace"] == str(KERNELS)


def move(stranger: Stranger) -> Path:
    return stranger.root.rename(stranger.root.with_name("moved"))


def replace(stranger: Stranger) -> Path:
    shutil.copytree(stranger.root, stranger.root.with_name("other"), ignore=shutil.ignore_patterns(".opstudio"))
    shutil.rmtree(stranger.root)
    return stranger.root.with_name("other").rename(stranger.root)


def damage(stranger: Stranger) -> Path:
    (record,) = stranger.state.rglob("*.json")
    record.write_bytes(record.read_bytes()[:20])
    return stranger.root


def revoke(stranger: Stranger) -> Path:
    assert stranger.run("trust", "--revoke").status == 0
    return stranger.root


@pytest.mark.parametrize("change", [move, replace, damage, revoke])
def test_that_it_asks_again_after(stranger: Stranger, change: Callable[[Stranger], Path]) -> None:
    assert stranger.run("trust").status == 0
    time.sleep(0.02)

    root = change(stranger)

    assert_refused(stranger.run(*BUILD, root=root), root)
    assert not stranger.mark.exists()
    assert stranger.run(*BUILD, "--trust", root=root).status == 0


def test_that_ordinary_work_never_asks_again(stranger: Stranger) -> None:
    stranger.run("trust")
    settings = stranger.root / "opstudio.toml"
    beside = settings.with_name("opstudio.toml.new")
    beside.write_text('[workspace]\nname = "other"\n', encoding="utf-8")
    beside.replace(settings)
    stranger.run("new", "square")

    assert stranger.run("build", "square", "--backend", "native").status == 0


def test_that_what_cannot_be_kept_holds_for_one_run(stranger: Stranger, tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk") as disk:
        make_read_only(disk)
        user = Stranger(stranger.root, stranger.mark, disk)

        first = user.run(*BUILD, "--trust")
        second = user.run(*BUILD)
        alone = user.run("trust")

    assert first.status == 0, first.errors
    assert "holds for this run only" in first.errors
    assert "the file system is read-only" in first.errors
    assert_refused(second, stranger.root)
    assert (alone.status, "read-only" in alone.errors) == (2, True)


def test_that_a_file_of_another_workspace_is_not_run_either(stranger: Stranger, fresh_workspace: TestWorkspace) -> None:
    mine = fresh_workspace.root
    stranger.run("trust", root=mine)
    export = ("export", f"{stranger.root}/network.py:make", "-o", str(mine / "model.onnx"))

    assert_refused(stranger.run(*export, root=mine), stranger.root)
    assert not stranger.mark.exists()
    assert stranger.run(*export, "--trust", root=mine).status == 0
    assert stranger.mark.read_text(encoding="utf-8").startswith("network.py")


def test_that_the_command_tells_what_is_trusted(stranger: Stranger) -> None:
    assert "none yet" in stranger.run("trust", "--list").output
    assert stranger.run("trust", "--json").document == {
        "schema": "opstudio/trust/1",
        "workspace": str(stranger.root),
        "trusted": True,
    }
    listed = stranger.run("trust", "--list", "--json").document["workspaces"]
    assert listed == [{"root": str(stranger.root), "trusted": True}]

    shutil.rmtree(stranger.root)

    listed = stranger.run("trust", "--list", "--json", root=stranger.state).document["workspaces"]
    assert listed == [{"root": str(stranger.root), "trusted": False}]
    assert stranger.run("trust", "--revoke").status == 0
    assert stranger.run("trust", "--list", "--json", root=stranger.state).document["workspaces"] == []
    assert stranger.run("trust", "--revoke").status == 2


def test_that_a_part_of_a_trusted_workspace_cannot_be_revoked_alone(stranger: Stranger) -> None:
    stranger.run("trust")
    inner = stranger.root / "inner"
    stranger.run("init", str(inner))

    result = stranger.run("trust", "--revoke", root=inner)
    bundled = stranger.run("trust", "--revoke", root=KERNELS)

    assert (result.status, bundled.status) == (2, 2)
    assert f"opstudio -C {stranger.root} trust --revoke" in result.errors
    assert "comes with the studio" in bundled.errors


@dataclass(frozen=True)
class Session:
    """What a person at a terminal saw, and how it ended."""

    status: int
    screen: str


def at_a_terminal(stranger: Stranger, answer: str | signal.Signals, *arguments: str) -> Session:
    """Run a command on a terminal of its own; the answer is given once the question is there."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "opstudio", "-C", str(stranger.root), *arguments],
        env={**command_environment(), **stranger.environment, "TERM": "dumb", "COLUMNS": "200"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    screen, answered = b"", False
    # The end of a terminal is an error on Linux.
    try:
        while part := os.read(ours, 4096):
            screen += part
            if not answered and b"[y/N]" in screen:
                answered = True
                if isinstance(answer, str):
                    os.write(ours, answer.encode())
                else:
                    process.send_signal(answer)
    except OSError:
        pass
    finally:
        os.close(ours)
    return Session(process.wait(timeout=60), screen.decode())


def test_that_somebody_at_a_terminal_is_asked_once(stranger: Stranger) -> None:
    first = at_a_terminal(stranger, "y\n", *BUILD)
    second = at_a_terminal(stranger, "", *BUILD)

    assert first.status == 0, first.screen
    assert "compiler" in stranger.mark.read_text(encoding="utf-8").split()
    assert first.screen.count("[y/N]") == 1
    for word in (
        str(stranger.root),
        f"{stranger.root.parent}/compiler -DOWN",
        f"{stranger.root.parent}/python",
        "native code",
    ):
        assert word in first.screen
    assert (second.status, "[y/N]" in second.screen) == (0, False)
    assert stranger.run(*BUILD).status == 0


@pytest.mark.parametrize("answer", ["n\n", "\n", "yess\n", "\x04"])
def test_that_any_other_answer_is_no(stranger: Stranger, answer: str) -> None:
    session = at_a_terminal(stranger, answer, *BUILD)

    assert session.status == 2, session.screen
    assert "STU007" in session.screen
    stranger.assert_untouched()
    assert not stranger.state.exists()


def test_that_the_question_can_be_interrupted(stranger: Stranger) -> None:
    session = at_a_terminal(stranger, signal.SIGINT, *BUILD)

    assert (session.status, "cancelled" in session.screen) == (130, True)
    stranger.assert_untouched()


def test_that_a_script_is_not_asked(stranger: Stranger) -> None:
    session = at_a_terminal(stranger, "y\n", *BUILD, "--json")

    assert (session.status, "[y/N]" in session.screen) == (2, False)
    assert "STU007" in session.screen


def test_that_a_name_cannot_steer_the_terminal_of_the_question(stranger: Stranger, tmp_path: Path) -> None:
    renamed = stranger.root.rename(tmp_path / "a\x1b[2Jb\nc")
    session = at_a_terminal(Stranger(renamed, stranger.mark, stranger.state), "n\n", *BUILD)

    question = session.screen.partition("[y/N]")[0]
    assert "a?[2Jb?c" in question
    assert "\x1b" not in question
