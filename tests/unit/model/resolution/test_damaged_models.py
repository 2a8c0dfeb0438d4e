"""Files that were damaged, and still can be read: whatever they hold, every node gets an answer and nothing raises."""

from __future__ import annotations

from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.finding import Severity
from opstudio.diagnosis.engine import UNEXPLAINED, diagnose
from opstudio.diagnosis.models import ModelContext
from opstudio.model.graph.reader import read_model
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.evidence import examine_model
from opstudio.model.runtime.library_probe import probe_library
from opstudio.model.runtime.onnxruntime_tables import read_runtime_tables
from opstudio.model.shapes.model_walk import walk_model
from opstudio.model.shapes.node_asking import NodeAsker
from tests.support.damaged_models import damaged_models
from tests.support.operator_libraries import WrittenOperator, build_library
from tests.unit.model.graph.samples import rich_model

MUTATIONS = 400
LARGEST_BYTES = 100_000
"""The large hostile files are the reader's to refuse; its own tests read them."""


def test_that_every_node_of_what_can_be_read_gets_an_answer(tmp_path: Path) -> None:
    # An operator without inputs, which mutations of the node meet in every form.
    operators = [
        WrittenOperator(domain="lab", type="Everything", inputs=()),
        WrittenOperator(domain="lab", type="Everything"),
    ]
    library = probe_library(build_library(tmp_path / "lab.so", operators))
    catalogue = Catalogue(read_runtime_tables(), [library])
    read = 0
    for name, content in damaged_models({"rich": rich_model().SerializeToString()}, seed=7, mutations=MUTATIONS):
        if len(content) > LARGEST_BYTES:
            continue
        path = tmp_path / "model.onnx"
        path.write_bytes(content)
        try:
            model = read_model(path)
        except InputError:
            continue
        read += 1
        with SourceFile(path, expected=model.identity) as file:
            shapes = walk_model(model, file, NodeAsker([library.path], model.ir_version))
        evidence = examine_model(model, catalogue, shapes)
        findings = diagnose(evidence, ModelContext(stage="graph", file=name))
        assert len(evidence.nodes) >= len(model.graph.nodes), name
        assert evidence.good == all(finding.severity is not Severity.ERROR for finding in findings), name
        # What is wrong is told by a rule.
        assert UNEXPLAINED not in {finding.id for finding in findings}, name
    assert read > MUTATIONS // 10
