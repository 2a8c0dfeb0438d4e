"""What a Python file offers to export, read without running it."""

from __future__ import annotations

from pathlib import Path

import pytest

from opstudio.base.errors import InputError
from opstudio.qt.export.export_target import ExportTarget
from opstudio.qt.export.factories import list_factories, require_factories

FILE = """
raise SystemExit("this file must not run")


def make(): ...
def with_default(depth=3, *rest, width=8, **others): ...
def needs_one(depth): ...
def needs_a_name(*, depth): ...
async def later(): ...
def example_inputs(): ...
def register(): ...
def _private(): ...
def outer():
    def inner(): ...


class Net(nn.Module): ...
class Sized(torch.nn.Module):
    def __init__(self, width): ...
class Usual(Module):
    def __init__(self, width=8): ...
class Other: ...
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "nets.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_that_functions_and_modules_that_need_nothing_are_offered(tmp_path: Path) -> None:
    assert list_factories(written(tmp_path, FILE)) == ("make", "with_default", "outer", "Net", "Usual")


@pytest.mark.parametrize(
    ("text", "title", "line"),
    [
        ("x = 1\ndef make(:\n", "nets.py is not Python", 2),
        ("def make(depth): ...\n", "nets.py makes no model", None),
        ("\0", "nets.py is not Python", None),
    ],
)
def test_that_a_file_that_makes_no_model_is_refused(tmp_path: Path, text: str, title: str, line: int | None) -> None:
    with pytest.raises(InputError) as refused:
        require_factories(written(tmp_path, text))
    (finding,) = refused.value.findings
    assert finding.title == title
    assert [(place.file, place.line) for place in finding.places] == [(str(tmp_path / "nets.py"), line)]


def test_that_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list_factories(tmp_path / "gone.py")


def test_that_factories_of_one_name_keep_their_files_apart(tmp_path: Path) -> None:
    first = ExportTarget(file=tmp_path / "a" / "nets.py", factory="make")
    second = ExportTarget(file=tmp_path / "b" / "nets.py", factory="make")
    assert (first.title, second.title) == ("nets.py:make", "nets.py:make")
    assert first.folder_name != second.folder_name
