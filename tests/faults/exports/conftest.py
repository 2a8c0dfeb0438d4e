"""One workspace without operators for all explanations of a session; its workers start once."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from opstudio.worker.pool import WorkerPool
from opstudio.workflows.studio import WARM_UP_ENTRIES, Studio
from opstudio.workspace.folder import open_workspace
from tests.faults.exports.explaining import Explainer
from tests.support.workspaces import ROOT, TestWorkspace


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> TestWorkspace:
    """Return the workspace; models that hang are ended in it after some seconds."""
    made = TestWorkspace(tmp_path_factory.mktemp("explained") / "workspace")
    settings = made.root / "opstudio.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + "\n[limits]\nquiet_seconds = 0.2\n", encoding="utf-8")
    return made


@pytest.fixture(scope="session")
def explainer(lab: TestWorkspace) -> Iterator[Explainer]:
    with Studio(open_workspace(lab.root), warm=True) as studio:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        warm = (*WARM_UP_ENTRIES, "tests.support.worker_entries:import_exporters")
        studio.workers.close()
        studio.workers = WorkerPool(studio.python, environment=environment, warm=warm)
        yield Explainer(studio)
