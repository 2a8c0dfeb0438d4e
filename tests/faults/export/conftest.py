"""One workspace for all export faults."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.faults.export.seeding import ExportWorkspace


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> ExportWorkspace:
    """Return a workspace with an operator that both exporters write well."""
    return _workspace(tmp_path_factory.mktemp("exports"), built_artifacts)


@pytest.fixture(scope="session")
def twin(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> ExportWorkspace:
    """Return another workspace of the same kind, in which faults are mended meanwhile."""
    return _workspace(tmp_path_factory.mktemp("mended"), built_artifacts)


def _workspace(folder: Path, artifacts: Path) -> ExportWorkspace:
    workspace = ExportWorkspace(folder / "workspace")
    shutil.copytree(artifacts, workspace.root / ".opstudio" / "artifacts")
    workspace.add_clipped()
    return workspace
