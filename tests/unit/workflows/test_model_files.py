"""Model files of a workspace: found within it only, and not where others keep their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from opstudio.base.errors import CancelledError
from opstudio.jobs.cancel import CancelToken
from opstudio.workflows.model_files import RecentModels, find_model_files


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    return path


def names(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in find_model_files(root).files]


def test_that_models_are_found_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.onnx", "a/z.ort", "a/A.ONNX", "a/readme.txt", "a/onnx"):
        touch(tmp_path / name)
    assert names(tmp_path) == ["a/A.ONNX", "a/z.ort", "b.onnx"]


def test_that_folders_of_tools_are_left_out(tmp_path: Path) -> None:
    for name in (".opstudio/x.onnx", ".git/x.onnx", "env/lib/x.onnx", "sub/.venv/x.onnx", "kept/x.onnx"):
        touch(tmp_path / name)
    touch(tmp_path / "env" / "pyvenv.cfg")
    touch(tmp_path / "sub" / ".venv" / "pyvenv.cfg")
    assert names(tmp_path) == ["kept/x.onnx"]


def test_that_links_are_followed_within_the_workspace_only(tmp_path: Path) -> None:
    root, outside = tmp_path / "workspace", tmp_path / "outside"
    touch(outside / "secret.onnx")
    inside = touch(root / "models" / "real.onnx")
    (root / "to_file.onnx").symlink_to(outside / "secret.onnx")
    (root / "to_folder").symlink_to(outside)
    (root / "round").symlink_to(root)
    (root / "again.onnx").symlink_to(inside)
    (root / "circle.onnx").symlink_to(root / "circle.onnx")
    (root / "gone.onnx").symlink_to(root / "nothing.onnx")
    assert names(root) == ["again.onnx", "models/real.onnx"]


def test_that_the_search_is_bounded_and_says_so(tmp_path: Path) -> None:
    for number in range(30):
        touch(tmp_path / f"{number:02}" / "m.onnx")
    assert find_model_files(tmp_path).is_complete
    few = find_model_files(tmp_path, most_models=10)
    assert (len(few.files), few.is_complete) == (10, False)
    assert not find_model_files(tmp_path, most_names=5).is_complete


def test_that_the_search_can_be_ended(tmp_path: Path) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        find_model_files(tmp_path, cancel.check)


def test_that_models_from_elsewhere_are_kept_the_newest_first(tmp_path: Path) -> None:
    state = tmp_path / "state"
    models = [touch(tmp_path / f"{number}.onnx") for number in range(20)]
    recent = RecentModels(state)
    for path in models:
        recent.note(path)
    recent.note(models[15])
    models[18].unlink()
    wanted = [models[number] for number in (15, 19, 17, 16, 14, 13, 12, 11, 10, 9, 8)]
    assert RecentModels(state).paths == recent.paths == tuple(wanted)


def test_that_a_list_of_models_that_is_damaged_is_empty(tmp_path: Path) -> None:
    for text in ("", "{", '{"a": 1}', '[1, null, "relative.onnx"]', "[" * 100_000):
        (tmp_path / "recent_models.json").write_text(text, encoding="utf-8")
        assert RecentModels(tmp_path).paths == ()


def test_that_models_are_known_where_nothing_can_be_written(tmp_path: Path) -> None:
    touch(tmp_path / "state")  # a file where a folder should be
    model = touch(tmp_path / "m.onnx")
    recent = RecentModels(tmp_path / "state")
    recent.note(model)
    assert recent.paths == (model,)
