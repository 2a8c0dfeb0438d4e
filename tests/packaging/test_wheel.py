"""The wheel and the source distribution: what is in them, and that the wheel alone is a studio."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from opstudio import __version__
from tests.packaging.project_copy import PROJECT, copy_project

TREES = ("kernels", "plugins", "ascend", "resources")


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both distributions from a copy of the project that has been worked in."""
    folder = tmp_path_factory.mktemp("distributions")
    project = copy_project(folder / "project")
    for place in ("kernels/.opstudio/artifacts/kernel.so", "app/opstudio/__pycache__/left.cpython-311.pyc"):
        (project / place).parent.mkdir(parents=True, exist_ok=True)
        (project / place).write_bytes(b"state")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=project, check=True)
    return folder


@pytest.fixture(scope="module")
def wheel_files(distributions: Path) -> set[str]:
    with zipfile.ZipFile(next(distributions.glob("*.whl"))) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def installed(distributions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel, and nothing else, into a folder."""
    target = tmp_path_factory.mktemp("installed")
    wheel = next(distributions.glob("*.whl"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*command, str(wheel)], check=True)
    return target


def run_from(source: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the root folder, with the packages of one folder before all others."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False)


def files_of(folder: Path) -> set[str]:
    """Return the files of a folder of the checkout, less what work in it leaves behind."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in paths if not {"__pycache__", ".opstudio"} & set(path.parts)}


def test_that_the_wheel_holds_every_module_of_the_package(wheel_files: set[str]) -> None:
    modules = {f"opstudio/{path}" for path in files_of(PROJECT / "app" / "opstudio")}
    packed = {path for path in wheel_files if path.startswith("opstudio/") and not path.startswith("opstudio/_data/")}
    assert packed == modules


@pytest.mark.parametrize("tree", TREES)
def test_that_the_wheel_holds_every_data_tree(wheel_files: set[str], tree: str) -> None:
    prefix = f"opstudio/_data/{tree}/"
    expected = {f"{prefix}{path}" for path in files_of(PROJECT / tree)}
    assert expected
    assert {path for path in wheel_files if path.startswith(prefix)} == expected


def test_that_the_wheel_holds_a_contract_and_no_state_and_no_tests(wheel_files: set[str]) -> None:
    assert "opstudio/_data/kernels/relu6_scale/contract.toml" in wheel_files
    assert [path for path in wheel_files if ".opstudio" in path or "__pycache__" in path or "tests/" in path] == []
    assert {path.split("/")[0] for path in wheel_files} == {"opstudio", f"opstudio-{__version__}.dist-info"}


def test_that_the_source_distribution_can_be_set_up_and_tested(distributions: Path) -> None:
    with tarfile.open(next(distributions.glob("*.tar.gz"))) as archive:
        paths = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"LICENSE", "README.md", "constraints.txt", "packaging/run", "packaging/setup.sh", "packaging/test"}
    assert needed | {"app/opstudio/__init__.py", "tests/packaging/test_wheel.py"} <= paths
    assert [path for path in paths if ".opstudio/" in path or "__pycache__" in path] == []


def test_that_the_installed_wheel_uses_its_own_data(installed: Path) -> None:
    script = "import opstudio; print(opstudio.__file__)\n"
    script += f"from opstudio.base.assets import asset_root\nfor tree in {TREES}: print(asset_root(tree))"
    outcome = run_from(installed, "-c", script)
    package = installed / "opstudio"
    expected = [package / "__init__.py", *(package / "_data" / tree for tree in TREES)]
    assert [Path(line) for line in outcome.stdout.splitlines()] == expected


def test_that_the_installed_wheel_has_the_commands_of_the_checkout(installed: Path) -> None:
    outcome = run_from(installed, "-m", "opstudio", "--help")
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert outcome.stdout == run_from(PROJECT / "app", "-m", "opstudio", "--help").stdout


def test_that_the_installed_wheel_reads_its_samples_from_a_copy(installed: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "mine"
    shutil.copytree(installed / "opstudio" / "_data" / "kernels", workspace)
    outcome = run_from(installed, "-m", "opstudio", "-C", str(workspace), "check", "relu6_scal")
    assert outcome.returncode == 2
    assert "relu6_scale" in outcome.stderr
