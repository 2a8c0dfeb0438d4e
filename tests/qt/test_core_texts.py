"""Texts that the core writes in English: in the Chinese window they are Chinese, but for names and findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import onnx  # noqa: TID253 - models are what boxes tell of
import pytest
from onnx import TensorProto, helper  # noqa: TID253 - the same

from opstudio.checks.check import all_checks
from opstudio.model.diagram.records import BoxKind
from opstudio.model.expectation import Difference, DifferenceKind
from opstudio.qt.export.difference_words import difference_texts
from opstudio.qt.graph.detail_words import detail_words
from opstudio.qt.language import Language, LanguageChoice
from opstudio.qt.models.core_texts import Phrases
from opstudio.qt.models.evidence_titles import evidence_note, evidence_title, evidence_value
from opstudio.workflows.evidence_sections import KeyValues, Section, Table
from opstudio.workflows.stage_evidence import stage_evidence
from opstudio.workspace.folder import open_workspace
from tests.qt.conftest import operator_folder
from tests.qt.events import OPERATOR
from tests.qt.graph.pictures import picture_of
from tests.support.workspaces import TestWorkspace

SAME_EVERYWHERE = frozenset({"Meta", "ONNX", "ONNX Runtime", "PyTorch", "Schema", "SHA-256", "10 %", "90 %"})
"""Names and terms that both languages share."""


@pytest.fixture
def chinese(language: Language) -> None:
    language.choose(LanguageChoice.CHINESE)


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)


def titles(section: Section) -> Iterator[str]:
    """Yield what stands over a section and its columns, and before its values."""
    yield section.title
    if isinstance(section.content, Table):
        yield from (column.title for column in section.content.columns)
    elif isinstance(section.content, KeyValues):
        yield from (name for name, _ in section.content.entries)


@pytest.mark.usefixtures("chinese")
def test_that_everything_over_the_evidence_of_a_real_check_is_translated(checked_workspace: TestWorkspace) -> None:
    workspace, folder = open_workspace(checked_workspace.root), operator_folder(checked_workspace, OPERATOR)
    stages = {check.id: stage_evidence(workspace, folder, check.id) for check in all_checks()}
    told = {text for found in stages.values() for section in found.sections for text in titles(section)}
    assert {"Command lines", "Dispatcher entries", "Exported by kernel.so"} <= told
    assert {text for text in told if not is_chinese(evidence_title(text))} <= SAME_EVERYWHERE
    notes = {found.note for found in stages.values()} - {""}
    assert "The stage has not run yet." in notes
    assert {note for note in notes if not is_chinese(evidence_note(note))} == set()


@pytest.mark.usefixtures("chinese")
def test_that_names_within_a_text_stay_and_their_order_is_the_translation_s() -> None:
    assert evidence_title("Nodes of swish.onnx") == "swish.onnx 的节点"
    assert evidence_title("4 threads, sample typical") == "4 个线程，样本 typical"  # noqa: RUF001 - Chinese
    assert evidence_note("This is an earlier result: cancelled.") == "这是较早的结果：已取消。"  # noqa: RUF001 - Chinese
    assert evidence_title("nodes of swish.onnx") == "nodes of swish.onnx"


@pytest.mark.usefixtures("chinese")
def test_that_only_the_studio_s_own_words_among_values_are_translated() -> None:
    assert evidence_value("asked", "opset 18, x[0] varies as batch") == "opset 18, x[0] 可变，记为 batch"  # noqa: RUF001 - Chinese
    assert evidence_value("shared memory", "y is x, z is x") == "y 与 x 共用, z 与 x 共用"
    # An operator may be called anything, and what a tool says is its own.
    assert evidence_value("name", "none") == "none"
    assert evidence_value("outcome", "x is not contiguous") == "x is not contiguous"


@pytest.mark.usefixtures("chinese")
def test_that_the_window_tells_what_is_not_as_asked() -> None:
    fixed = Difference(kind=DifferenceKind.DIMENSION_FIXED, subject="axis 0 of x", asked="varies", found="4")
    assert difference_texts(fixed) == ("x 的轴 0", "可变", "4")
    merged = Difference(kind=DifferenceKind.NODE_MERGED, subject="lab:Swish", asked="2 calls", found="1 node")
    assert difference_texts(merged) == ("lab:Swish", "2 次调用", "1 个节点")
    # Here a name of the model happens to be a word of the studio's.
    renamed = Difference(kind=DifferenceKind.NODE_RENAMED, subject="file", asked="lab:none", found="weights")
    assert difference_texts(renamed) == ("file", "lab:none", "weights")


@pytest.mark.usefixtures("chinese")
def test_that_boxes_count_their_nodes_in_the_language_of_the_window(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    names = [f"/block/{kind}" for kind in ("Relu", "Neg", "Abs")]
    values = ["x", *(f"v{number}" for number in range(3))]
    nodes = [
        helper.make_node(name.rpartition("/")[2], [values[number]], [values[number + 1]], name)
        for number, name in enumerate(names)
    ]
    graph = helper.make_graph(
        nodes,
        "main",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [])],
        [helper.make_tensor_value_info("v2", TensorProto.FLOAT, [])],
    )
    onnx.save(helper.make_model(graph), path)
    boxes = picture_of(path, {"block"}).placed.diagram.boxes
    (group,) = [box for box in boxes if box.kind is BoxKind.GROUP]
    (given,) = [box for box in boxes if box.kind is BoxKind.INPUT]
    assert (detail_words(group.detail), detail_words(given.detail)) == ("3 节点", "标量 float32")
    assert detail_words("then 1 node, else 12 nodes") == "then 1 节点, else 12 节点"
    assert detail_words("3×3, 16→32, stride 2") == "3×3, 16→32, stride 2"


def test_that_a_text_in_english_comes_back_as_it_is() -> None:
    phrases = Phrases("Evidence", ("none", "Nodes of {0}", "{0} threads, sample {1}"))
    for text in ("none", "Nodes of {0}.onnx", "4 threads, sample a, sample b", "(none)", ""):
        assert phrases.translated(text) == text
