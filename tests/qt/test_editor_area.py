from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.editor.line_marks import LineMark
from opstudio.qt.editor.operator_files import operator_files
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from tests.qt.conftest import operator_folder
from tests.qt.events import a_finding
from tests.support.workspaces import TestWorkspace

FILES = ["relu6_scale.cpp", "contract.toml", "reference.py", "relu6_scale.cu", "model.py"]


@pytest.fixture
def area(workspace: TestWorkspace, theme: Theme, icons: Icons, qtbot: QtBot) -> Iterator[EditorArea]:
    area = EditorArea(workspace.root, theme, icons)
    qtbot.addWidget(area)
    area.resize(800, 500)
    area.show()
    yield area
    area.close()
    area.deleteLater()


def names(area: EditorArea) -> list[str]:
    return [path.name for path in area.paths]


def front(area: EditorArea) -> str:
    return area.current.path.name if area.current is not None else ""


def test_that_the_kernel_comes_first_then_contract_and_reference(area: EditorArea, workspace: TestWorkspace) -> None:
    area.show_operator("relu6_scale", operator_folder(workspace))
    assert names(area) == FILES
    assert front(area) == "relu6_scale.cpp"


def test_that_all_files_that_a_contract_names_get_a_tab(workspace: TestWorkspace) -> None:
    workspace.edit(
        "relu6_scale",
        "contract.toml",
        'sources = ["relu6_scale.cpp"]',
        'sources = ["relu6_scale.cpp", "more.cpp"]',
    )
    (workspace.root / "relu6_scale" / "more.cpp").touch()
    found = [path.name for path in operator_files(operator_folder(workspace))]
    assert found == [FILES[0], "more.cpp", *FILES[1:]]


def test_that_a_contract_that_cannot_be_read_comes_first(area: EditorArea, workspace: TestWorkspace) -> None:
    workspace.edit("relu6_scale", "contract.toml", "[operator]", "[operator")
    area.show_operator("relu6_scale", operator_folder(workspace))
    assert set(names(area)) == set(FILES)
    assert front(area) == "contract.toml"


def test_that_tabs_stay_where_they_are_when_the_contract_breaks(area: EditorArea, workspace: TestWorkspace) -> None:
    area.show_operator("relu6_scale", operator_folder(workspace))
    page = area.open_file(workspace.root / "relu6_scale" / "contract.toml")
    page.editor.textCursor().insertText("broken ")
    area.save_current()
    assert names(area) == FILES
    assert front(area) == "contract.toml"


def test_that_what_was_typed_stays_while_another_operator_is_shown(area: EditorArea, workspace: TestWorkspace) -> None:
    workspace.add("relu6_scale", "other")
    area.show_operator("relu6_scale", operator_folder(workspace))
    area.open_file(workspace.root / "relu6_scale" / "reference.py").editor.textCursor().insertText("# mine\n")
    area.show_operator("other", operator_folder(workspace, "other"))
    assert [page.path.parent.name for page in area.modified] == ["relu6_scale"]
    area.show_operator("relu6_scale", operator_folder(workspace))
    assert front(area) == "reference.py"
    assert area.current is not None
    assert area.current.editor.file_text().startswith("# mine\n")


def test_that_files_of_operators_long_gone_are_closed_unless_modified(
    area: EditorArea, workspace: TestWorkspace
) -> None:
    for number in range(12):
        workspace.add("relu6_scale", f"op{number:02d}")
        area.show_operator(f"op{number:02d}", operator_folder(workspace, f"op{number:02d}"))
        if number == 0:
            area.open_file(area.paths[0]).editor.textCursor().insertText("x")
    kept = {path.parent.name for path in area._pages}
    assert "op00" in kept
    assert "op01" not in kept
    assert "op11" in kept


def test_that_a_file_outside_the_workspace_is_only_read(area: EditorArea, tmp_path: Path) -> None:
    outside = tmp_path / "header.h"
    outside.write_text("int x;\n", encoding="utf-8")
    page = area.open_file(outside)
    assert page.editor.isReadOnly()


def test_that_a_file_opened_beside_can_be_closed_and_the_operator_s_own_cannot(
    area: EditorArea, workspace: TestWorkspace
) -> None:
    area.show_operator("relu6_scale", operator_folder(workspace))
    settings = workspace.root / "opstudio.toml"
    area.open_file(settings)
    assert front(area) == "opstudio.toml"
    area.close_current()
    assert names(area) == FILES
    area.close_current()
    assert names(area) == FILES


def test_that_tabs_are_stepped_through_in_a_ring(area: EditorArea, workspace: TestWorkspace) -> None:
    area.show_operator("relu6_scale", operator_folder(workspace))
    seen = [front(area)]
    for _ in FILES:
        area.next_tab()
        seen.append(front(area))
    assert seen == [*FILES, FILES[0]]
    area.previous_tab()
    assert front(area) == FILES[-1]


def test_that_saving_all_tells_each_file(area: EditorArea, workspace: TestWorkspace) -> None:
    saved: list[Path] = []
    area.saved.connect(saved.append)
    area.show_operator("relu6_scale", operator_folder(workspace))
    for path in area.paths[:2]:
        area.open_file(path).editor.textCursor().insertText("\n")
    assert area.save_all()
    assert {path.name for path in saved} == {"relu6_scale.cpp", "contract.toml"}
    assert area.modified == ()


def test_that_marks_reach_the_page_of_their_file(area: EditorArea, workspace: TestWorkspace) -> None:
    area.show_operator("relu6_scale", operator_folder(workspace))
    kernel = workspace.root / "relu6_scale" / "relu6_scale.cpp"
    area.set_marks({kernel: [LineMark(8, a_finding())]})
    assert area.current is not None
    assert area.current.editor.marks.lines == (7,)
    area.set_marks({})
    assert area.current.editor.marks.lines == ()


def test_that_a_change_on_disk_is_noticed_by_itself(area: EditorArea, workspace: TestWorkspace, qtbot: QtBot) -> None:
    area.show_operator("relu6_scale", operator_folder(workspace))
    page = area.current
    assert page is not None
    page.path.write_text("// other\n", encoding="utf-8")
    qtbot.waitUntil(lambda: page.editor.file_text() == "// other\n", timeout=3000)
