"""Everything that is offered for real files: each fix reads back in onnx with all other parts as they were."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.message import DecodeError
from onnx import ModelProto, load_model  # noqa: TID253 - the second opinion

from opstudio.base.errors import InputError
from opstudio.diagnosis.engine import diagnose
from opstudio.diagnosis.models import ModelContext
from opstudio.jobs.cancel import CancelToken
from opstudio.model.fixes.fix import FixTarget
from opstudio.model.fixes.preview import unified_difference
from opstudio.model.fixes.registry import edits_of, find_offers
from opstudio.model.fixes.splices import write_spliced
from opstudio.model.graph.reader import read_model
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.evidence import examine_model
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge
from tests.unit.model.graph.samples import real_models, sample


@pytest.fixture(scope="module")
def catalogue(knowledge: RuntimeKnowledge) -> Catalogue:
    return Catalogue(knowledge.tables(CancelToken()))


def a_target(path: Path, catalogue: Catalogue) -> FixTarget:
    evidence = examine_model(read_model(path), catalogue)
    return FixTarget(evidence=evidence, findings=diagnose(evidence, ModelContext(stage="graph", file=str(path))))


def without_what_fixes_change(model: ModelProto) -> ModelProto:
    """Return what no fix touches: weights, attributes, values that nodes read and make, texts."""
    model.ClearField("ir_version")
    model.ClearField("opset_import")
    for function in model.functions:
        function.ClearField("opset_import")
    for field in ("input", "output", "value_info"):
        model.graph.ClearField(field)
    for node in all_nodes(model):
        for field in ("name", "domain", "op_type"):
            node.ClearField(field)
        for attribute in node.attribute:
            attribute.ClearField("name")
            if attribute.HasField("g"):
                attribute.g.ClearField("output")
                attribute.g.ClearField("value_info")
    return model


def drop_what_is_written_anew(model: ModelProto, identifier: str, added: set[str]) -> None:
    """Drop new nodes, and what fixes of the operator that an id names write: inputs and attributes of its nodes."""
    operator = re.match(r"(?:insert-cast|attributes-to-inputs|set-attribute):[\w.]+:(\w+)", identifier)
    graphs = [model.graph]
    while graphs:
        graph = graphs.pop()
        kept = [node for node in graph.node if added.isdisjoint(node.output)]
        graph.ClearField("node")
        graph.node.extend(kept)
        for node in graph.node:
            graphs.extend(item.g for item in node.attribute if item.HasField("g"))
            if operator is not None and node.op_type == operator[1]:
                node.ClearField("input")
                node.ClearField("attribute")
        for tensor in graph.initializer if identifier.startswith("relocate-weights") else ():
            tensor.ClearField("external_data")


def all_nodes(model: ModelProto) -> Iterator[object]:
    pending = [model.graph, *model.functions]
    while pending:
        for node in pending.pop().node:
            yield node
            pending.extend(item.g for item in node.attribute if item.HasField("g"))


@pytest.mark.parametrize("path", real_models(), ids=lambda path: path.stem)
def test_that_offers_for_a_real_model_read_back_as_they_say(path: Path, catalogue: Catalogue, tmp_path: Path) -> None:
    try:
        original = load_model(str(path), load_external_data=False)
        target = a_target(path, catalogue)
    except (InputError, DecodeError):
        pytest.skip("no model")
    for number, offer in enumerate(find_offers(target)):
        edits = edits_of(target, offer.id)
        copy = tmp_path / f"{number}.onnx"
        write_spliced(target.model, [item for edit in edits for item in edit.splices], copy, CancelToken())
        fixed = load_model(str(copy), load_external_data=False)
        assert fixed != original, offer.id
        before = _copy_of(original)
        for model in (before, fixed):
            drop_what_is_written_anew(model, offer.id, {name for edit in edits for name in edit.adds})
        assert without_what_fixes_change(fixed) == without_what_fixes_change(before), offer.id
        assert len(list(unified_difference(edits))) > len(edits), offer.id
        # What is offered to solve something does.
        after = a_target(copy, catalogue)
        causes = {finding.cause for finding in after.findings}
        assert [finding.cause for finding in offer.solves if finding.cause in causes] == [], offer.id


def _copy_of(model: ModelProto) -> ModelProto:
    copy = ModelProto()
    copy.CopyFrom(model)
    return copy


def test_that_a_file_in_the_format_of_the_runtime_is_not_changed(catalogue: Catalogue) -> None:
    target = a_target(sample("open/ortfmt_custom.ort"), catalogue)
    assert find_offers(target) == ()
    with pytest.raises(InputError, match="ONNX Runtime's own format"):
        edits_of(target, "lower-ir:8")
