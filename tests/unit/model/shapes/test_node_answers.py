"""Models that ONNX itself is tested with, and random graphs: refused and taken as whole sessions do."""

from __future__ import annotations

import random
from pathlib import Path

import onnxruntime  # noqa: TID253 - the oracle
import pytest
from onnx import ModelProto, backend, load_model  # noqa: TID253 - a source of models that is not ours

from opstudio.model.graph.reader import read_model
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.evidence import GraphEvidence, examine_model
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables
from opstudio.model.shapes.model_walk import walk_model
from opstudio.model.shapes.node_asking import NodeAsker
from tests.unit.model.shapes.random_graphs import random_model

OWN_MODELS = Path(backend.__file__).parent / "test" / "data"
RANDOM = 250
MOST_MISSED = 4
"""Faults that show only after the runtime put partly known sizes together, or fused nodes."""


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue(read_runtime_tables())


def examined(path: Path, model: ModelProto, catalogue: Catalogue) -> GraphEvidence:
    path.write_bytes(model.SerializeToString())
    record = read_model(path)
    with SourceFile(path, expected=record.identity) as file:
        return examine_model(record, catalogue, walk_model(record, file, NodeAsker(ir_version=record.ir_version)))


def refusal_of(model: ModelProto) -> str:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 - its errors have no common class
        return str(error)
    return ""


def test_that_onnxs_own_models_are_taken_and_refused_as_sessions_do(tmp_path: Path, catalogue: Catalogue) -> None:
    wrong, counts = [], {True: 0, False: 0}
    for path in sorted(OWN_MODELS.rglob("*.onnx")):
        model = load_model(str(path))
        refusal = refusal_of(model)
        counts[not refusal] += 1
        if examined(tmp_path / "model.onnx", model, catalogue).good != (not refusal):
            wrong.append((str(path), refusal[:200]))
    assert wrong == []
    assert counts[True] > 80
    assert counts[False] > 20


def test_that_random_graphs_are_never_refused_where_a_session_takes_them(tmp_path: Path, catalogue: Catalogue) -> None:
    missed, alarms, taken = [], [], 0
    for seed in range(RANDOM):
        model = random_model(random.Random(seed))  # noqa: S311 - no secret
        refusal, is_good = refusal_of(model), examined(tmp_path / "model.onnx", model, catalogue).good
        taken += not refusal
        if is_good and refusal:
            missed.append((seed, refusal[:200]))
        elif refusal == "" and not is_good:
            alarms.append(seed)
    assert alarms == []
    assert len(missed) <= MOST_MISSED, missed
    assert 30 < taken < RANDOM - 30
