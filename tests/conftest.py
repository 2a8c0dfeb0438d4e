"""What many tests share: the studio's own libraries, which take half a minute to build, built once a session."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.workspaces import TestWorkspace


@pytest.fixture(scope="session")
def built_artifacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of finished artifacts: both hosts and the fault recorder."""
    workspace = TestWorkspace(tmp_path_factory.mktemp("hosts") / "workspace")
    workspace.add("relu6_scale", "relu6_scale")
    assert workspace.check("relu6_scale", "--only", "build").verdict == "good"
    return workspace.root / ".opstudio" / "artifacts"


@pytest.fixture
def fresh_workspace(tmp_path: Path, built_artifacts: Path) -> TestWorkspace:
    """Return an empty workspace of this test's own in which the hosts need not be built."""
    workspace = TestWorkspace(tmp_path / "workspace")
    shutil.copytree(built_artifacts, workspace.root / ".opstudio" / "artifacts")
    return workspace
