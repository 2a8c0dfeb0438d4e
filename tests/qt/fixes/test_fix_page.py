"""Models mended in the window: from the button of a problem to a new file that the runtime takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - the second opinion
import pytest
from onnx import helper, load_model  # noqa: TID253 - the second opinion
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from opstudio.qt.fixes.fix_session import FixSession
from opstudio.qt.fixes.writing import WritingStep
from opstudio.qt.main_window import MainWindow
from opstudio.qt.panel import PanelState
from opstudio.qt.panels.model_findings import ModelFindingsPanel
from tests.qt.fixes.broken import (
    TOO_NEW,
    a_model,
    finish,
    is_taken,
    key_of,
    open_broken,
    press,
    session,
    tick,
    written,
)
from tests.qt.graph_panels.opened import PATIENCE_MS, open_model
from tests.qt.window_access import answer, panel_of, words
from tests.support.operator_libraries import WrittenOperator, build_library

WRITE = "Write to a new file…"


class Dialog:
    """Stands for the system's dialog: gives a path, and remembers what it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path: Path | None = None
        self.proposed = ""
        monkeypatch.setattr(QFileDialog, "getSaveFileName", self._ask)

    def _ask(self, _parent: object, _title: str, proposed: str, _kinds: str, **_options: Any) -> tuple[str, str]:
        self.proposed = proposed
        return str(self.path or proposed), ""


@pytest.fixture
def dialog(monkeypatch: pytest.MonkeyPatch) -> Dialog:
    return Dialog(monkeypatch)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_library(tmp_path_factory.mktemp("library") / "lab.so", [WrittenOperator(domain="lab", type="Twice")])


def button_texts(window: MainWindow) -> list[str]:
    """Return the texts of the buttons of the panel that are shown."""
    panel = panel_of(window, ModelFindingsPanel)
    return [button.text() for button in panel.findChildren(QPushButton) if button.isVisible()]


class Marking(QTranslator):
    """Puts a mark before every text that asks for a translation, so that those which never ask stand out."""

    def translate(self, _context: str, source: str, _disambiguation: str | None = None, _number: int = -1) -> str:
        return f"⟦{source}"

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False


def preview(fixes: FixSession, qtbot: QtBot) -> None:
    """Wait until it is known what the choice that is looked at changes."""
    current = fixes.choice(fixes.current)
    assert current is not None
    qtbot.waitUntil(lambda: fixes.preview is not None and fixes.preview.choice == current, timeout=PATIENCE_MS)


def test_that_a_problem_is_mended_from_its_button_to_a_file_that_the_runtime_takes(
    window: MainWindow, dialog: Dialog, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path / "models", a_model(ir_version=TOO_NEW))
    before = path.read_bytes()
    assert not is_taken(path)
    fixes, page = open_broken(window, path, qtbot)
    newest = int(fixes.choices[0].parameters)
    press(window, f"Lower IR version to {newest}", qtbot)
    preview(fixes, qtbot)
    assert page.isVisible()
    assert "\n".join((f"  − ir_version {TOO_NEW}", f"  + ir_version {newest}")) in page.preview.difference.toPlainText()
    assert f"the IR version {TOO_NEW} becomes {newest}" in page.preview.difference.toPlainText()
    press(window, WRITE, qtbot)
    finish(fixes, qtbot)
    output = path.with_name("model-fixed.onnx")
    assert dialog.proposed == str(output)
    assert is_taken(output)
    assert load_model(output).ir_version == newest
    assert path.read_bytes() == before
    assert sorted(item.name for item in path.parent.iterdir()) == ["model-fixed.onnx", "model.onnx"]
    told = page.outcome.toPlainText()
    assert "model-fixed.onnx is written" in told
    assert "refused the original, takes the new file" in told
    assert panel_of(window, ModelFindingsPanel).panel_state is PanelState.READY
    press(window, "Open the new file", qtbot)
    assert window.graph.path == output
    open_model(window, output, qtbot)
    assert not fixes.is_shown
    assert window.graph.report is not None
    assert window.graph.report.is_accepted


def test_that_several_fixes_are_put_together(window: MainWindow, dialog: Dialog, tmp_path: Path, qtbot: QtBot) -> None:
    path = written(tmp_path / "models", a_model(ir_version=TOO_NEW, opset=TOO_NEW))
    fixes, page = open_broken(window, path, qtbot)
    fixes.show(key_of(fixes, "lower-ir"))
    tick(page, key_of(fixes, "lower-opset"), qtbot)
    tick(page, key_of(fixes, "remove-import"), qtbot)
    assert len(fixes.chosen) == 3
    assert "3 of" in words(page)
    dialog.path = path.with_name("named")
    press(window, WRITE, qtbot)
    finish(fixes, qtbot)
    made = load_model(path.with_name("named.onnx"))
    assert is_taken(path.with_name("named.onnx"))
    assert [item.domain for item in made.opset_import] == [""]
    assert [step.id.partition(":")[0] for step in fixes.result.applied] == ["lower-ir", "lower-opset", "remove-import"]  # type: ignore[union-attr]
    press(window, "Back to the fixes", qtbot)
    tick(page, key_of(fixes, "lower-opset"), qtbot)
    assert len(fixes.chosen) == 2


def test_that_a_file_is_replaced_only_when_the_person_says_so(
    window: MainWindow, dialog: Dialog, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path / "models", a_model())
    taken = path.with_name("taken.onnx")
    taken.write_bytes(b"mine")
    dialog.path = taken
    fixes, page = open_broken(window, path, qtbot)
    fixes.show(key_of(fixes, "remove-import"))
    for reply in ("Leave it", "Replace it"):
        press(window, WRITE, qtbot)
        finish(fixes, qtbot)
        assert "There is a file taken.onnx already." in page.notice.text
        assert taken.read_bytes() == b"mine"
        answer(page.notice, reply, qtbot)
        assert page.notice.isHidden()
        finish(fixes, qtbot)
    assert is_taken(taken)
    assert "1 of 1 outputs agree" in page.outcome.toPlainText()
    assert "takes both" in page.outcome.toPlainText()


def test_that_the_model_itself_is_never_written_over(
    window: MainWindow, dialog: Dialog, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path / "models", a_model())
    before = path.read_bytes()
    dialog.path = path
    fixes, page = open_broken(window, path, qtbot)
    fixes.show(key_of(fixes, "remove-import"))
    press(window, WRITE, qtbot)
    finish(fixes, qtbot)
    assert "it is the model itself" in page.outcome.toPlainText()
    assert panel_of(window, ModelFindingsPanel).panel_state is PanelState.FAILING
    assert path.read_bytes() == before
    press(window, "Back to the fixes", qtbot)
    assert page.list.isVisible()


def test_that_weights_beside_the_model_are_copied_when_the_person_says_so(
    window: MainWindow, dialog: Dialog, tmp_path: Path, qtbot: QtBot
) -> None:
    options = {"save_as_external_data": True, "location": "model.data", "size_threshold": 0}
    path = written(tmp_path / "models", a_model(), **options)
    dialog.path = tmp_path / "other" / "fixed.onnx"
    dialog.path.parent.mkdir()
    fixes, page = open_broken(window, path, qtbot)
    fixes.show(key_of(fixes, "remove-import"))
    press(window, WRITE, qtbot)
    finish(fixes, qtbot)
    assert "Weights lie in files beside the original" in page.notice.text
    assert list(dialog.path.parent.iterdir()) == []
    answer(page.notice, "Copy them as well", qtbot)
    finish(fixes, qtbot)
    assert is_taken(dialog.path)
    assert (dialog.path.parent / "model.data").read_bytes() == path.with_name("model.data").read_bytes()


def test_that_what_is_cancelled_leaves_nothing(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = written(tmp_path / "models", a_model())
    fixes, page = open_broken(window, path, qtbot)
    fixes.show(key_of(fixes, "remove-import"))
    output = path.with_name("out.onnx")
    fixes.write(output)
    assert panel_of(window, ModelFindingsPanel).panel_state is PanelState.BUSY
    assert page.busy.isVisible()
    assert "model.onnx is read and held against the runtime" in words(page.busy)
    assert not page.write_button.isEnabled()
    window.actions_.cancel_fix.trigger()
    finish(fixes, qtbot)
    assert page.notice.text == "Cancelled: nothing was written."
    assert [item.name for item in path.parent.iterdir()] == ["model.onnx"]
    fixes.write(output)
    finish(fixes, qtbot)
    assert is_taken(output)


@pytest.mark.parametrize("step", list(WritingStep), ids=lambda step: step.name)
def test_that_a_window_that_closes_in_the_middle_leaves_nothing(
    step: WritingStep, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path / "models", a_model())
    fixes, _ = open_broken(window, path, qtbot)
    fixes.show(key_of(fixes, "remove-import"))
    fixes.write(path.with_name("out.onnx"))
    qtbot.waitUntil(lambda: fixes.progress is not None and fixes.progress.step is step, timeout=PATIENCE_MS)
    window.close_at_once()
    assert [item.name for item in path.parent.iterdir()] == ["model.onnx"]


def test_that_another_model_takes_the_place_of_what_was_chosen(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path / "models", a_model())
    fixes, _ = open_broken(window, path, qtbot)
    fixes.show(key_of(fixes, "remove-import"))
    fixes.write(path.with_name("out.onnx"))
    open_broken(window, written(tmp_path / "others", a_model(rows="n")), qtbot)
    assert (fixes.chosen, fixes.is_shown, fixes.is_writing, fixes.result) == ((), False, False, None)
    assert fixes.proposed_path == tmp_path / "others" / "model-fixed.onnx"


def test_that_all_fixes_are_called_from_anywhere_and_take_values(
    window: MainWindow, dialog: Dialog, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path / "models", a_model())
    fixes, page = open_broken(window, path, qtbot)
    window.perspectives.show("kernels")
    window.actions_.fix_model.trigger()
    assert window.perspectives.shown == "graph"
    assert page.isVisible()
    assert {choice.fix.id for choice in fixes.choices} == {"remove-import", "lower-opset", "make-dynamic"}
    assert not page.write_button.isEnabled()
    row = page.model.index(page.model.row(key_of(fixes, "make-dynamic")), 0)
    qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=page.list.visualRect(row).center())
    assert page.preview.field.text() == "x[0]=batch"
    page.preview.field.selectAll()
    qtbot.keyClicks(page.preview.field, "x[0]=rows")
    qtbot.keyClick(page.preview.field, Qt.Key.Key_Return)
    preview(fixes, qtbot)
    assert "  + input x: float32[rows, 3]" in page.preview.difference.toPlainText()
    assert dialog.proposed == ""
    press(window, WRITE, qtbot)
    finish(fixes, qtbot)
    made = session(Path(dialog.proposed))
    assert made.get_inputs()[0].shape == ["rows", 3]
    assert made.run(None, {"x": np.zeros((5, 3), np.float32)})[0].shape == (5, 3)
    assert "Run with rows = 3" in page.outcome.toPlainText()


def test_that_parameters_that_do_not_fit_say_so_in_place(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    fixes, page = open_broken(window, written(tmp_path / "models", a_model()), qtbot)
    fixes.show(key_of(fixes, "lower-opset"))
    preview(fixes, qtbot)
    assert page.write_button.isEnabled()
    assert page.preview.field.text() == "16"
    fixes.set_parameters(fixes.current, "18")
    preview(fixes, qtbot)
    assert "The standard opset is 17, below 18" in page.preview.notes.text()
    assert page.preview.difference.toPlainText() == ""
    assert not page.write_button.isEnabled()
    press(window, "Back to the problems", qtbot)
    assert not page.isVisible()


def test_that_libraries_of_the_model_take_part_in_the_trial(
    window: MainWindow, library: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    path = written(tmp_path / "models", a_model(custom="lab"))
    window.graph.trust_libraries([library])
    fixes, page = open_broken(window, path, qtbot)
    fixes.show(key_of(fixes, "remove-import"))
    fixes.write(path.with_name("out.onnx"))
    finish(fixes, qtbot)
    assert fixes.result is not None
    assert fixes.result.trial.changed.session == ""
    assert "takes both" in page.outcome.toPlainText()
    # Without the library neither file is taken.
    assert not is_taken(path)
    assert not is_taken(path.with_name("out.onnx"))


def test_that_nothing_is_offered_for_what_cannot_be_changed(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    assert not window.actions_.fix_model.isEnabled()
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "model.ort")
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(str(written(tmp_path, a_model())), options, providers=["CPUExecutionProvider"])
    open_broken(window, tmp_path / "model.onnx", qtbot)
    assert window.actions_.fix_model.isEnabled()
    open_model(window, tmp_path / "model.ort", qtbot)
    assert window.models.fixes.choices == ()
    assert not window.actions_.fix_model.isEnabled()


def test_that_texts_are_fetched_again_in_another_language(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = written(tmp_path / "models", a_model(ir_version=TOO_NEW))
    path.with_name("taken.onnx").write_bytes(b"mine")
    fixes, page = open_broken(window, path, qtbot)
    fixes.show(key_of(fixes, "lower-ir"))
    fixes.write(path.with_name("taken.onnx"))
    finish(fixes, qtbot)
    marking = Marking()
    QApplication.installTranslator(marking)
    try:
        qtbot.waitUntil(lambda: len([text for text in button_texts(window) if text.startswith("⟦")]) == 5)
        assert len(button_texts(window)) == 5
        assert page.notice.text.startswith("⟦")
        fixes.answer_question()
        assert words(page.busy).strip().startswith("⟦")
        finish(fixes, qtbot)
        assert page.outcome.toPlainText().startswith("⟦taken.onnx is written")
        assert "⟦refused the original, takes the new file" in page.outcome.toPlainText()
        press(window, "⟦Back to the fixes", qtbot)
        press(window, "⟦Back to the problems", qtbot)
        assert [text for text in button_texts(window) if text.startswith("⟦Lower IR version to")] != []
    finally:
        QApplication.removeTranslator(marking)


def test_that_contracts_of_the_workspace_have_their_say(
    window: MainWindow, dialog: Dialog, tmp_path: Path, qtbot: QtBot
) -> None:
    model = a_model(custom="myops")
    last = model.graph.node[1]
    last.op_type, last.output[0] = "Relu6Scale", "scaled"
    last.attribute.append(helper.make_attribute("scale", 2.0))
    model.graph.node.append(helper.make_node("Tanh", ["scaled"], ["y"]))
    fixes, page = open_broken(window, written(tmp_path / "models", model), qtbot)
    fixes.show("attach-shapes:myops:Relu6Scale")
    preview(fixes, qtbot)
    assert "  + value scaled: float32[2, 3]" in page.preview.difference.toPlainText()
    press(window, WRITE, qtbot)
    finish(fixes, qtbot)
    (described,) = load_model(dialog.proposed).graph.value_info
    assert described.name == "scaled"
    assert [size.dim_value for size in described.type.tensor_type.shape.dim] == [2, 3]
