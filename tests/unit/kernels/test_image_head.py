"""The model of several operators, exported in four ways; the one of standard nodes is run against PyTorch's own."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from opstudio.workspace.folder import open_workspace
from tests.support.workspaces import KERNELS, TestWorkspace

OPERATORS = ("normalize_image", "swish", "rms_norm", "row_softmax")
CUSTOM_NODES = ["NormalizeImage", "Swish", "RmsNorm", "RowSoftmax"]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("models") / "workspace")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    for name in OPERATORS:
        made.add(name, name)
    shutil.copytree(KERNELS / "models", made.root / "models")
    return made


@pytest.fixture(scope="module")
def image_head() -> ModuleType:
    spec = importlib.util.spec_from_file_location("image_head", KERNELS / "models" / "image_head.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def export(workspace: TestWorkspace, exporter: str, route: str) -> Path:
    file = workspace.root / f"{exporter}-{route}.onnx"
    how = ("--exporter", exporter, "--route", route, "--dynamic", "image:0=batch")
    result = workspace.run("export", f"{workspace.root}/models/image_head.py:make", "-o", str(file), *how)
    assert result.status == 0, result.output + result.errors
    return file


def test_that_a_folder_of_models_is_no_operator() -> None:
    names = {operator.name for operator in open_workspace(KERNELS).operators()}

    assert {*OPERATORS, "relu6_scale", "directional_pool2d"} <= names
    assert "models" not in names


def test_that_the_weights_are_the_same_in_every_run(image_head: ModuleType) -> None:
    import torch

    first, second = image_head.make(), image_head.make()

    assert all(torch.equal(ours, theirs) for ours, theirs in zip(first.parameters(), second.parameters(), strict=True))


@pytest.mark.parametrize("exporter", ["dynamo", "torchscript"])
def test_that_the_custom_route_has_a_node_for_each_operator(workspace: TestWorkspace, exporter: str) -> None:
    import onnx

    graph = onnx.load(export(workspace, exporter, "custom")).graph

    assert [node.op_type for node in graph.node if node.domain == "myops"] == CUSTOM_NODES
    assert graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"


@pytest.mark.parametrize("exporter", ["dynamo", "torchscript"])
def test_that_the_standard_route_computes_what_pytorch_does(
    workspace: TestWorkspace, image_head: ModuleType, exporter: str
) -> None:
    import onnxruntime
    import torch

    model, functional = image_head.make(), torch.nn.functional
    images = np.random.default_rng(1).integers(0, 256, (3, 32, 48, 3), dtype=np.uint8)  # one more than the example's
    mean, std = (torch.tensor(numbers).reshape(-1, 1, 1) for numbers in (image_head.MEAN, image_head.STD))
    with torch.no_grad():
        planes = (torch.from_numpy(images).permute(0, 3, 1, 2) / 255 - mean) / std
        features = functional.silu(model.filter(planes)).mean(dim=(2, 3))
        row = functional.rms_norm(features, (image_head.FEATURES,), model.weight, 1e-6)
        expected = torch.softmax(model.classify(row), -1).numpy()

    session = onnxruntime.InferenceSession(export(workspace, exporter, "standard"), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {"image": images})

    np.testing.assert_allclose(found, expected, rtol=1e-4)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-6)
