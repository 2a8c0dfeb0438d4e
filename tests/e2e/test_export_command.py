"""``opstudio export``: files of both exporters on both routes, held against the request and run in ONNX Runtime."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.limits import tiny_disk
from tests.support.workspaces import ALONE, ROOT, CommandResult, TestWorkspace

EXPORTERS = ("torchscript", "dynamo")
ROUTES = ("custom", "standard")

NETWORK = '''"""A network that calls three operators, one of them twice."""

import torch


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(6, 6)
        with torch.no_grad():
            self.linear.weight.copy_(torch.linspace(-1.0, 1.0, 36).reshape(6, 6))
            self.linear.bias.copy_(torch.linspace(0.0, 0.5, 6))
        self.dropout = torch.nn.Dropout(0.5)

    def forward(self, x, bias, other, scale=None):
        clipped = torch.ops.myops.relu6_scale(self.dropout(self.linear(x)), 0.75)
        picked = torch.ops.testops.affine_pick(clipped, bias, [5, 0, 0, 2], 0.1)
        bare = torch.ops.testops.affine_pick(clipped, None, picks=[1, 3], scale=-2.0)
        total, number = torch.ops.testops.weighted_sum([clipped, other, clipped], [0.5, -2.0, 0.1], "mean")
        return {"total": total, "picked": picked, "bare": bare, "number": number}


def make():
    network = Network()
    network.train()
    return network


def example_inputs():
    return {"other": torch.ones(3, 6), "x": torch.zeros(3, 6), "bias": torch.zeros(6)}
'''

RUN = """
import importlib.util, json, sys
from pathlib import Path
import numpy, onnxruntime, torch
from tests.support.loaded_operators import load_operators

operators = load_operators(Path(sys.argv[1]))
jobs = json.loads(sys.argv[2])
specification = importlib.util.spec_from_file_location("network", Path(sys.argv[1]) / "network.py")
module = importlib.util.module_from_spec(specification)
specification.loader.exec_module(module)
network = module.make().eval()
for job in jobs:
    feeds = {name: array for name, array in numpy.load(job["feeds"]).items()}
    options = onnxruntime.SessionOptions()
    if job["route"] == "custom":
        options.register_custom_ops_library(operators.library)
    session = onnxruntime.InferenceSession(job["model"], options)
    names = [item.name for item in session.get_outputs()]
    results = dict(zip(names, session.run(None, feeds), strict=True))
    if job["network"]:
        with torch.no_grad():
            tensors = network(**{name: torch.from_numpy(array) for name, array in feeds.items()})
    else:
        tensors = {"y": torch.ops.myops.relu6_scale(torch.from_numpy(feeds["x"]), 0.75)}
    eager = {f"torch {name}": tensor.numpy() for name, tensor in tensors.items()}
    numpy.savez(job["results"], **results, **eager)
"""


@dataclass(frozen=True)
class Exported:
    """A file, what the command said of it, and what ONNX Runtime and PyTorch made of other inputs than the example."""

    path: Path
    command: CommandResult
    feeds: dict[str, np.ndarray]
    results: dict[str, np.ndarray]

    @property
    def model(self) -> Any:
        import onnx

        return onnx.load(self.path)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, built_artifacts: Path) -> TestWorkspace:
    made = TestWorkspace(tmp_path_factory.mktemp("export") / "my 工作区")
    shutil.copytree(built_artifacts, made.root / ".opstudio" / "artifacts")
    made.add("relu6_scale", "relu6_scale", *ALONE)
    for name in ("affine_pick", "weighted_sum"):
        made.add(name, name)
    (made.root / "network.py").write_text(NETWORK, encoding="utf-8")
    (made.root / "out").mkdir()
    return made


@pytest.fixture(scope="module")
def exported(
    workspace: TestWorkspace, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, str, str], Exported]:
    """Export an operator and the network in every way, two at a time, and run all files."""
    random = np.random.default_rng(5)
    feeds = {
        "relu6_scale": {"x": random.normal(size=(5, 512, 768)).astype(np.float32) * 8},
        "network": {
            "x": random.normal(size=(7, 6)).astype(np.float32),
            "bias": random.normal(size=6).astype(np.float32),
            "other": random.normal(size=(7, 6)).astype(np.float32),
        },
    }
    keys = [(model, exporter, route) for model in feeds for exporter in EXPORTERS for route in ROUTES]

    def export(key: tuple[str, str, str]) -> tuple[Path, CommandResult]:
        model, exporter, route = key
        path = workspace.root / "out" / f"{model}-{exporter}-{route}.onnx"
        what = [model, "--opset", "20"] if model == "relu6_scale" else [str(workspace.root / "network.py") + ":make"]
        dynamic = ["--dynamic", "x:0=batch", *(["--dynamic", "other:0=batch"] if model == "network" else [])]
        arguments = ["--exporter", exporter, "--route", route, *dynamic]
        return path, workspace.run("export", *what, "-o", str(path), "--json", *arguments)

    with ThreadPoolExecutor(2) as threads:
        written = dict(zip(keys, threads.map(export, keys), strict=True))
    folder = tmp_path_factory.mktemp("runs")
    jobs: list[dict[str, Any]] = []
    for model, values in feeds.items():
        np.savez(folder / f"{model}.npz", **values)
    for key, (path, command) in written.items():
        assert command.status == 0, command.output + command.errors
        jobs.append(
            {
                "model": str(path),
                "route": key[2],
                "network": key[0] == "network",
                "feeds": str(folder / f"{key[0]}.npz"),
                "results": str(folder / f"{'-'.join(key)}.npz"),
            }
        )
    _run_script(RUN, str(workspace.root), jobs)
    return {
        key: Exported(path, command, feeds[key[0]], dict(np.load(folder / f"{'-'.join(key)}.npz")))
        for key, (path, command) in written.items()
    }


def _run_script(script: str, root: str, jobs: list[dict[str, Any]]) -> None:
    import json

    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'app'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", script, root, json.dumps(jobs)]
    subprocess.run(command, check=True, env=environment, cwd=ROOT)


def dimensions(value: Any) -> list[int | str]:
    return [item.dim_param or item.dim_value for item in value.type.tensor_type.shape.dim]


def attributes(node: Any) -> dict[str, Any]:
    import onnx

    return {item.name: onnx.helper.get_attribute_value(item) for item in node.attribute}


@pytest.mark.parametrize("exporter", EXPORTERS)
def test_that_an_operator_becomes_one_node_of_its_domain(exported: Any, exporter: str) -> None:
    file = exported["relu6_scale", exporter, "custom"]

    (node,) = file.model.graph.node
    assert (node.domain, node.op_type) == ("myops", "Relu6Scale")
    assert attributes(node) == {"scale": 0.75, "max_val": 6.0}
    assert {item.domain: item.version for item in file.model.opset_import} == {"": 20, "myops": 1}


@pytest.mark.parametrize("exporter", EXPORTERS)
def test_that_an_operator_becomes_standard_nodes(exported: Any, exporter: str) -> None:
    file = exported["relu6_scale", exporter, "standard"]

    types = [node.op_type for node in file.model.graph.node if node.op_type != "Constant"]
    assert types == ["Mul", "Clip"]
    assert [(item.domain, item.version) for item in file.model.opset_import] == [("", 20)]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("exporter", EXPORTERS)
def test_that_inputs_and_outputs_of_an_operator_have_the_contracts_names(
    exported: Any, exporter: str, route: str
) -> None:
    graph = exported["relu6_scale", exporter, route].model.graph

    assert [(item.name, dimensions(item)) for item in graph.input] == [("x", ["batch", 512, 768])]
    assert [(item.name, dimensions(item)) for item in graph.output] == [("y", ["batch", 512, 768])]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("exporter", EXPORTERS)
def test_that_an_operator_computes_in_the_runtime_what_it_computes_in_pytorch(
    exported: Any, exporter: str, route: str
) -> None:
    file = exported["relu6_scale", exporter, route]

    expected = np.clip(file.feeds["x"] * np.float32(0.75), 0, 6)
    np.testing.assert_allclose(file.results["y"], expected, rtol=1e-6)
    np.testing.assert_allclose(file.results["torch y"], expected, rtol=1e-6)


@pytest.mark.parametrize("exporter", EXPORTERS)
def test_that_a_network_of_three_operators_keeps_all_its_nodes(exported: Any, exporter: str) -> None:
    model = exported["network", exporter, "custom"].model

    nodes = [node for node in model.graph.node if node.domain]
    assert [(node.domain, node.op_type) for node in nodes] == [
        ("myops", "Relu6Scale"),
        ("testops", "AffinePick"),
        ("testops", "AffinePick"),
        ("testops", "WeightedTotal"),
    ]
    clipped = nodes[0].output[0]
    assert [list(node.input) for node in nodes[1:]] == [[clipped, "bias"], [clipped], [clipped, "other", clipped]]
    assert [attributes(node) for node in nodes[1:]] == [
        {"picks": [5, 0, 0, 2], "scale": np.float32(0.1)},
        {"picks": [1, 3], "scale": -2.0},
        {"weights": [0.5, -2.0, np.float32(0.1)], "mode": b"mean", "keep": 1},
    ]
    assert {item.domain: item.version for item in model.opset_import} == {"": 18, "myops": 1, "testops": 3}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("exporter", EXPORTERS)
def test_that_a_network_keeps_the_names_and_axes_of_its_dicts(exported: Any, exporter: str, route: str) -> None:
    graph = exported["network", exporter, route].model.graph

    assert [(item.name, dimensions(item)) for item in graph.input] == [
        ("x", ["batch", 6]),
        ("bias", [6]),
        ("other", ["batch", 6]),
    ]
    assert {item.name: dimensions(item) for item in graph.output} == {
        "total": ["batch", 6],
        "picked": ["batch", 4],
        "bare": ["batch", 2],
        "number": [1],
    }


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("exporter", EXPORTERS)
def test_that_a_network_in_training_mode_is_exported_for_inference(exported: Any, exporter: str, route: str) -> None:
    file = exported["network", exporter, route]
    weight = np.linspace(-1, 1, 36, dtype=np.float32).reshape(6, 6)
    clipped = np.clip((file.feeds["x"] @ weight.T + np.linspace(0, 0.5, 6, dtype=np.float32)) * 0.75, 0, 6)
    expected = {
        "picked": (clipped + file.feeds["bias"])[:, [5, 0, 0, 2]] * 0.1,
        "bare": clipped[:, [1, 3]] * -2,
        "total": (0.5 * clipped - 2 * file.feeds["other"] + 0.1 * clipped) / 3,
        "number": np.array([3]),
    }

    assert {name for name in file.results if not name.startswith("torch ")} == set(expected)
    for name, values in expected.items():
        np.testing.assert_allclose(file.results[name], values, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(file.results[name], file.results[f"torch {name}"], rtol=1e-4, atol=1e-5)


def test_that_a_file_that_differs_is_written_and_told(workspace: TestWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "late.onnx"
    result = workspace.run("export", f"{workspace.root}/network.py:make", "-o", str(path), "--json", "--opset", "8")

    document = result.document
    assert (result.status, document["good"], document["files"]) == (1, False, [str(path)])
    assert [(item["kind"], item["asked"], item["found"]) for item in document["differences"]] == [("opset", "8", "18")]
    (finding,) = [item for item in document["findings"] if item["id"] == "EXP017"]
    assert [place["file"] for place in finding["places"]] == ["network.py"]
    import onnx

    assert [item.version for item in onnx.load(path).opset_import if not item.domain] == [18]


@pytest.mark.parametrize(("exporter", "most"), [("dynamo", 25), ("torchscript", 20)])
def test_that_an_opset_which_nobody_writes_is_refused_at_once(
    workspace: TestWorkspace, tmp_path: Path, exporter: str, most: int
) -> None:
    path = tmp_path / "old.onnx"
    path.write_bytes(b"old")
    result = workspace.run("export", "relu6_scale", "-o", str(path), "--json", "--opset", "99", "--exporter", exporter)

    assert result.status == 2
    # The opset was given with the command, so that no line of the contract is at fault.
    (finding,) = result.document["findings"]
    assert (finding["id"], finding["places"]) == ("EXP017", [])
    assert f"the {exporter} exporter writes opsets up to {most}" in finding["cause"]
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"old"


def test_that_a_full_disk_is_told_as_one(workspace: TestWorkspace, tmp_path: Path) -> None:
    (workspace.root / "wide.py").write_text(
        "import torch\n\n\n"
        "def make():\n    return torch.nn.Linear(300, 300)\n\n\n"
        "def example_inputs():\n    return torch.ones(2, 300)\n"
    )
    with tiny_disk(tmp_path / "disk") as disk:
        result = workspace.run("export", f"{workspace.root}/wide.py:make", "-o", str(disk / "wide.onnx"))

        assert result.status == 2
        assert "the disk is full" in result.errors
        assert list(disk.iterdir()) == []


def test_that_weights_of_a_large_model_lie_beside_it(workspace: TestWorkspace, tmp_path: Path) -> None:
    if shutil.disk_usage(tmp_path).free < 4 * 2**30:
        pytest.skip("there is no room for a large model")
    model = workspace.root / "large.py"
    model.write_text(
        "import torch\n\n\n"
        "class Large(torch.nn.Embedding):\n"
        "    def __init__(self):\n"
        "        super().__init__(400_000, 1024, _weight=torch.zeros(400_000, 1024))\n\n\n"
        "def example_inputs():\n"
        "    return torch.tensor([1, 2])\n"
    )
    path = tmp_path / "large.onnx"
    result = workspace.run("export", f"{model}:Large", "-o", str(path), "--json", "--dynamic", "input:0=count")

    sizes = {file.name: file.stat().st_size for file in tmp_path.iterdir()}
    (tmp_path / "large.onnx.data").unlink()
    assert (result.status, result.document["differences"]) == (0, [])
    assert result.document["files"] == [str(path), str(tmp_path / "large.onnx.data")]
    assert sizes.keys() == {"large.onnx", "large.onnx.data"}
    assert sizes["large.onnx.data"] == 400_000 * 1024 * 4
