"""packaging/run and packaging/test on a copy of the project, without network.

The copy's environment starts from the interpreter that runs the tests: its torch and its packages are reused, so
nothing has to be downloaded, and pip is told not to look anywhere.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opstudio import __version__
from tests.packaging.project_copy import copy_project

TOOLS = (
    *("bash", "cat", "chmod", "cksum", "cp", "cut", "dirname", "env", "find", "flock", "grep", "id", "ldd", "mkdir"),
    *("mktemp", "mv", "readlink", "rm", "sed", "sha256sum", "touch", "uname"),
)
SECONDS = 120.0


class Project:
    """A copy of the project and a user of it."""

    def __init__(self, folder: Path) -> None:
        self.root = copy_project(folder / "ein Ort 测试" / "opstudio")
        self.home = folder / "home"
        self.home.mkdir()
        # Without operators the check that stands in for the window ends at once.
        for contract in list((self.root / "kernels").glob("*/contract.toml")):
            shutil.rmtree(contract.parent)
        self.stamp = self.root / ".venv" / "opstudio-stamp"

    def environment(self, **variables: str) -> dict[str, str]:
        here = {"HOME": str(self.home), "PATH": os.environ["PATH"], "PIP_NO_INDEX": "1", "PYTHON": sys.executable}
        return {**here, **variables}

    def run(self, *command: str | Path, cwd: Path | str = "/", **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            env=self.environment(**variables),
            cwd=cwd,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )

    def start(self, *command: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @property
    def script(self) -> Path:
        return self.root / "packaging" / "run"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Set a copy of the project up, in a folder with spaces and characters beyond ASCII."""
    project = Project(tmp_path_factory.mktemp("set-up"))
    outcome = project.run(project.script, "--version")
    assert (outcome.returncode, outcome.stdout) == (0, f"opstudio {__version__}\n"), outcome.stderr
    return project


@pytest.fixture
def bare_path(tmp_path: Path) -> Path:
    """A folder of programs without a compiler, without Python and without an installer of packages."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        if path := shutil.which(tool):
            (folder / tool).symlink_to(path)
    return folder


def test_that_the_environment_runs_the_checkout(project: Project) -> None:
    outcome = project.run(project.root / ".venv/bin/python", "-P", "-c", "import opstudio; print(opstudio.__file__)")
    assert outcome.stdout.strip() == str(project.root / "app" / "opstudio" / "__init__.py")


def test_that_the_torch_of_the_interpreter_is_used(project: Project) -> None:
    script = "import importlib.util; print(importlib.util.find_spec('torch').origin)"
    outcome = project.run(project.root / ".venv/bin/python", "-c", script)
    here = importlib.util.find_spec("torch")
    assert here is not None
    assert outcome.stdout.strip() == here.origin


def test_that_a_second_call_sets_nothing_up(project: Project) -> None:
    written = project.stamp.stat().st_mtime_ns
    outcome = project.run(project.script, "--version")
    assert (outcome.stderr, project.stamp.stat().st_mtime_ns) == ("", written)


def test_that_a_link_to_the_script_leads_to_its_project(project: Project, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.symlink_to(project.script)
    second.symlink_to("first")
    outcome = subprocess.run([second, "--version"], env={}, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (outcome.stdout, outcome.stderr) == (f"opstudio {__version__}\n", "")


def test_that_commands_get_the_samples_unless_a_workspace_is_named_or_around(project: Project, tmp_path: Path) -> None:
    inside = tmp_path / "mine" / "operator"
    inside.mkdir(parents=True)
    (tmp_path / "mine" / "opstudio.toml").write_text('[workspace]\nname = "mine"\n')

    def workspace_of(*arguments: str, cwd: Path) -> str:
        outcome = project.run(project.script, *arguments, cwd=cwd)
        match = re.search(r"^ +at +(.*)$", outcome.stderr, re.MULTILINE)
        assert match, outcome.stderr
        return match[1]

    mine, samples = str(tmp_path / "mine"), str(project.root / "kernels")
    assert workspace_of("check", "absent", cwd=tmp_path) == samples
    assert workspace_of("check", "absent", cwd=inside) == mine
    assert workspace_of("-C", mine, "check", "absent", cwd=tmp_path) == mine
    assert workspace_of("check", "absent", f"-C{mine}", cwd=tmp_path) == mine


def test_that_without_a_display_the_operators_are_checked(project: Project) -> None:
    outcome = project.run(project.script)
    assert outcome.stderr.splitlines()[0].startswith("opstudio: there is no display for the window")
    assert "check --all" in outcome.stderr.splitlines()[0]


def test_that_a_change_of_the_constraints_is_taken_over(project: Project) -> None:
    before = project.stamp.read_text()
    with (project.root / "constraints.txt").open("a") as file:
        file.write("# another line\n")
    assert "set up in" in project.run(project.script, "--version").stderr
    assert project.stamp.read_text() != before


def test_that_of_two_set_ups_at_the_same_time_one_works_and_one_waits(project: Project) -> None:
    project.stamp.unlink()
    both = [project.start(project.script, "--version") for _ in range(2)]
    ends = [process.communicate(timeout=SECONDS) for process in both]
    assert [stdout for stdout, _ in ends] == [f"opstudio {__version__}\n"] * 2
    assert sorted("set up in" in stderr for _, stderr in ends) == [False, True]


def test_that_a_set_up_that_was_killed_is_made_anew(project: Project) -> None:
    project.stamp.unlink()
    process = project.start(project.script, "--version")
    unfinished = project.root / ".venv" / "opstudio-unfinished"
    limit = time.monotonic() + SECONDS
    while not unfinished.exists() and time.monotonic() < limit:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert not project.stamp.exists()
    left_behind = project.root / ".venv" / "left-behind"
    left_behind.touch()

    outcome = project.run(project.script, "--version")
    assert outcome.stdout == f"opstudio {__version__}\n"
    assert "making the environment" in outcome.stderr
    assert not left_behind.exists()


def test_that_a_read_only_project_is_used_from_the_users_own_folders(project: Project) -> None:
    as_user = []
    if os.geteuid() == 0:
        # Root without this capability is refused what permissions refuse.
        if not shutil.which("setpriv"):
            pytest.skip("needs setpriv to be refused writing as root")
        as_user = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    environment = project.root / ".venv"
    environment.rename(project.home / "set-aside")
    folders = [path for path in (project.root, *project.root.rglob("*")) if path.is_dir()]
    try:
        for folder in folders:
            folder.chmod(0o555)
        outcome = project.run(*as_user, project.script, "check", "absent")
    finally:
        for folder in folders:
            folder.chmod(0o755)
        (project.home / "set-aside").rename(environment)
    assert [path.name[:5] for path in (project.home / ".cache" / "opstudio").iterdir()] == ["venv-"]
    samples = project.home / ".local" / "share" / "opstudio" / "samples"
    assert f"at    {samples}\n" in outcome.stderr
    assert os.access(samples / "include" / "opstudio", os.W_OK)
    assert [path.name for path in samples.parent.iterdir()] == ["samples"]
    # The copy is trusted as what it was copied from.
    (trusted,) = (project.home / ".local" / "state" / "opstudio" / "trusted").iterdir()
    assert json.loads(trusted.read_text())["root"] == str(samples)


def test_that_a_missing_compiler_is_named_with_the_command_that_installs_it(project: Project, bare_path: Path) -> None:
    outcome = project.run(project.script, "--version", PATH=str(bare_path))
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert len(outcome.stderr.splitlines()) == 1
    assert "a C++ compiler" in outcome.stderr
    assert "apt-get install g++" in outcome.stderr


def test_that_a_chosen_interpreter_that_will_not_do_is_refused(tmp_path: Path) -> None:
    fresh = Project(tmp_path)
    outcome = fresh.run(fresh.script, "--version", PYTHON="/bin/false")
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("opstudio: PYTHON=/bin/false is not Python 3.11 or newer")
    assert not (fresh.root / ".venv" / "opstudio-stamp").exists()


def test_that_a_missing_python_is_named_with_the_command_that_installs_it(tmp_path: Path, bare_path: Path) -> None:
    fresh = Project(tmp_path)
    (bare_path / "g++").symlink_to("/bin/true")
    (bare_path / "addr2line").symlink_to("/bin/true")
    outcome = fresh.run(fresh.script, "--version", PATH=str(bare_path), PYTHON="")
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert len(outcome.stderr.splitlines()) == 1
    assert "Python 3.11 or newer" in outcome.stderr
    assert "apt-get install python3-venv" in outcome.stderr
