"""Values of tensors against ``onnx.numpy_helper.to_array``, for every element type, stored in every way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx  # noqa: TID253 - the independent source
import pytest
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253

from opstudio.base.errors import CancelledError, InputError
from opstudio.jobs.cancel import CancelToken
from opstudio.model.graph import tensor_values
from opstudio.model.graph.element_types import ELEMENT_TYPES, STRING
from opstudio.model.graph.element_values import decoded
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.records import ModelRecord
from opstudio.model.graph.tensor_records import (
    TensorRecord,
)
from opstudio.model.graph.tensor_statistics import tensor_statistics
from opstudio.model.graph.tensor_values import read_values, value_blocks
from tests.unit.model.graph.samples import real_models, written

NUMPYS_OWN = 1
"""``isbuiltin`` of types that do not come from an extension."""
NUMBERS = sorted(set(ELEMENT_TYPES) - {STRING})


def stored(folder: Path, *tensors: Any, name: str = "model.onnx") -> tuple[ModelRecord, tuple[TensorRecord, ...]]:
    node = helper.make_node("Identity", ["t"], ["y"])
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    model = helper.make_model(helper.make_graph([node], "g", [], outputs, list(tensors)))
    record = read_model(written(folder, model, name))
    return record, record.graph.initializers


def some_bytes(code: int, elements: int) -> bytes:
    """Return elements of a type as bytes, all kinds of codes among them, in the form in which they are stored."""
    kind = ELEMENT_TYPES[code]
    content = bytearray(np.random.default_rng(code).bytes(kind.stored_bytes(elements)))
    if kind.name == "bool":
        content = bytearray(byte & 1 for byte in content)
    # What is left of the last byte is zero.
    spare = 8 * len(content) - elements * 8 * kind.group_bytes // kind.group_elements
    content[-1] &= 0xFF >> spare
    return bytes(content)


def raw_tensor(code: int, elements: int) -> Any:
    return TensorProto(name="t", data_type=code, dims=[elements], raw_data=some_bytes(code, elements))


def assert_same(ours: npt.NDArray[Any], theirs: npt.NDArray[Any]) -> None:
    widened = theirs if theirs.dtype.isbuiltin == NUMPYS_OWN else theirs.astype(ours.dtype)
    assert ours.dtype == widened.dtype
    np.testing.assert_array_equal(ours, widened.ravel())


def test_that_every_element_type_of_onnx_is_known_by_its_size() -> None:
    assert set(ELEMENT_TYPES) == set(TensorProto.DataType.values()) - {TensorProto.UNDEFINED}
    for code in NUMBERS:
        kind = ELEMENT_TYPES[code]
        if kind.group_elements == 1:
            assert kind.group_bytes == helper.tensor_dtype_to_np_dtype(code).itemsize, kind.name


@pytest.mark.parametrize("code", NUMBERS, ids=lambda code: ELEMENT_TYPES[code].name)
def test_that_raw_values_of_every_type_are_those_of_onnx(tmp_path: Path, code: int) -> None:
    tensor = raw_tensor(code, 1001)
    record, (found,) = stored(tmp_path, tensor)
    expected = numpy_helper.to_array(tensor)
    assert found.problem == ""
    assert_same(read_values(record, found, count=5000), expected)
    for start, count in ((0, 1), (1, 1), (7, 30), (998, 100), (1001, 5), (5000, 5)):
        assert_same(read_values(record, found, start=start, count=count), expected[start : start + count])


@pytest.mark.parametrize("code", NUMBERS, ids=lambda code: ELEMENT_TYPES[code].name)
def test_that_values_in_typed_fields_are_those_of_onnx(tmp_path: Path, code: int) -> None:
    expected = numpy_helper.to_array(raw_tensor(code, 101))
    # The field and its packing are onnx's own: it takes values and stores them without raw bytes.
    tensor = helper.make_tensor("t", code, [101], expected)
    assert not tensor.HasField("raw_data")
    record, (found,) = stored(tmp_path, tensor)
    assert found.problem == ""
    assert_same(read_values(record, found, count=500), numpy_helper.to_array(tensor))
    assert_same(read_values(record, found, start=33, count=20), numpy_helper.to_array(tensor)[33:53])


def test_that_all_codes_of_small_floats_have_the_values_of_ml_dtypes() -> None:
    import ml_dtypes

    types = {
        17: ml_dtypes.float8_e4m3fn,
        18: ml_dtypes.float8_e4m3fnuz,
        19: ml_dtypes.float8_e5m2,
        20: ml_dtypes.float8_e5m2fnuz,
        24: ml_dtypes.float8_e8m0fnu,
    }
    codes = np.arange(256, dtype=np.uint8)
    for code, kind in types.items():
        np.testing.assert_array_equal(
            decoded(ELEMENT_TYPES[code], codes.tobytes(), 256), codes.view(kind).astype(np.float32)
        )
    words = np.arange(1 << 16, dtype=np.uint16)
    np.testing.assert_array_equal(
        decoded(ELEMENT_TYPES[16], words.tobytes(), 1 << 16), words.view(ml_dtypes.bfloat16).astype(np.float32)
    )


def test_that_strings_are_read(tmp_path: Path) -> None:
    tensor = helper.make_tensor("t", TensorProto.STRING, [4], [b"a", "größe".encode(), b"", b"\xff"])
    record, (found,) = stored(tmp_path, tensor)
    assert read_values(record, found).tolist() == ["a", "größe", "", b"\xff"]
    assert read_values(record, found, start=1, count=2).tolist() == ["größe", ""]


def test_that_small_blocks_and_unpacked_fields_read_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [0, 1, -1, 127, 128, -(1 << 63), (1 << 63) - 1, 300, 1 << 35] * 7
    packed = helper.make_tensor("packed", TensorProto.INT64, [63], numbers)
    six_bits = raw_tensor(27, 1001)
    record, (first, second) = stored(tmp_path, packed, six_bits)
    expected = numpy_helper.to_array(six_bits).astype(np.float32)
    for block in (1, 3, 7, 64, 1000):
        monkeypatch.setattr(tensor_values, "BLOCK_BYTES", block)
        assert read_values(record, first).tolist() == numbers
        np.testing.assert_array_equal(np.concatenate(list(value_blocks(record, second))), expected)

    unpacked = TensorProto(name="t", data_type=TensorProto.FLOAT, dims=[3]).SerializeToString()
    unpacked += b"".join(b"\x25" + np.float32(value).tobytes() for value in (0.5, -2, 9))
    again = TensorProto.FromString(unpacked)
    plain = written_around(tmp_path, unpacked)
    assert numpy_helper.to_array(again).tolist() == [0.5, -2, 9]
    assert read_values(plain, plain.graph.initializers[0]).tolist() == [0.5, -2, 9]

    single = TensorProto(name="t", data_type=TensorProto.INT16, dims=[3]).SerializeToString()
    single += b"\x28\x05" + b"\x28" + b"\xff" * 9 + b"\x01" + b"\x28\x80\x02"
    assert numpy_helper.to_array(TensorProto.FromString(single)).tolist() == [5, -1, 256]
    plain = written_around(tmp_path, single)
    assert read_values(plain, plain.graph.initializers[0]).tolist() == [5, -1, 256]


def written_around(folder: Path, tensor: bytes) -> ModelRecord:
    """Write a model around the bytes of a tensor that protobuf itself would write in another way."""
    graph = b"\x2a" + bytes([len(tensor)]) + tensor
    path = folder / "around.onnx"
    path.write_bytes(b"\x08\x0a\x3a" + bytes([len(graph)]) + graph)
    return read_model(path)


@pytest.mark.parametrize("path", real_models(), ids=lambda path: path.name)
def test_that_values_of_real_files_are_those_of_onnx(path: Path) -> None:
    record = read_model(path)
    theirs = {item.name: item for item in onnx.load(str(path), load_external_data=False).graph.initializer}
    for tensor in record.graph.initializers:
        if tensor.problem:
            continue
        expected = numpy_helper.to_array(theirs[tensor.name], base_dir=str(path.parent))
        ours = read_values(record, tensor, count=1_000_000)
        if tensor.element_type == STRING:
            assert ours.tolist() == expected.ravel().tolist()
        else:
            assert_same(ours, expected)


@pytest.mark.parametrize(
    ("tensor", "cause"),
    [
        (TensorProto(data_type=1, dims=[2], raw_data=bytes(7)), "it has 7 bytes, its type and shape need 8"),
        (TensorProto(data_type=1, dims=[2]), "it has no values, its shape needs 2"),
        (TensorProto(data_type=1, dims=[2, -1], raw_data=b""), "negative size"),
        (TensorProto(data_type=99, dims=[2], raw_data=bytes(8)), "element type 99 is not one of ONNX"),
        (TensorProto(data_type=1, dims=[2], float_data=[1.0]), "it has 4 bytes of numbers"),
        (TensorProto(data_type=7, dims=[2], int64_data=[1]), "fewer values than its shape needs"),
        (TensorProto(data_type=7, dims=[1], float_data=[1]), "it has no values"),
        (TensorProto(data_type=8, dims=[2], string_data=[b"a"]), "fewer strings than its shape needs"),
        (TensorProto(data_type=8, dims=[2], raw_data=b"ab"), "strings as raw bytes"),
        (TensorProto(data_type=1, dims=[1 << 62, 1 << 62], float_data=[1.0]), "it has 4 bytes of numbers"),
        (TensorProto(data_type=7, dims=[1 << 62, 1 << 62], int64_data=[1]), "fewer values"),
    ],
)
def test_that_values_which_are_not_there_are_told(tmp_path: Path, tensor: Any, cause: str) -> None:
    record, (found,) = stored(tmp_path, tensor)
    with pytest.raises(InputError, match=cause):
        read_values(record, found)


def test_that_empty_tensors_have_no_values_and_no_problem(tmp_path: Path) -> None:
    record, (found,) = stored(tmp_path, TensorProto(data_type=1, dims=[0, 3]))
    assert (found.problem, read_values(record, found).tolist()) == ("", [])
    statistics = tensor_statistics(record, found)
    assert (statistics.count, statistics.minimum, statistics.mean) == (0, None, None)


@pytest.mark.parametrize("code", [1, 6, 9, 10, 11, 13, 16, 17, 22])
def test_that_statistics_are_those_of_numpy(tmp_path: Path, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Blocks that do not divide the tensor.
    monkeypatch.setattr(tensor_values, "BLOCK_BYTES", 1024)
    tensor = raw_tensor(code, 3001)
    if code == TensorProto.DOUBLE:
        tensor = numpy_helper.from_array(np.random.default_rng(1).normal(3.0, 2.0, size=3001), "t")
    record, (found,) = stored(tmp_path, tensor)
    values = read_values(record, found, count=5000)
    values = values.astype(np.float64) if values.dtype != np.float32 else values
    finite = values[np.isfinite(values)].astype(np.float64)

    statistics = tensor_statistics(record, found, bins=16)
    assert (statistics.count, statistics.zeros) == (3001, int(np.count_nonzero(values == 0)))
    assert statistics.nans == int(np.isnan(values).sum())
    assert statistics.positive_infinities == int(np.isposinf(values).sum())
    assert statistics.negative_infinities == int(np.isneginf(values).sum())
    assert (statistics.minimum, statistics.maximum) == (finite.min(), finite.max())
    assert statistics.mean == pytest.approx(finite.mean(), rel=1e-9, abs=1e-12 * np.abs(finite).max())
    assert statistics.standard_deviation == pytest.approx(finite.std(), rel=1e-9)
    counts, _ = np.histogram(finite, bins=16)
    assert sum(statistics.histogram) == len(finite)
    assert np.abs(np.array(statistics.histogram) - counts).sum() <= 4


def test_that_statistics_end_when_cancelled_and_refuse_strings(tmp_path: Path) -> None:
    words = helper.make_tensor("words", TensorProto.STRING, [1], [b"a"])
    record, (numbers, strings) = stored(tmp_path, raw_tensor(1, 10), words)
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        tensor_statistics(record, numbers, cancel=token)
    with pytest.raises(InputError, match="strings have no numbers"):
        tensor_statistics(record, strings)


def test_that_statistics_of_the_whole_range_of_float64_are_finite_where_they_can_be(tmp_path: Path) -> None:
    largest = np.finfo(np.float64).max
    record, (found,) = stored(tmp_path, numpy_helper.from_array(np.array([-largest, 0.0, largest]), "t"))
    statistics = tensor_statistics(record, found, bins=3)
    assert (statistics.minimum, statistics.maximum, statistics.histogram) == (-largest, largest, (1, 1, 1))


def test_that_large_integers_keep_their_range_exactly(tmp_path: Path) -> None:
    values = np.array([(1 << 63) - 1, -(1 << 63) + 1, 5])
    record, (found,) = stored(tmp_path, numpy_helper.from_array(values, "t"))
    statistics = tensor_statistics(record, found)
    assert (statistics.minimum, statistics.maximum) == (-(1 << 63) + 1, (1 << 63) - 1)
