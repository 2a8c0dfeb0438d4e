"""Small models with one fault, and what a fix of them must come to: the same model with the fault mended by onnx."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # noqa: TID253 - the second opinion
from onnx import ModelProto, TensorProto, helper, load_model, numpy_helper, save_model  # noqa: TID253

from opstudio.base.finding import Finding
from opstudio.jobs.cancel import CancelToken
from opstudio.model.fixes.fix import FixTarget, Offer
from opstudio.model.fixes.registry import edits_of, find_offers
from opstudio.model.fixes.splices import write_spliced
from opstudio.model.graph.reader import read_model
from opstudio.workflows.graph import GraphReport, examine_model_file
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge


def a_model() -> Any:
    """Return a good model: an operator of the library ``lab`` between standard ones, a nested graph, weights, notes."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in ("x", "y")]
    inner = helper.make_tensor_value_info("kept", TensorProto.FLOAT, None)
    branches = [
        helper.make_graph([helper.make_node("Twice", ["shifted"], ["kept"], domain="lab")], name, [], [inner])
        for name in ("then", "otherwise")
    ]
    nodes = [
        helper.make_node("Add", ["x", "w"], ["shifted"], name="shift"),
        helper.make_node("Twice", ["shifted"], ["doubled"], name="double", domain="lab", scale=2.0, axes=[0, 1]),
        helper.make_node("If", ["yes"], ["chosen"], name="choose", then_branch=branches[0], else_branch=branches[1]),
        helper.make_node("Sum", ["doubled", "chosen"], ["y"], name="sum"),
    ]
    nodes[1].metadata_props.add(key="scope", value="a.b")
    weights = [numpy_helper.from_array(np.float32([1, 2, 3]), "w"), numpy_helper.from_array(np.bool_(True), "yes")]
    described = [helper.make_tensor_value_info("shifted", TensorProto.FLOAT, [2, 3])]
    graph = helper.make_graph(nodes, "good", values[:1], values[1:], weights, value_info=described)
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("lab", 1)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=9, producer_name="a producer")
    helper.set_model_props(model, {"author": "nobody"})
    return model


@dataclass(frozen=True, slots=True)
class Bench:
    """What fixes are tried with: a folder, the runtime's knowledge, and a library of the domain ``lab``."""

    folder: Path
    knowledge: RuntimeKnowledge
    library: Path

    def written(self, model: ModelProto, name: str = "model.onnx") -> Path:
        """Write a model."""
        save_model(model, str(self.folder / name))
        return self.folder / name

    def report(self, path: Path) -> GraphReport:
        """Hold a model against the runtime and the library."""
        return examine_model_file(read_model(path), self.knowledge, CancelToken(), libraries=[self.library])

    def target(self, path: Path) -> FixTarget:
        """Return a model that is looked at for fixes."""
        report = self.report(path)
        return FixTarget(evidence=report.evidence, findings=report.findings)

    def offers(self, path: Path) -> dict[str, Offer]:
        """Return what is offered, by id."""
        return {offer.id: offer for offer in find_offers(self.target(path))}

    def fixed(self, path: Path, identifier: str) -> Path:
        """Write a copy of a model with a fix."""
        target, output = self.target(path), path.with_name("fixed.onnx")
        splices = [item for edit in edits_of(target, identifier) for item in edit.splices]
        write_spliced(target.model, splices, output, CancelToken())
        return output

    def is_taken(self, path: Path) -> bool:
        """Whether ONNX Runtime itself takes a model after the library."""
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.register_custom_ops_library(str(self.library))
        try:
            onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception:  # noqa: BLE001 - its errors have no common class
            return False
        return True


def mended(path: Path, edit: Callable[[Any], None]) -> ModelProto:
    """Return a model as onnx reads it, with an edit made by hand: everything else is as it was."""
    model = load_model(str(path), load_external_data=False)
    edit(model)
    return model


def all_nodes(graph: Any) -> Iterator[Any]:
    """Yield the nodes of a graph and of those nested in it."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from all_nodes(attribute.g)


def ids(findings: tuple[Finding, ...]) -> list[str]:
    """Return the ids of findings."""
    return [finding.id for finding in findings]
