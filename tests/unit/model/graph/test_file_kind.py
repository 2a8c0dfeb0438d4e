"""What is said of files that are no models: one error with the kind, the cause and what to do."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from google.protobuf.message import DecodeError
from onnx import ModelProto, numpy_helper, parser, printer, save_model  # noqa: TID253 - models are what this is about

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.model.graph.reader import read_model
from tests.support.limits import public_folder, run_as_ordinary_user
from tests.unit.model.graph.samples import rich_model, sample, written


def refusal(path: Path) -> Finding:
    with pytest.raises(InputError) as caught:
        read_model(path)
    (finding,) = caught.value.findings
    kind = finding.evidence.get("kind")
    told_as = {"truncated": "ORT014", "damaged": "ORT014", "too-large": "STU002", None: "STU002"}.get(kind, "MOD001")
    assert (finding.id, finding.stage, finding.places[0].file) == (told_as, "model", str(path))
    return finding


def kind_of(folder: Path, content: bytes) -> str:
    path = folder / "model.onnx"
    path.write_bytes(content)
    return str(refusal(path).evidence["kind"])


def zipped(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "content")
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("model.onnx"))
    return file.getvalue()


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 123\n"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "empty"),
        (bytes(10_000), "zeros"),
        (POINTER, "lfs-pointer"),
        (b"\n<!DOCTYPE html><html><body>404</body></html>", "html"),
        (b'<?xml version="1.0"?><net name="model"/>', "xml"),
        (b'{"irVersion": "10", "graph": {}}', "json"),
        (b"<\n  ir_version: 8\n>\ng (float x) => (float y) { y = Relu(x) }", "onnx-text"),
        (b'ir_version: 8\ngraph { name: "g" }', "onnx-text"),
        ("just some words, größer".encode(), "text"),
        (zipped("archive/data.pkl", "archive/version"), "pytorch"),
        (zipped("model.onnx"), "archive"),
        (zipped("model.onnx")[:40], "archive"),
        (gzip.compress(b"model"), "archive"),
        (tarred(), "archive"),
        (b"7z\xbc\xaf\x27\x1c\x00\x04", "archive"),
        (pickle.dumps({"weights": [1.0]}), "pickle"),
        ((2).to_bytes(8, "little") + b"{}", "safetensors"),
        (b"GGUF\x03\x00\x00\x00", "gguf"),
        (b"\x1c\x00\x00\x00TFL3\x14\x00", "tflite"),
        (b"\x89HDF\r\n\x1a\n\x00", "hdf5"),
        (b"\x7fELF\x02\x01\x01", "program"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        (b"\x93NUMPY\x01\x00v\x00", "other"),
        (numpy_helper.from_array(np.float32([[1, 2]]), "input").SerializeToString(), "tensor"),
        (np.random.default_rng(7).bytes(5000), "other"),
    ],
    # Archives hold the time of their making, and test processes must agree on the names of tests.
    ids=lambda value: value if isinstance(value, str) else "content",
)
def test_that_a_file_of_another_kind_is_named(tmp_path: Path, content: bytes, kind: str) -> None:
    assert kind_of(tmp_path, content) == kind


def test_that_files_which_torch_onnx_and_a_text_printer_write_are_named(tmp_path: Path) -> None:
    import torch

    torch.save({"weight": torch.ones(2)}, tmp_path / "model.pt")
    assert refusal(tmp_path / "model.pt").evidence["kind"] == "pytorch"
    small = parser.parse_model(
        '<ir_version: 10, opset_import: ["": 20]> g (float[2] x) => (float[2] y) { y = Relu(x) }'
    )
    save_model(rich_model(), str(tmp_path / "model.json"), format="json")
    assert refusal(tmp_path / "model.json").evidence["kind"] == "json"
    save_model(rich_model(), str(tmp_path / "model.textproto"), format="textproto")
    assert refusal(tmp_path / "model.textproto").evidence["kind"] == "onnx-text"
    (tmp_path / "model.onnxtxt").write_text(printer.to_text(small), encoding="utf-8")
    assert refusal(tmp_path / "model.onnxtxt").evidence["kind"] == "onnx-text"


@pytest.mark.parametrize(
    ("name", "kind", "fix"),
    [
        ("synth/lfs_pointer.onnx", "lfs-pointer", "git lfs pull"),
        ("synth/html_error_page.onnx", "html", "download the file itself"),
        ("synth/empty.onnx", "empty", "Download the model itself"),
        ("open/corrupt_30_bytes.onnx", "text", "Choose the model file"),
    ],
)
def test_that_real_files_of_another_kind_are_named_with_what_to_do(name: str, kind: str, fix: str) -> None:
    finding = refusal(sample(name))
    assert finding.evidence["kind"] == kind
    assert fix in finding.fix


def lengths_of_whole_models(content: bytes) -> set[int]:
    """Return where a cut leaves a smaller model: between two fields behind the graph."""
    found = set()
    for length in range(len(content) // 2, len(content) + 1):
        try:
            model = ModelProto.FromString(content[:length])
        except DecodeError:
            continue
        if model.HasField("graph"):
            found.add(length)
    return found


def test_that_a_model_cut_anywhere_is_told_to_be_cut(tmp_path: Path) -> None:
    content = rich_model().SerializeToString()
    path = tmp_path / "cut.onnx"
    whole = lengths_of_whole_models(content)
    for length in (*range(40, len(content) - 1, 97), *whole):
        path.write_bytes(content[:length])
        if length in whole:
            assert read_model(path).graph.name == "main"
            continue
        finding = refusal(path)
        assert finding.evidence["kind"] in ("truncated", "damaged"), length
        assert f"breaks off after {length:,} bytes" in finding.cause or "without a graph" in finding.cause


def test_that_a_broken_length_is_told_with_its_place(tmp_path: Path) -> None:
    content = rich_model().SerializeToString()
    place = content.index(b"\x22\x03Add") + 1
    finding_path = tmp_path / "broken.onnx"
    finding_path.write_bytes(content[:place] + b"\x7f" + content[place + 1 :])
    finding = refusal(finding_path)
    assert finding.evidence["kind"] == "damaged"
    assert f"at byte {place - 1:,}" in finding.cause


def test_that_folders_pipes_and_missing_files_are_refused(tmp_path: Path) -> None:
    assert "It is a folder" in refusal(tmp_path).cause
    os.mkfifo(tmp_path / "pipe")
    assert "a pipe" in refusal(tmp_path / "pipe").cause
    assert "No such file" in refusal(tmp_path / "nothing.onnx").cause
    (tmp_path / "circle").symlink_to("circle")
    assert "symbolic links" in refusal(tmp_path / "circle").cause
    assert "null" in refusal(tmp_path / "a\0b").cause


def test_that_a_file_without_the_right_to_read_it_is_refused() -> None:
    with public_folder() as folder:
        path = written(folder, rich_model())
        path.chmod(0)
        assert "Permission denied" in run_as_ordinary_user(lambda: refusal(path).cause)
