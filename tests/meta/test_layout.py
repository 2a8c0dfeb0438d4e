"""What the tree of the project promises, and what starting the command line costs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = PROJECT / "app" / "opstudio"

TOP_LEVEL = {
    *(".ci", ".gitignore", "app", "ascend", "kernels", "packaging", "plugins", "resources", "tests"),
    *("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "README.zh.md"),
    *("constraints.txt", "pyproject.toml"),
}
HEAVY = ("PySide6", "onnx", "onnxruntime", "onnxscript", "pyqtgraph", "shiboken6", "torch")


def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd="/", capture_output=True, text=True, check=False
    )


def test_that_the_top_level_holds_only_the_agreed_names() -> None:
    if not (PROJECT / ".git").exists():
        pytest.skip("only a git checkout knows which files belong to the project")
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    names = {path.split("/")[0] for path in listed.stdout.split("\0") if path}
    assert names - TOP_LEVEL == set()


def test_that_source_and_data_folders_are_not_packages() -> None:
    # An __init__.py in packaging/ would hide the library of that name from pip and pytest.
    data = [path for name in ("ascend", "kernels", "packaging", "plugins", "resources") for path in [PROJECT / name]]
    found = [path for folder in data for path in folder.rglob("__init__.py") if ".opstudio" not in path.parts]
    assert found == []
    assert not (PROJECT / "app" / "__init__.py").exists()


def test_that_every_folder_of_the_package_with_modules_is_a_package() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_that_the_core_imports_without_qt_and_frameworks() -> None:
    parts = [path.relative_to(PACKAGE.parent).with_suffix("").parts for path in sorted(PACKAGE.rglob("*.py"))]
    modules = [
        ".".join(part).removesuffix(".__init__") for part in parts if "qt" not in part and "__main__" not in part
    ]
    script = f"""
import importlib, sys
sys.modules.update(dict.fromkeys({HEAVY}))
for name in {modules}:
    try:
        importlib.import_module(name)
    except ImportError as error:
        print(name, error)
"""
    outcome = run_python("-c", script)
    assert len(modules) > 100
    assert (outcome.stdout, outcome.stderr, outcome.returncode) == ("", "", 0)


def test_that_the_help_is_printed_without_loading_heavy_packages() -> None:
    outcome = run_python("-X", "importtime", "-m", "opstudio", "--help")
    imported = {line.rpartition("|")[2].strip().split(".")[0] for line in outcome.stderr.splitlines()}
    assert outcome.returncode == 0
    assert "opstudio" in imported
    assert imported & {*HEAVY, "jinja2", "numpy"} == set()
