"""Machines and workspaces on which the studio cannot work: clear words, exit 2, nothing half-written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.limits import tiny_disk
from tests.support.trust import trust
from tests.support.workspaces import ROOT, CommandResult, TestWorkspace, command_environment, run_command

NOBODY = "65534"


@pytest.fixture
def workspace(fresh_workspace: TestWorkspace) -> TestWorkspace:
    fresh_workspace.add("relu6_scale", "relu6_scale")
    return fresh_workspace


def files_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def assert_refused(result: CommandResult, *words: str) -> None:
    assert result.status == 2, result.output + result.errors
    for word in words:
        assert word in result.errors
    assert "Traceback" not in result.errors


def test_that_a_missing_compiler_is_told_with_what_to_install(workspace: TestWorkspace, tmp_path: Path) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    environment = {"PATH": str(empty), "CXX": ""}

    result = run_command("-C", str(workspace.root), "check", "relu6_scale", environment=environment)

    assert_refused(result, "BLD005", "C++ compiler", "apt install g++")


def test_that_a_named_compiler_which_is_not_there_is_told(workspace: TestWorkspace) -> None:
    with (workspace.root / "opstudio.toml").open("a", encoding="utf-8") as file:
        file.write('[build]\ncompiler = "no-such-compiler"\n')

    assert_refused(workspace.run("check", "relu6_scale"), "no-such-compiler")


def test_that_missing_frameworks_are_told_with_what_to_install(workspace: TestWorkspace, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    with (workspace.root / "opstudio.toml").open("a", encoding="utf-8") as file:
        file.write(f'[environment]\npython = "{tmp_path}/bare/bin/python"\n')

    result = workspace.run("check", "relu6_scale", "--json")

    assert_refused(result, "numpy, torch, onnx, onnxruntime", "pip install numpy torch onnx onnxruntime")
    assert result.document["error"] is True
    assert result.document["findings"][0]["id"] == "STU003"


def test_that_an_interpreter_which_is_not_there_is_told(workspace: TestWorkspace) -> None:
    with (workspace.root / "opstudio.toml").open("a", encoding="utf-8") as file:
        file.write('[environment]\npython = "/nowhere/python"\n')

    assert_refused(workspace.run("check", "relu6_scale"), "/nowhere/python", "[environment] python")


@pytest.mark.parametrize("command", [("check", "x"), ("list",), ("build", "x"), ("new", "x"), ("watch",)])
def test_that_a_folder_which_is_no_workspace_is_told(tmp_path: Path, command: tuple[str, ...]) -> None:
    result = run_command("-C", str(tmp_path), *command)

    assert_refused(result, f"{tmp_path} is not a workspace", "opstudio init")
    assert files_of(tmp_path) == set()


def test_that_a_folder_which_is_not_there_is_told(tmp_path: Path) -> None:
    assert_refused(run_command("-C", str(tmp_path / "gone"), "check", "x"), "there is no such folder")


@pytest.mark.parametrize("verb", ["list", "doctor", "graph"])
def test_that_a_current_folder_which_is_gone_is_told(tmp_path: Path, verb: str) -> None:
    arguments = [verb, "/model.onnx"] if verb == "graph" else [verb]
    script = "import os, runpy, sys; os.rmdir(os.getcwd()); runpy.run_module('opstudio', run_name='__main__')"
    (tmp_path / "gone").mkdir()
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, *arguments],
        cwd=tmp_path / "gone",
        env=command_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "The current folder is gone" in done.stderr
    assert "Traceback" not in done.stderr


def test_that_an_unknown_operator_brings_the_nearest_name(workspace: TestWorkspace) -> None:
    assert_refused(workspace.run("check", "relu_scale"), "There is no operator relu_scale", "relu6_scale")


def test_that_an_unknown_stage_brings_the_nearest_name(workspace: TestWorkspace) -> None:
    assert_refused(workspace.run("check", "relu6_scale", "--only", "valeu"), "There is no stage valeu", "value")


def test_that_a_wrong_contract_is_exit_two_and_the_others_are_still_checked(workspace: TestWorkspace) -> None:
    workspace.add("relu6_scale", "broken", ("contract.toml", 'name = "scale"', 'nmae = "scale"'))

    result = workspace.run("check", "--all", "--only", "value", "--json")

    verdicts = {operator["name"]: operator["verdict"] for operator in result.document["operators"]}
    assert result.status == 2
    assert verdicts == {"broken": "bad", "relu6_scale": "good"}


def test_that_a_workspace_of_somebody_else_is_left_alone(workspace: TestWorkspace, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("changing to an ordinary user needs root")
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed")
    prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    for folder in (tmp_path, *tmp_path.parents):
        if folder == folder.parent:
            break
        if not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)
    reads = subprocess.run([*prefix, sys.executable, "-c", "import opstudio"], env=command_environment(), check=False)
    if reads.returncode != 0:
        pytest.skip("an ordinary user cannot read this checkout or its Python")
    before = files_of(workspace.root)

    result = run_command("-C", str(workspace.root), "check", "relu6_scale", prefix=prefix)

    assert_refused(result, "cannot be written", "Copy it to a folder of your own")
    assert files_of(workspace.root) == before
    listed = run_command("-C", str(workspace.root), "list", prefix=prefix)
    assert listed.status == 0, listed.errors


def test_that_a_full_disk_is_told_and_loses_nothing(workspace: TestWorkspace, tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk", kibibytes=256) as disk:
        shutil.copytree(workspace.root, disk / "workspace", ignore=shutil.ignore_patterns(".opstudio"))
        trust(disk / "workspace")
        before = {path: path.read_bytes() for path in (disk / "workspace").rglob("*") if path.is_file()}

        result = run_command("-C", str(disk / "workspace"), "check", "relu6_scale")

        # Whoever writes first finds out, the compiler or the studio: either way it is not the compiler's fault.
        assert_refused(result, "the disk is full")
        for path, content in before.items():
            assert path.read_bytes() == content
        parts = [path for path in (disk / "workspace").rglob("*") if path.suffix == ".part"]
        assert parts == []


def test_that_a_path_with_spaces_and_chinese_characters_is_a_path_like_any_other(
    tmp_path: Path, built_artifacts: Path
) -> None:
    workspace = TestWorkspace(tmp_path / "我的 算子" / "work space")
    shutil.copytree(built_artifacts, workspace.root / ".opstudio" / "artifacts")
    workspace.add("relu6_scale", "relu6_scale")

    assert workspace.check("relu6_scale", "--skip", "speed,concurrency").verdict == "good"


def test_that_the_help_imports_no_framework() -> None:
    script = "import sys; sys.argv = ['opstudio', '--help']\nfrom opstudio.cli.main import main\n"
    script += "try:\n    main()\nexcept SystemExit:\n    pass\n"
    script += "print([name for name in ('torch', 'onnx', 'numpy', 'PySide6', 'rich') if name in sys.modules])"

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=command_environment(), cwd=ROOT
    )

    assert done.stdout.strip().endswith("[]")
