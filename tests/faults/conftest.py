"""One workspace for all faults of a session: the hosts are built in it once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.workspaces import TestWorkspace


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> TestWorkspace:
    made = TestWorkspace(Path(tmp_path_factory.mktemp("faults")) / "workspace")
    made.add("relu6_scale", "warm")
    assert made.check("warm", "--only", "build").verdict == "good"
    return made
