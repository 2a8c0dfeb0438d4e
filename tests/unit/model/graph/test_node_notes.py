"""Notes of nodes: read from the file when asked for, as they were written."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import TensorProto, helper  # noqa: TID253 - models are what this is about

from opstudio.base.errors import InputError
from opstudio.model.graph.node_notes import NodeNotes, read_notes
from opstudio.model.graph.reader import read_model
from tests.unit.model.graph.samples import rich_model, written


def test_that_notes_of_nodes_are_those_of_the_file(tmp_path: Path) -> None:
    record = read_model(written(tmp_path, rich_model()))
    notes = list(read_notes(record, record.graph.nodes))
    assert [bool(note.metadata) for note in notes] == [False, False, True, False]
    assert notes[2] == NodeNotes(
        doc_string="says what it does",
        metadata={"pkg.torch.onnx.stack_trace": 'File "model.py", line 7, in forward'},
    )


def test_that_notes_of_nested_nodes_are_found(tmp_path: Path) -> None:
    inner = helper.make_node("Neg", ["x"], ["n"], doc_string="deep inside")
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "n", "y")]
    branch = helper.make_graph([inner], "b", [], values[1:2])
    node = helper.make_node("If", ["x"], ["y"], then_branch=branch, else_branch=branch)
    model = helper.make_model(helper.make_graph([node], "g", values[:1], values[2:]))
    record = read_model(written(tmp_path, model))
    nested = [graph.nodes[0] for _, graph in record.graph.nodes[0].subgraphs]
    assert [note.doc_string for note in read_notes(record, nested)] == ["deep inside", "deep inside"]


def test_that_notes_of_a_file_which_was_replaced_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, rich_model())
    record = read_model(path)
    path.unlink()
    written(tmp_path, rich_model())
    with pytest.raises(InputError, match="has changed"):
        list(read_notes(record, record.graph.nodes))
