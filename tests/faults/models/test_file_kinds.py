"""Files that are no model, or not a whole one: told at once, and good with the file that is meant in their place."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import onnxruntime  # noqa: TID253 - the second opinion
import pytest
from onnx import TensorProto, helper  # noqa: TID253 - models are the subject

from tests.support.workspaces import CommandResult, run_command


def a_model() -> bytes:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"], name="only")], "small", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return bytes(model.SerializeToString())


def pointer(model: bytes) -> bytes:
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{'7' * 64}\nsize {len(model)}\n".encode()


def page(_model: bytes) -> bytes:
    return b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body></body></html>\n"


def zipped(model: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("model.onnx", model)
    return target.getvalue()


def packed(model: bytes) -> bytes:
    return gzip.compress(model)


def empty(_model: bytes) -> bytes:
    return b""


def cut(model: bytes) -> bytes:
    return model[: len(model) // 2]


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What a download left behind, and what must be said of it."""

    id: str
    damage: Callable[[bytes], bytes]
    title: str
    cause: str
    fix: str


FAULTS = (
    Fault(id="MOD001", damage=pointer, title="is not an ONNX model", cause="Git LFS pointer", fix="git lfs pull"),
    Fault(id="MOD001", damage=page, title="is not an ONNX model", cause="web page", fix="download the file itself"),
    Fault(id="MOD001", damage=zipped, title="is not an ONNX model", cause="archive", fix="Unpack it"),
    Fault(id="MOD001", damage=packed, title="is not an ONNX model", cause="archive", fix="Unpack it"),
    Fault(id="MOD001", damage=empty, title="is not an ONNX model", cause="empty", fix="Download the model itself"),
    Fault(id="ORT014", damage=cut, title="is not complete", cause="breaks off after", fix="ownload"),
)


def graph(folder: Path, *arguments: str) -> CommandResult:
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    return run_command("graph", "model.onnx", *arguments, cwd=folder, environment=environment)


def is_taken(path: Path) -> bool:
    try:
        onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    except Exception:  # noqa: BLE001 - its errors have no common class
        return False
    return True


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.id} {fault.damage.__name__}")
def test_that_what_is_no_whole_model_is_told(fault: Fault, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(fault.damage(a_model()))

    result = graph(tmp_path, "--json")

    (finding,) = result.document["findings"]
    assert (result.status, finding["id"], finding["severity"]) == (2, fault.id, "error")
    assert [place["file"] for place in finding["places"]] == ["model.onnx"]
    assert fault.title in finding["title"]
    assert fault.cause in finding["cause"]
    assert fault.fix in finding["fix"]
    assert "Traceback" not in result.errors
    assert not is_taken(path)


def test_that_the_whole_model_in_their_place_is_good(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(a_model())
    result = graph(tmp_path)
    assert (result.status, result.errors, is_taken(path)) == (0, "", True)
