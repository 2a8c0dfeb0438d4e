"""Changes of bytes in a file: what protobuf reads afterwards, and what of the bytes stays."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, load_model, numpy_helper, save_model  # noqa: TID253 - the second opinion

from opstudio.base.errors import CancelledError, InputError, SetupError
from opstudio.jobs.cancel import CancelToken
from opstudio.model.fixes.field_edits import replaced_number, replaced_text
from opstudio.model.fixes.field_spans import FieldReader, Range
from opstudio.model.fixes.model_places import find_places, find_values, open_fields
from opstudio.model.fixes.splices import Splice, spliced_pieces, write_spliced
from opstudio.model.fixes.wire_writing import text_field, varint
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import ModelRecord, NodeRecord
from opstudio.model.graph.source_file import SourceFile
from tests.support.damaged_models import damaged_models
from tests.unit.model.fixes.broken_models import a_model


def opened(folder: Path, model: Any) -> ModelRecord:
    path = folder / "model.onnx"
    path.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    return read_model(path)


def every_node(model: ModelRecord) -> Iterator[NodeRecord]:
    pending = list(model.graph.nodes)
    while pending:
        node = pending.pop()
        yield node
        pending.extend(inner for _, graph in node.subgraphs for inner in graph.nodes)


def test_that_without_changes_the_copy_is_the_file(tmp_path: Path) -> None:
    model = opened(tmp_path, a_model())
    write_spliced(model, [], tmp_path / "copy.onnx", CancelToken())
    assert (tmp_path / "copy.onnx").read_bytes() == model.path.read_bytes()


@pytest.mark.parametrize("length", [0, 1, 127, 128, 16_500, 70_000])
def test_that_the_lengths_of_all_messages_around_a_change_are_right(tmp_path: Path, length: int) -> None:
    model = opened(tmp_path, a_model())
    name = "n" * length
    with open_fields(model) as reader:
        splices = [
            splice
            for node in every_node(model)
            for splice in replaced_text(reader, Range(node.offset, node.offset + node.length), 3, name)
        ]
    write_spliced(model, splices, tmp_path / "copy.onnx", CancelToken())

    expected = a_model()
    for node in [*expected.graph.node, *(a.g.node[0] for n in expected.graph.node for a in n.attribute if a.g.node)]:
        node.ClearField("name")
        if name:
            node.name = name
    assert load_model(str(tmp_path / "copy.onnx")) == expected


def test_that_what_protobuf_does_not_know_stays_byte_for_byte(tmp_path: Path) -> None:
    unknown = varint(4000 << 3 | 2) + b"\x83\x00" + b"abc"  # a length that is longer than it need be
    content = a_model().SerializeToString() + unknown
    model = opened(tmp_path, content)
    places = find_places(model)
    with open_fields(model) as reader:
        write_spliced(model, replaced_number(reader, places.whole, 1, 7), tmp_path / "copy.onnx", CancelToken())
    copy = (tmp_path / "copy.onnx").read_bytes()
    assert copy.endswith(unknown)
    assert copy == content.replace(b"\x08\x09", b"\x08\x07", 1)


def test_that_weights_larger_than_a_block_are_copied(tmp_path: Path) -> None:
    model = a_model()
    large = np.random.default_rng(0).integers(0, 256, 9_000_000).astype(np.uint8)
    model.graph.initializer.append(numpy_helper.from_array(large, "large"))
    record = opened(tmp_path, model)
    places = find_places(record)
    with open_fields(record) as reader:
        write_spliced(record, replaced_number(reader, places.whole, 1, 8), tmp_path / "copy.onnx", CancelToken())
    model.ir_version = 8
    assert (tmp_path / "copy.onnx").read_bytes() == model.SerializeToString()


def test_that_several_changes_of_one_message_keep_their_order(tmp_path: Path) -> None:
    model = opened(tmp_path, a_model())
    whole = Range(0, model.identity.size)
    additions = [Splice(whole, Range(whole.end, whole.end), text_field(3, text)) for text in ("one", "two")]
    write_spliced(model, additions, tmp_path / "copy.onnx", CancelToken())
    assert (tmp_path / "copy.onnx").read_bytes().endswith(text_field(3, "one") + text_field(3, "two"))


def test_that_two_changes_of_the_same_bytes_are_refused(tmp_path: Path) -> None:
    model = opened(tmp_path, a_model())
    whole = Range(0, model.identity.size)
    splices = [Splice(whole, Range(0, 2), b""), Splice(whole, Range(1, 3), b"")]
    with SourceFile(model.path) as file, pytest.raises(ValueError, match="two changes concern bytes 1 to 2"):
        spliced_pieces(FieldReader(file), whole, splices)


def test_that_a_file_that_changed_since_is_not_copied(tmp_path: Path) -> None:
    model = opened(tmp_path, a_model())
    model.path.write_bytes(model.path.read_bytes() + b"\x1a\x00")
    with pytest.raises(InputError, match="has changed"):
        write_spliced(model, [], tmp_path / "copy.onnx", CancelToken())
    assert not (tmp_path / "copy.onnx").exists()


def test_that_a_copy_that_is_cancelled_or_has_no_room_leaves_nothing(tmp_path: Path) -> None:
    model = opened(tmp_path, a_model())
    cancel = CancelToken()
    cancel.cancel("enough")
    with pytest.raises(CancelledError):
        write_spliced(model, [], tmp_path / "copy.onnx", cancel)
    assert not (tmp_path / "copy.onnx").exists()
    full = tmp_path / "full.onnx"
    full.symlink_to("/dev/full")
    with pytest.raises(SetupError, match="the disk is full"):
        write_spliced(model, [], full, CancelToken())
    assert not full.is_symlink()
    assert Path("/dev/full").is_char_device()


def test_that_places_are_those_of_the_parts(tmp_path: Path) -> None:
    expected = a_model()
    model = opened(tmp_path, expected)
    places = find_places(model)
    content = model.path.read_bytes()
    assert content[slice(*places.graph)] == expected.graph.SerializeToString()
    assert [(item.domain, item.version) for item in places.imports.imports] == [("", 17), ("lab", 1)]
    values = find_values(model, places.graph)
    assert [(value.span.number, value.name) for value in values] == [(11, "x"), (12, "y"), (13, "shifted")]


def test_that_damaged_files_end_in_words_or_in_a_copy(tmp_path: Path) -> None:
    """Whatever the bytes are: what is read is copied or changed to something that reads back, all else is an error."""
    seed = a_model().SerializeToString()
    chance = random.Random(1)  # noqa: S311 - no secret
    changed = 0
    for name, content in damaged_models({"good": seed}, seed=7, mutations=200):
        if len(content) > 1_000_000:
            continue
        path = tmp_path / "damaged.onnx"
        path.write_bytes(content)
        try:
            model = read_model(path)
            places = find_places(model)
            values = find_values(model, places.graph)
            nodes = list(every_node(model))
            with open_fields(model) as reader:
                splices = list(replaced_number(reader, places.whole, 1, 7))
                if nodes:
                    node = chance.choice(nodes)
                    splices += replaced_text(reader, Range(node.offset, node.offset + node.length), 4, "Other")
            write_spliced(model, splices, tmp_path / "copy.onnx", CancelToken())
        except InputError:
            continue
        copy = read_model(tmp_path / "copy.onnx")
        changed += 1
        assert copy.ir_version == 7, name
        assert len(find_values(copy, find_places(copy).graph)) == len(values), name
        assert sum(node.type == "Other" for node in every_node(copy)) >= bool(nodes), name
    assert changed > 12


def test_that_an_empty_model_gets_a_version(tmp_path: Path) -> None:
    graph = helper.make_graph([], "empty", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])])
    model = ModelProto(graph=graph)
    save_model(model, str(tmp_path / "empty.onnx"))
    record = read_model(tmp_path / "empty.onnx")
    with open_fields(record) as reader:
        write_spliced(
            record, replaced_number(reader, find_places(record).whole, 1, 8), tmp_path / "copy.onnx", CancelToken()
        )
    model.ir_version = 8
    assert load_model(str(tmp_path / "copy.onnx")) == model
