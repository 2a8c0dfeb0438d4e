"""An export that is watched: where nodes come from, what became of operators, which line fixed a size."""

from __future__ import annotations

import dataclasses
import importlib.util
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import onnx  # noqa: TID253 - files are what this is about
import pytest

from opstudio.model.export_debugging.attempt import attempt_export
from opstudio.model.export_debugging.eager_calls import record_calls
from opstudio.model.export_debugging.records import Attempt, Fate, Step
from opstudio.model.export_debugging.schema_contract import contract_of
from opstudio.model.export_debugging.signature import signature_of
from opstudio.model.export_request import DynamicAxis, Exporter, ExportRequest, Route
from opstudio.model.exportable import Exportable

NET = """import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())

    def forward(self, x):
        return self.layers(x) * 2  # block


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block()
        self.second = Block()

    def forward(self, x):
        y = self.second(self.first(x))
        y = torch.nn.functional.layer_norm(y, (4,))  # normed
        return y.sum(-1) + torch.ones(2).sum()  # last


class Fixing(torch.nn.Module):
    def forward(self, x):
        if rows_of(x) == 3:
            x = x + 1
        return x


def rows_of(x):
    return int(x.shape[0])  # rows
"""


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path = tmp_path_factory.mktemp("nets") / "watched_net.py"
    path.write_text(NET, encoding="utf-8")
    specification = importlib.util.spec_from_file_location("watched_net", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def attempt(nets: ModuleType, name: str, exporter: Exporter, folder: Path, axes: Mapping[int, str]) -> Attempt:
    import torch

    source = Path(str(nets.__file__)).parent
    exportable = Exportable(make=getattr(nets, name), inputs=(torch.ones(3, 4),), contracts=(), references={})
    eager = record_calls(exportable, source)
    contracts = tuple(contract_of(signature_of(call), file="watched_net.py") for call in eager.custom)
    dynamic = tuple(DynamicAxis(input="x", axis=axis, name=text) for axis, text in axes.items())
    request = ExportRequest(exporter=exporter, route=Route.CUSTOM, opset=18, dynamic=dynamic)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return attempt_export(
            dataclasses.replace(exportable, contracts=contracts), request, folder / "model.onnx", source, eager
        )


@pytest.fixture(scope="module")
def attempts(nets: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> dict[Exporter, Attempt]:
    return {item: attempt(nets, "Net", item, tmp_path_factory.mktemp(item.value), {0: "batch"}) for item in Exporter}


def line_of(text: str) -> int:
    (number,) = [number for number, line in enumerate(NET.splitlines(), start=1) if line.endswith(f"# {text}")]
    return number


@pytest.mark.parametrize("exporter", Exporter)
def test_that_each_node_of_the_file_has_its_operator_module_and_line(
    attempts: dict[Exporter, Attempt], exporter: Exporter
) -> None:
    found = attempts[exporter]
    model = onnx.load(found.file)

    assert [item.node for item in found.origins] == [node.name for node in model.graph.node]
    gemms = [item for item in found.origins if item.type == "Gemm"]
    assert [(item.operator, item.module) for item in gemms] == [
        ("aten::linear", "first.layers.0"),
        ("aten::linear", "second.layers.0"),
    ]
    assert [item.at.line for item in gemms if item.at] == [line_of("block")] * 2
    (norm,) = [item for item in found.origins if item.type == "LayerNormalization"]
    assert (norm.operator, norm.module) == ("aten::layer_norm", "")
    assert norm.at is not None
    assert (norm.at.line, norm.at.text.startswith("y = torch.nn.functional.layer_norm")) == (line_of("normed"), True)


@pytest.mark.parametrize("exporter", Exporter)
def test_that_the_file_that_is_delivered_tells_no_paths_of_its_own(
    attempts: dict[Exporter, Attempt], exporter: Exporter
) -> None:
    model = onnx.load(attempts[exporter].file)

    assert [node.doc_string for node in model.graph.node if node.doc_string] == []


@pytest.mark.parametrize("exporter", Exporter)
def test_that_operators_have_their_fates(attempts: dict[Exporter, Attempt], exporter: Exporter) -> None:
    fates = {item.operator: item for item in attempts[exporter].fates}

    linear = fates["aten::linear"]
    assert (linear.fate, linear.calls, linear.nodes["Gemm"], linear.is_custom) == (Fate.TRANSLATED, 2, 2, False)


def test_that_what_is_computed_of_constants_is_folded(attempts: dict[Exporter, Attempt]) -> None:
    fates = {item.operator: item for item in attempts[Exporter.DYNAMO].fates}

    assert (fates["aten::ones"].fate, fates["aten::ones"].nodes) == (Fate.FOLDED, {})
    assert "ConstantOfShape" not in attempts[Exporter.DYNAMO].node_types


@pytest.mark.parametrize("exporter", Exporter)
def test_that_a_dimension_that_varies_is_kept(attempts: dict[Exporter, Attempt], exporter: Exporter) -> None:
    (dimension,) = attempts[exporter].dimensions

    assert (dimension.asked, dimension.found, dimension.is_kept) == ("batch", "batch", True)
    assert (attempts[exporter].step, attempts[exporter].differences) == (Step.DONE, ())


def test_that_the_line_that_fixes_a_size_is_the_one_that_asks(nets: ModuleType, tmp_path: Path) -> None:
    found = attempt(nets, "Fixing", Exporter.DYNAMO, tmp_path, {0: "batch"})

    (dimension,) = found.dimensions
    assert (dimension.found, dimension.is_kept, found.step) == ("", False, Step.CAPTURE)
    (reason,) = dimension.because
    assert (reason.dimension, reason.value) == ("axis 0 of x", "3")
    assert reason.at is not None
    assert reason.at.line == line_of("rows")
    assert found.record.at is not None
    assert found.record.at.line == line_of("rows")
    assert "ValueError" in found.causes[-1]


def test_that_the_loggers_of_the_exporter_are_as_they_were(nets: ModuleType, tmp_path: Path) -> None:
    import logging

    logger: Any = logging.getLogger("torch.fx.experimental.symbolic_shapes")
    before = (logger.level, logger.propagate, list(logger.handlers))

    attempt(nets, "Fixing", Exporter.DYNAMO, tmp_path, {0: "batch"})

    assert (logger.level, logger.propagate, list(logger.handlers)) == before
