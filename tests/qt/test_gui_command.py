from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from opstudio.base.errors import SetupError
from opstudio.qt.display import require_display
from tests.support.workspaces import ROOT, TestWorkspace, run_command

PICTURE_SECONDS = 240.0


def without_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


def test_that_the_window_without_a_display_is_one_finding(
    workspace: TestWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_display(monkeypatch)
    result = run_command("gui", str(workspace.root), "--json", timeout=60.0)
    assert result.status == 2
    (finding,) = result.document["findings"]
    assert (finding["id"], finding["title"]) == ("STU003", "The window needs a display")
    assert "Could not load the Qt platform plugin" not in result.errors


@pytest.mark.parametrize("platform", ["", "xcb"])
def test_that_a_display_that_does_not_answer_is_found_out(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    without_display(monkeypatch)
    monkeypatch.setenv("DISPLAY", ":4711")
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    with pytest.raises(SetupError) as caught:
        require_display()
    assert len(caught.value.findings) == 1


def test_that_a_wayland_display_that_answers_is_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_display(monkeypatch)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-test")
    with pytest.raises(SetupError):
        require_display()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-test"))
        server.listen()
        require_display()


def test_that_a_platform_without_screen_needs_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    without_display(monkeypatch)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    require_display()


def test_that_the_command_is_known_without_qt() -> None:
    script = "import sys; sys.modules['PySide6'] = None\nfrom opstudio.cli.main import main\nmain(['gui', '--help'])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "app")}
    completed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert completed.returncode == 0
    assert "--screenshot FILE.png" in completed.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("--open", "missing.cpp"), "missing.cpp cannot be opened"), (("no/such/folder",), "is not a workspace")],
)
def test_that_what_is_not_there_is_one_finding(
    workspace: TestWorkspace, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    # Below the workspace, a folder that is not there would be taken for a part of it.
    result = run_command("-C", str(workspace.root), "gui", *arguments, cwd=tmp_path, timeout=60.0)
    assert result.status == 2
    assert said in result.errors
    assert "Traceback" not in result.errors


def test_that_a_picture_is_taken_once_there_is_a_verdict(built_workspace: TestWorkspace, tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    result = run_command(
        *("gui", str(built_workspace.root), "--screenshot", str(picture), "--size", "900x600", "--theme", "light"),
        timeout=PICTURE_SECONDS,
    )
    assert (result.status, "Traceback" in result.errors) == (0, False)
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (900, 600)


def test_that_a_picture_that_cannot_be_saved_is_one_finding(tmp_path: Path) -> None:
    empty = TestWorkspace(tmp_path / "empty")
    result = run_command("gui", str(empty.root), "--screenshot", str(tmp_path / "no" / "such" / "folder.png"))
    assert result.status == 2
    assert "was not saved" in result.errors
