"""Windows on workspaces with models, at work or only shown."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from opstudio.qt.language import Language
from opstudio.qt.main_window import MainWindow
from opstudio.qt.theme.theme import Theme
from opstudio.workspace.folder import open_workspace
from tests.qt.export_panel.explained import MODELS
from tests.support.workspaces import TestWorkspace


@pytest.fixture
def models_workspace(tmp_path: Path, built_artifacts: Path) -> TestWorkspace:
    """A workspace with a file of models and no operator."""
    made = TestWorkspace(tmp_path / "myops")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    (made.root / "models").mkdir()
    (made.root / "models" / "nets.py").write_text(MODELS, encoding="utf-8")
    return made


@pytest.fixture
def operators_workspace(models_workspace: TestWorkspace) -> TestWorkspace:
    """The same with two operators."""
    models_workspace.add("relu6_scale", "relu6_scale")
    models_workspace.add("relu6_scale", "other_scale")
    return models_workspace


@pytest.fixture
def live(theme: Theme, language: Language, models_workspace: TestWorkspace) -> Iterator[MainWindow]:
    """A window at work on the workspace as it is by then."""
    window = MainWindow(open_workspace(models_workspace.root), theme, language)
    window.resize(1440, 900)
    window.show()
    window.start()
    yield window
    window.close_at_once()
    window.deleteLater()
