"""Weights beside a model, and what becomes of what exporters raise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import helper, load, numpy_helper, save_model  # noqa: TID253 - models are what this is about

from opstudio.model.errors import deepest_cause, plain_text, user_line
from opstudio.model.export import join_weights
from opstudio.model.export_request import CodeLine
from tests.unit.model.models import a_model, a_tensor


def test_that_weights_in_a_file_each_are_put_into_one(tmp_path: Path) -> None:
    # Above the size (1,024 bytes) from which onnx writes a weight outside of the model.
    first, second = np.arange(1024, dtype=np.float32).reshape(2, 512), np.arange(512, dtype=np.float32)
    weights = [numpy_helper.from_array(first, "first.weight"), numpy_helper.from_array(second, "second.weight")]
    nodes = [helper.make_node("Sum", ["x", "first.weight", "second.weight"], ["y"])]
    model = a_model(*nodes, inputs=(a_tensor("x", 2, 512),), outputs=(a_tensor("y", 2, 512),), initializer=weights)
    path = tmp_path / "model.onnx"
    save_model(model, str(path), save_as_external_data=True, all_tensors_to_one_file=False, size_threshold=0)
    assert {file.name for file in tmp_path.iterdir()} == {"model.onnx", "first.weight", "second.weight"}

    join_weights(path)

    assert {file.name for file in tmp_path.iterdir()} == {"model.onnx", "model.onnx.data"}
    found = {item.name: numpy_helper.to_array(item) for item in load(str(path)).graph.initializer}
    np.testing.assert_array_equal(found["first.weight"], first)
    np.testing.assert_array_equal(found["second.weight"], second)


def test_that_a_model_with_its_weights_inside_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    save_model(a_model(helper.make_node("Relu", ["x"], ["y"])), str(path))
    before = path.read_bytes()

    join_weights(path)

    assert (path.read_bytes(), [file.name for file in tmp_path.iterdir()]) == (before, ["model.onnx"])


def raised(folder: Path, *, hide: bool = False) -> BaseException:
    """Return an error that was wrapped twice, with a line of the folder's own in its middle."""
    suffix = " from None" if hide else " from error"
    text = (
        "def inner():\n"
        "    raise KeyError('reason')\n"
        "def run():\n"
        "    try:\n"
        "        inner()\n"
        "    except KeyError as error:\n"
        f"        raise ValueError('wrapped'){suffix}\n"
    )
    space: dict[str, object] = {}
    exec(compile(text, str(folder / "model.py"), "exec"), space)  # noqa: S102 - the text above
    try:
        space["run"]()  # type: ignore[operator]
    except ValueError as error:
        return error
    raise AssertionError


def test_that_the_deepest_cause_is_the_one_that_was_not_hidden(tmp_path: Path) -> None:
    assert repr(deepest_cause(raised(tmp_path))) == "KeyError('reason')"
    assert repr(deepest_cause(raised(tmp_path, hide=True))) == "ValueError('wrapped')"


def test_that_the_innermost_line_of_the_persons_files_is_told(tmp_path: Path) -> None:
    assert user_line(raised(tmp_path), tmp_path) == CodeLine(file=str(tmp_path / "model.py"), line=2)
    assert user_line(raised(tmp_path), tmp_path / "elsewhere") is None


def test_that_a_line_which_a_message_quotes_is_told(tmp_path: Path) -> None:
    error = RuntimeError(f'Original traceback:\n  File "{tmp_path}/model.py", line 12, in forward')

    assert user_line(error, tmp_path) == CodeLine(file=str(tmp_path / "model.py"), line=12)


def test_that_messages_lose_their_colours_and_stacks() -> None:
    text = "\x1b[96mReason\x1b[0m\n(Refer to the full stack trace above for more information.)\nmore"

    assert plain_text(text) == "Reason"
