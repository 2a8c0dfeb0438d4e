"""Weights beside the model: found where onnx saves them, and never looked for where they must not lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import onnx  # noqa: TID253 - the independent source
import pytest
from onnx import TensorProto, helper, numpy_helper  # noqa: TID253

from opstudio.base.errors import InputError
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.tensor_records import (
    ExternalBytes,
    ExternalProblem,
    TensorRecord,
)
from opstudio.model.graph.tensor_values import read_values
from tests.unit.model.graph.samples import sample, written


def a_model(**entries: object) -> Any:
    """Return a model with one weight of two floats that lies beside it."""
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        weight.external_data.add(key=key, value=str(value))
    node = helper.make_node("Identity", ["w"], ["y"])
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])]
    return helper.make_model(helper.make_graph([node], "g", [], outputs, [weight]))


def weight_of(folder: Path, **entries: object) -> tuple[TensorRecord, ExternalBytes]:
    (weight,) = read_model(written(folder, a_model(**entries))).graph.initializers
    assert isinstance(weight.data, ExternalBytes)
    return weight, weight.data


def problem_of(folder: Path, **entries: object) -> ExternalProblem | None:
    weight, data = weight_of(folder, **entries)
    assert (data.problem is None) == (weight.problem == "") == (data.path is not None)
    return data.problem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with weights of four floats, and a secret beside it."""
    inside = tmp_path / "model"
    inside.mkdir()
    (inside / "w.bin").write_bytes(np.float32([1, 2, 3, 4]).tobytes())
    (tmp_path / "secret.bin").write_bytes(bytes(64))
    return inside


def test_that_models_which_onnx_saved_have_their_values(tmp_path: Path) -> None:
    arrays = {f"w{index}": np.random.default_rng(index).normal(size=(16, 8)).astype(np.float32) for index in range(3)}
    weights = [numpy_helper.from_array(array, name) for name, array in arrays.items()]
    node = helper.make_node("Sum", list(arrays), ["y"])
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [16, 8])]
    model = helper.make_model(helper.make_graph([node], "g", [], outputs, weights))
    path = tmp_path / "model.onnx"
    onnx.save_model(model, str(path), save_as_external_data=True, location="model.onnx.data", size_threshold=0)

    record = read_model(path)
    for weight in record.graph.initializers:
        assert isinstance(weight.data, ExternalBytes)
        assert weight.data.path == (tmp_path / "model.onnx.data").resolve()
        assert read_values(record, weight).tolist() == arrays[weight.name].ravel().tolist()


def test_that_a_range_is_read_and_one_without_a_length_is_as_long_as_the_tensor(folder: Path) -> None:
    record = read_model(written(folder, a_model(location="w.bin", offset=4)))
    (weight,) = record.graph.initializers
    assert read_values(record, weight).tolist() == [2, 3]
    assert weight.byte_length == 8


@pytest.mark.parametrize(
    "location",
    [
        *("../secret.bin", "/etc/passwd", "sub/../../secret.bin", "..", "./../secret.bin"),
        *("..\\secret.bin", "C:\\secret.bin", "C:secret.bin", "\\\\host\\share\\w", "\\w.bin", ".. /secret.bin"),
        *("//etc/passwd", "sub\\..\\..\\secret.bin", ".../secret.bin"),
    ],
)
def test_that_a_location_outside_is_refused_before_the_file_system_is_asked(
    folder: Path, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sub").mkdir()
    path = written(folder, a_model(location=location, length=8))
    seen: list[str] = []
    real = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda name, **options: (seen.append(str(name)), real(name, **options))[1])
    (weight,) = read_model(path).graph.initializers
    assert isinstance(weight.data, ExternalBytes)
    assert (weight.data.problem, weight.data.path) == (ExternalProblem.OUTSIDE, None)
    assert not any("secret" in name or "etc" in name or "host" in name for name in seen)


def test_that_links_out_of_the_folder_are_refused_and_links_inside_are_followed(folder: Path) -> None:
    (folder / "out.bin").symlink_to("../secret.bin")
    (folder / "chain.bin").symlink_to("out.bin")
    (folder / "up").symlink_to("..")
    (folder / "in.bin").symlink_to("w.bin")
    assert problem_of(folder, location="out.bin", length=8) is ExternalProblem.LINK_OUTSIDE
    assert problem_of(folder, location="chain.bin", length=8) is ExternalProblem.LINK_OUTSIDE
    assert problem_of(folder, location="up/secret.bin", length=8) is ExternalProblem.LINK_OUTSIDE
    assert problem_of(folder, location="in.bin", length=8) is None


def test_that_a_link_which_turns_outwards_later_is_not_followed(folder: Path) -> None:
    (folder / "turn.bin").symlink_to("w.bin")
    record = read_model(written(folder, a_model(location="turn.bin", length=8)))
    (folder / "turn.bin").unlink()
    (folder / "turn.bin").symlink_to("../secret.bin")
    with pytest.raises(InputError, match="a link out of the folder"):
        read_values(record, record.graph.initializers[0])


def test_that_a_cache_of_links_to_another_folder_is_read(folder: Path, tmp_path: Path) -> None:
    written(folder, a_model(location="w.bin", length=8), "blob")
    snapshot = tmp_path / "snapshot"
    snapshot.mkdir()
    (snapshot / "model.onnx").symlink_to(folder / "blob")
    (snapshot / "w.bin").symlink_to(folder / "w.bin")
    record = read_model(snapshot / "model.onnx")
    assert read_values(record, record.graph.initializers[0]).tolist() == [1, 2]


def test_that_everything_else_that_is_wrong_has_its_own_name(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "short.bin").write_bytes(bytes(7))
    (folder / "circle").symlink_to("circle")
    found = {
        name: problem_of(folder, **entries)
        for name, entries in {
            "missing": {"location": "nothing.bin", "length": 8},
            "missing folder": {"location": "w.bin/more", "length": 8},
            "short": {"location": "short.bin", "length": 8},
            "offset behind the end": {"location": "w.bin", "offset": 1 << 60, "length": 8},
            "pipe": {"location": "pipe", "length": 8},
            "circle": {"location": "circle", "length": 8},
            "the folder itself": {"location": ".", "length": 8},
            "no location": {"length": 8},
            "blank": {"location": " ", "length": 8},
            "null": {"location": "w\0.bin", "length": 8},
            "negative": {"location": "w.bin", "offset": -4, "length": 8},
            "no number": {"location": "w.bin", "length": "eight"},
            "endless number": {"location": "w.bin", "length": "9" * 5000},
            "other digits": {"location": "w.bin", "length": "٨"},
            "other length": {"location": "w.bin", "length": 12},
            "long name": {"location": "w" * 5000, "length": 8},
        }.items()
    }
    assert found == {
        "missing": ExternalProblem.MISSING,
        "missing folder": ExternalProblem.MISSING,
        "short": ExternalProblem.TOO_SHORT,
        "offset behind the end": ExternalProblem.TOO_SHORT,
        "pipe": ExternalProblem.NOT_A_FILE,
        "circle": ExternalProblem.NOT_A_FILE,
        "the folder itself": ExternalProblem.LINK_OUTSIDE,
        "no location": ExternalProblem.BAD_LOCATION,
        "blank": ExternalProblem.BAD_LOCATION,
        "null": ExternalProblem.BAD_LOCATION,
        "negative": ExternalProblem.BAD_RANGE,
        "no number": ExternalProblem.BAD_RANGE,
        "endless number": ExternalProblem.BAD_RANGE,
        "other digits": ExternalProblem.BAD_RANGE,
        "other length": ExternalProblem.WRONG_LENGTH,
        "long name": ExternalProblem.BAD_LOCATION,
    }


def test_that_weights_which_cannot_be_read_say_why_when_their_values_are_asked_for(folder: Path) -> None:
    record = read_model(written(folder, a_model(location="nothing.bin", length=8)))
    with pytest.raises(InputError) as caught:
        read_values(record, record.graph.initializers[0])
    assert "no 'nothing.bin' beside the model" in caught.value.findings[0].cause
    assert caught.value.findings[0].places[0].tensor == "w"


def test_that_real_files_are_judged_as_their_list_says() -> None:
    (evil,) = read_model(sample("open/ext_data_escape.onnx")).graph.initializers
    assert isinstance(evil.data, ExternalBytes)
    assert (evil.data.problem, evil.data.path) == (ExternalProblem.OUTSIDE, None)
    missing = read_model(sample("open/ext_data_missing.onnx")).graph.initializers
    assert {tensor.data.problem for tensor in missing if isinstance(tensor.data, ExternalBytes)} == {
        ExternalProblem.MISSING
    }
    path = sample("open/ext_data_present/conv_qdq_external_ini.onnx")
    record = read_model(path)
    expected = {item.name: numpy_helper.to_array(item) for item in onnx.load(str(path)).graph.initializer}
    for tensor in record.graph.initializers:
        assert read_values(record, tensor, count=10_000).tolist() == expected[tensor.name].ravel().tolist()
