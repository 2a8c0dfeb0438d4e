"""The test operators, loaded once: what is registered with PyTorch stays registered."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.loaded_operators import LoadedOperators, load_operators
from tests.support.workspaces import OPERATORS, TestWorkspace


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> LoadedOperators:
    workspace = TestWorkspace(tmp_path_factory.mktemp("loaded") / "workspace")
    shutil.copytree(built_artifacts, workspace.root / ".opstudio" / "artifacts")
    for folder in sorted(OPERATORS.iterdir()):
        workspace.add(folder.name, folder.name)
    return load_operators(workspace.root)
