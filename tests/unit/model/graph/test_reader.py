"""The reader against onnx itself: the same file, read by both, says the same."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx  # noqa: TID253 - the independent source
import pytest
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253

from opstudio.base.errors import InputError
from opstudio.model.graph import wire
from opstudio.model.graph.attribute_values import read_attribute_value
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import AttributeKind, BulkValue, FileFormat, ModelRecord, NodeRecord
from opstudio.model.graph.tensor_records import (
    RawBytes,
)
from opstudio.model.graph.tensor_values import read_values
from opstudio.model.graph.value_types import (
    OpaqueType,
    TensorType,
)
from tests.support.damaged_models import field, header, varint
from tests.unit.model.graph.as_onnx_reads import plain_model, plain_record
from tests.unit.model.graph.samples import PROJECT, real_models, rich_model, sample, written


def read(folder: Path, model: Any) -> ModelRecord:
    return read_model(written(folder, model))


def a_model(*nodes: Any, initializers: Any = ()) -> Any:
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])]
    return helper.make_model(helper.make_graph(list(nodes), "g", inputs, outputs, list(initializers)))


def test_that_a_model_with_everything_reads_as_onnx_reads_it(tmp_path: Path) -> None:
    model = rich_model()
    record = read(tmp_path, model)
    assert plain_record(record) == plain_model(model)
    assert (record.format, record.identity.size) == (FileFormat.ONNX, len(model.SerializeToString()))


def test_that_windows_of_any_size_read_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = rich_model()
    for window in (32, 40, 57, 100, 333):
        monkeypatch.setattr(wire, "WINDOW", window)
        monkeypatch.setattr(wire, "_FIRST_WINDOW", 8)
        monkeypatch.setattr(wire, "SMALL", window // 2)
        assert plain_record(read(tmp_path, model)) == plain_model(model), window


@pytest.mark.parametrize("path", real_models(), ids=lambda path: path.name)
def test_that_real_files_read_as_onnx_reads_them(path: Path) -> None:
    assert plain_record(read_model(path)) == plain_model(onnx.load(str(path), load_external_data=False))


def test_that_the_real_files_are_there() -> None:
    sample("open/dynamo_local_functions.onnx")
    assert len(real_models()) > 60


def test_that_an_export_of_torch_reads_as_onnx_reads_it(tmp_path: Path) -> None:
    import torch

    class Branches(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.cond(x.sum() > 0, self.linear, lambda y: y - 1, (x,))

    path = tmp_path / "export.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter's own, about itself
        program = torch.onnx.export(Branches().eval(), (torch.ones(2, 4),), dynamo=True, verbose=False)
    assert program is not None
    program.save(str(path), external_data=False)

    record = read_model(path)
    assert plain_record(record) == plain_model(onnx.load(str(path)))
    assert [name for node in record.graph.nodes for name, _ in node.subgraphs] == ["then_branch", "else_branch"]


def test_that_the_text_of_types_says_what_people_write(tmp_path: Path) -> None:
    record = read(tmp_path, rich_model())
    texts = {value.name: str(value.type) for value in record.graph.inputs}
    assert texts == {
        "x": "float32[batch, 3, ?]",
        "flag": "bool[]",
        "w": "float32[3]",
        "seq": "sequence(float32)",
        "opt": "optional(bfloat16[])",
        "map": "map(int64, string[batch])",
        "sp": "sparse float64[3, k]",
    }
    assert str(OpaqueType(domain="d", name="n")) == "opaque(d, n)"
    assert str(TensorType(element_type=77, shape=())) == "type 77[]"


def test_that_inputs_with_initializers_are_no_true_inputs(tmp_path: Path) -> None:
    graph = read(tmp_path, rich_model()).graph
    assert [value.name for value in graph.true_inputs] == ["x", "flag", "seq", "opt", "map", "sp"]


def test_that_equal_attributes_are_one_record_and_tensors_are_not(tmp_path: Path) -> None:
    weight = numpy_helper.from_array(np.float32([1, 2]), "")
    nodes = [helper.make_node("Constant", [], [name], value=weight) for name in ("a", "b")]
    nodes += [helper.make_node("Softmax", [name], [f"{name}s"], axis=1) for name in ("a", "b")]
    first, second, third, fourth = read(tmp_path, a_model(*nodes)).graph.nodes
    assert third.attributes[0] is fourth.attributes[0]
    tensors: list[Any] = [first.attributes[0].value, second.attributes[0].value]
    assert tensors[0].data.offset < tensors[1].data.offset


def test_that_the_kind_of_an_attribute_is_told_by_its_field_where_the_file_does_not_say_it(tmp_path: Path) -> None:
    node = helper.make_node("Old", ["x"], ["y"], axis=3, ratio=0.5, sizes=[1, 2])
    for attribute in node.attribute:
        attribute.ClearField("type")
    (read_node,) = read(tmp_path, a_model(node)).graph.nodes
    kinds = {item.name: (item.kind, item.value) for item in read_node.attributes}
    assert kinds == {
        "axis": (AttributeKind.INT, 3),
        "ratio": (AttributeKind.FLOAT, 0.5),
        "sizes": (AttributeKind.INTS, (1, 2)),
    }


def long_attributes(node: NodeRecord) -> dict[str, Any]:
    return {item.name: item for item in node.attributes}


def test_that_long_values_stay_in_the_file_until_asked_for(tmp_path: Path) -> None:
    values = {
        "floats": [index / 3 for index in range(30_000)],
        "ints": [-index for index in range(30_000)],
        "words": [f"word {index}" for index in range(3_000)],
        "blob": b"\xfe" * 100_000,
        "short": [1, 2],
    }
    model = a_model(helper.make_node("TreeEnsemble", ["x"], ["y"], **values))
    record = read(tmp_path, model)
    (node,) = record.graph.nodes
    found = long_attributes(node)

    assert {name for name, item in found.items() if isinstance(item.value, BulkValue)} == set(values) - {"short"}
    assert read_attribute_value(record, found["floats"]) == tuple(np.float32(values["floats"]).tolist())
    assert read_attribute_value(record, found["ints"]) == tuple(values["ints"])
    assert read_attribute_value(record, found["ints"], most=3) == (0, -1, -2)
    assert read_attribute_value(record, found["words"]) == tuple(values["words"])
    assert read_attribute_value(record, found["blob"]) == values["blob"]
    assert read_attribute_value(record, found["short"]) == (1, 2)


def test_that_a_file_which_changed_is_not_read_on(tmp_path: Path) -> None:
    record = read(tmp_path, a_model(helper.make_node("Tree", ["x"], ["y"], ints=list(range(30_000)))))
    with record.path.open("ab") as file:
        file.write(b"\0")
    with pytest.raises(InputError, match="has changed"):
        read_attribute_value(record, record.graph.nodes[0].attributes[0])


def write_huge_model(path: Path, *, gibibytes: int) -> None:
    """Write a model with one embedded tensor of that size, as a file with a hole; protobuf cannot."""
    elements = gibibytes << 28
    before = field(8, b"w") + varint(1 << 3) + varint(elements) + varint(2 << 3) + varint(TensorProto.FLOAT)
    tensor = before + header(9, 4 * elements)
    tensor_length = len(tensor) + 4 * elements
    node = helper.make_node("Identity", ["w"], ["y"], name="copy").SerializeToString()
    graph = field(1, node) + header(5, tensor_length) + tensor
    rest = field(2, b"huge") + field(12, helper.make_tensor_value_info("y", 1, [None]).SerializeToString())
    start = varint(1 << 3) + varint(10) + field(8, helper.make_opsetid("", 21).SerializeToString())
    start += header(7, len(graph) + 4 * elements + len(rest)) + graph
    with path.open("wb") as file:
        file.write(start)
        file.seek(4 * (elements - 2), os.SEEK_CUR)
        file.write(struct.pack("<2f", 2.5, -1.0))
        file.write(rest)


def bytes_read() -> int:
    """Return how many bytes this process has read from files so far, by what the system counted."""
    counts = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in counts if line.startswith("rchar:"))


def test_that_a_model_beyond_the_limit_of_protobuf_is_read_with_its_last_values(tmp_path: Path) -> None:
    path = tmp_path / "huge.onnx"
    write_huge_model(path, gibibytes=5)
    before = bytes_read()
    record = read_model(path)
    assert bytes_read() - before < 100_000
    (weight,) = record.graph.initializers
    assert record.identity.size > 5 << 30
    assert (record.opsets, record.graph.name, record.graph.outputs[0].name) == ({"": 21}, "huge", "y")
    assert isinstance(weight.data, RawBytes)
    assert weight.data.length == 5 << 30
    assert weight.problem == ""
    assert read_values(record, weight, start=weight.element_count - 3).tolist() == [0.0, 2.5, -1.0]


def test_that_two_models_in_one_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "twice.onnx"
    path.write_bytes(2 * a_model(helper.make_node("Relu", ["x"], ["y"])).SerializeToString())
    with pytest.raises(InputError, match="two models were written into one file"):
        read_model(path)


def write_large_graph(path: Path, *, nodes: int) -> None:
    """Write a chain of nodes with the notes that exporters add: metadata takes most of the file."""
    model = a_model()
    for index in range(nodes):
        node = model.graph.node.add(op_type="Add", name=f"/model/layers.{index // 20}/attention/node_{index}")
        node.input.extend([f"value_{index}", "x"])
        node.output.append(f"value_{index + 1}")
        node.metadata_props.add(key="pkg.torch.onnx.stack_trace", value=f"File model.py, line {index}\n" * 20)
        value = model.graph.value_info.add(name=f"value_{index + 1}")
        value.type.CopyFrom(helper.make_tensor_type_proto(TensorProto.FLOAT, ["batch", 64]))
    path.write_bytes(model.SerializeToString())


def test_that_fifty_thousand_nodes_take_less_than_a_hundred_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "large.onnx"
    write_large_graph(path, nodes=50_000)
    script = """
import sys
from pathlib import Path
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.value_index import index_model
def most_kibibytes():
    status = Path("/proc/self/status").read_text().splitlines()
    return next(line.split()[1] for line in status if line.startswith("VmHWM:"))
model = read_model(Path(sys.argv[1]))
print(len(model.graph.nodes), most_kibibytes())
index = index_model(model)
print(len(index.main.sources), most_kibibytes())
"""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT / "app")}
    command = [sys.executable, "-c", script, str(path)]
    lines = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    (nodes, reading), (sources, indexing) = [tuple(map(int, line.split())) for line in lines]
    assert (nodes, sources) == (50_000, 50_001)
    assert path.stat().st_size > 30_000_000
    assert reading < 100 << 10
    assert indexing < 150 << 10


def test_that_names_which_are_no_text_stay_different(tmp_path: Path) -> None:
    nodes = [field(1, field(2, name) + field(4, b"A")) for name in (b"\xff", b"\xfe", b"\xff\xfe")]
    path = tmp_path / "names.onnx"
    path.write_bytes(b"\x08\x0a" + field(7, b"".join(nodes)))
    assert [node.outputs for node in read_model(path).graph.nodes] == [("\\xff",), ("\\xfe",), ("\\xff\\xfe",)]


def test_that_a_model_with_more_in_it_than_is_read_is_told_apart_from_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "MOST_RECORDS", 1000)
    path = tmp_path / "many.onnx"
    path.write_bytes(b"\x08\x0a" + field(7, b"\x0a\x00" * 1001))
    with pytest.raises(InputError) as caught:
        read_model(path)
    assert caught.value.findings[0].evidence["kind"] == "too-large"
