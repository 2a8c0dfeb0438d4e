"""``opstudio build --release``: what is given away works where nothing of the studio is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.workspaces import CommandResult, TestWorkspace

OPERATORS = ("affine_pick", "weighted_sum")

USE = """
import sys
import numpy, onnxruntime, torch
from onnx import TensorProto, helper
sys.path.insert(0, sys.argv[1])
import testops_operators

testops_operators.register_with_torch()
testops_operators.register_with_torch()
x = torch.arange(12, dtype=torch.float32).reshape(3, 4).requires_grad_()
y = torch.ops.testops.affine_pick(x, None, [3, 3], 2.0)
y.sum().backward()
assert y.tolist() == [[6.0, 6.0], [14.0, 14.0], [22.0, 22.0]], y
assert x.grad.tolist() == [[0.0, 0.0, 0.0, 4.0]] * 3, x.grad

node = helper.make_node("AffinePick", ["x"], ["y"], domain="testops", picks=[3, 3], scale=2.0)
value = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 4])
result = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 2])
imports = [helper.make_opsetid("", 18), helper.make_opsetid("testops", 3)]
model = helper.make_model(helper.make_graph([node], "one", [value], [result]), opset_imports=imports, ir_version=9)
options = onnxruntime.SessionOptions()
options.register_custom_ops_library(testops_operators.ONNXRUNTIME_LIBRARY)
session = onnxruntime.InferenceSession(model.SerializeToString(), options)
numpy.testing.assert_array_equal(session.run(None, {"x": x.detach().numpy()})[0], y.detach().numpy())
assert not [name for name in sys.modules if name.startswith("opstudio")]
print("used")
"""


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> tuple[TestWorkspace, CommandResult]:
    """A workspace of two operators and what releasing them printed."""
    workspace = TestWorkspace(tmp_path_factory.mktemp("release") / "my 工作区")
    shutil.copytree(built_artifacts, workspace.root / ".opstudio" / "artifacts")
    for name in OPERATORS:
        workspace.add(name, name)
    return workspace, workspace.run("build", "--all", "--release", "--json", timeout=600)


def test_that_a_release_passes_the_checks_of_what_it_was_made_from(
    released: tuple[TestWorkspace, CommandResult],
) -> None:
    _, result = released
    assert result.status == 0, result.output + result.errors
    (domain,) = result.document["releases"]

    assert (domain["domain"], domain["version"], domain["released"]) == ("testops", 3, True)
    assert [operator["verdict"] for operator in domain["operators"]] == ["good", "good"]
    stages = {stage["id"]: stage["state"] for stage in domain["operators"][0]["stages"]}
    assert {"value", "gradient", "parity", "export", "opcheck", "concurrency"} <= stages.keys()
    assert set(stages.values()) == {"good"}


def test_that_the_wheel_installs_and_runs_from_the_root_folder_with_an_empty_environment(
    released: tuple[TestWorkspace, CommandResult], tmp_path: Path
) -> None:
    workspace, _ = released
    (wheel,) = (workspace.root / "dist" / "testops").glob("*.whl")
    installed = tmp_path / "site"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-index",
        "--no-deps",
        "--target",
        str(installed),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)

    used = subprocess.run(
        [sys.executable, "-I", "-c", USE, str(installed)], cwd="/", env={}, capture_output=True, text=True, check=False
    )

    assert used.stdout.strip().endswith("used"), used.stderr


def test_that_the_wheel_says_what_it_needs(released: tuple[TestWorkspace, CommandResult]) -> None:
    workspace, _ = released
    (wheel,) = (workspace.root / "dist" / "testops").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()

    assert "Requires-Dist: torch==2.13.0" in metadata
    assert sorted(name.rpartition("/")[2] for name in names if name.endswith(".so")) == [
        "libtestops_onnxruntime.so",
        "libtestops_torch.so",
    ]


def test_that_no_path_of_this_machine_is_given_away(released: tuple[TestWorkspace, CommandResult]) -> None:
    workspace, _ = released
    files = [path for path in (workspace.root / "dist").rglob("*") if path.is_file()]

    assert [path for path in files if str(workspace.root).encode() in path.read_bytes()] == []
    assert [path for path in files if str(Path.home()).encode() + b"/" in path.read_bytes()] == []


def test_that_the_sources_build_without_the_studio(
    released: tuple[TestWorkspace, CommandResult], tmp_path: Path
) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    workspace, _ = released
    sources = tmp_path / "sources"
    shutil.copytree(workspace.root / "dist" / "testops" / "source", sources)

    for command in (["cmake", "-B", "build", "-DWITH_TORCH=OFF"], ["cmake", "--build", "build"]):
        done = subprocess.run(command, cwd=sources, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    assert (sources / "build" / "libtestops_onnxruntime.so").is_file()


def test_that_a_published_argument_cannot_be_renamed_without_a_new_version(
    released: tuple[TestWorkspace, CommandResult],
) -> None:
    workspace, _ = released
    before = snapshot(workspace.root / "dist")
    folder = workspace.root / "affine_pick"
    kept = {path: path.read_text(encoding="utf-8") for path in folder.glob("*.*")}
    try:
        for path, text in kept.items():
            path.write_text(text.replace("scale", "factor"), encoding="utf-8")
        (folder / "history.toml").write_text(kept[folder / "history.toml"], encoding="utf-8")

        result = workspace.run("build", "affine_pick", "--release", "--json", timeout=600)
    finally:
        for path, text in kept.items():
            path.write_text(text, encoding="utf-8")

    assert result.status == 1
    (domain,) = result.document["releases"]
    assert not domain["released"]
    assert "REG016" in {finding["id"] for finding in domain["operators"][0]["findings"]}
    assert snapshot(workspace.root / "dist") == before


def test_that_words_of_the_language_serve_as_names(fresh_workspace: TestWorkspace) -> None:
    fresh_workspace.add("hard_names", "hard_names")

    result = fresh_workspace.run("build", "hard_names", "--release", "--json", timeout=600)

    assert result.status == 0, result.output + result.errors
    assert result.document["releases"][0]["released"]


def test_that_a_raw_operator_is_refused_with_a_reason(fresh_workspace: TestWorkspace) -> None:
    assert fresh_workspace.run("new", "mine", "--template", "raw").status == 0
    for name in OPERATORS:
        fresh_workspace.add(name, name)

    alone = fresh_workspace.run("build", "mine", "--release")
    result = fresh_workspace.run("build", "--all", "--release")

    assert (alone.status, result.status) == (2, 2)
    assert "it is a raw operator" in alone.errors
    assert "Release the others: opstudio build affine_pick weighted_sum --release" in result.errors
    assert not (fresh_workspace.root / "dist").exists()


def snapshot(folder: Path) -> dict[str, tuple[int, float]]:
    """Return size and time of every file, by its path."""
    result: dict[str, tuple[int, float]] = {}
    for root, _, names in os.walk(folder):
        for name in names:
            state = (Path(root) / name).stat()
            result[str(Path(root) / name)] = (state.st_size, state.st_mtime)
    return result
