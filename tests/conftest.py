"""What many tests share: a state folder that is nobody's, and the studio's own libraries, built once a session."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.trust import state_of_tests
from tests.support.workspaces import TestWorkspace


@pytest.fixture(scope="session", autouse=True)
def state_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep what tests trust away from what people trust; commands that tests run inherit it."""
    with state_of_tests(tmp_path_factory.mktemp("state")) as folder:
        yield folder


@pytest.fixture(scope="session")
def built_artifacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of finished artifacts: both hosts and the fault recorder. To build them takes half a minute."""
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
