"""One workspace for all export faults."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.faults.export.seeding import ExportWorkspace


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> ExportWorkspace:
    """Return a workspace with an operator that both exporters write well, and with those that tests share."""
    workspace = ExportWorkspace(tmp_path_factory.mktemp("exports") / "workspace")
    shutil.copytree(built_artifacts, workspace.root / ".opstudio" / "artifacts")
    workspace.add_clipped()
    return workspace
