"""The search for fixes of a model with thousands of faults: it looks often at whether it was asked to end."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from onnx import TensorProto, helper  # noqa: TID253 - models are the subject

from opstudio.base.errors import CancelledError
from opstudio.diagnosis.engine import diagnose
from opstudio.diagnosis.models import ModelContext
from opstudio.jobs.cancel import CancelToken
from opstudio.model.fixes.fix import FixTarget
from opstudio.model.fixes.registry import all_fixes, edits_of, find_offers
from opstudio.model.graph.reader import read_model
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.evidence import GraphEvidence, examine_model
from opstudio.workflows.fix import offer_fixes
from opstudio.workflows.graph import GraphReport
from opstudio.workflows.runtime_knowledge import RuntimeKnowledge

NODES, DIFFERENT = 6000, 150
LONGEST_SECONDS = 0.3
BUDGET_SECONDS = 1.0


def a_node(number: int) -> Any:
    """Return a node with one of six kinds of faults, of each of which there are many."""
    which, names = (number // 6) % DIFFERENT, ([f"v{number}"], [f"v{number + 1}"])
    match number % 6:
        case 0:
            return helper.make_node("Relu", *names, **{f"alpha_{which}": 1.0})
        case 1:
            return helper.make_node("Relu", *names, domain=f"domain_{which}")
        case 2:
            return helper.make_node(f"Reshap{which}", *names)
        case 3:
            return helper.make_node("Clip", *names, max=6.0, **({f"low_{which}": 0.0} if which % 2 else {}))
        case 4:
            return helper.make_node("Sum", [*names[0], "half", *names[0]], names[1])
        case _:
            return helper.make_node("Mish", *names)


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory, knowledge: RuntimeKnowledge) -> GraphReport:
    values = [
        helper.make_tensor_value_info(name, kind, [2])
        for name, kind in (
            ("v0", TensorProto.FLOAT),
            ("half", TensorProto.FLOAT16),
            (f"v{NODES}", TensorProto.FLOAT),
        )
    ]
    graph = helper.make_graph([a_node(number) for number in range(NODES)], "faults", values[:2], values[2:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path: Path = tmp_path_factory.mktemp("faults") / "faults.onnx"
    path.write_bytes(model.SerializeToString())
    evidence: GraphEvidence = examine_model(read_model(path), Catalogue(knowledge.tables(CancelToken())))
    findings = diagnose(evidence, ModelContext(stage="graph", file=str(path)))
    assert sum(1 for _ in evidence.unresolved()) > NODES * 4 // 5
    assert 3 * DIFFERENT < len(findings) < 1000
    return GraphReport(evidence=evidence, libraries=(), findings=findings)


class Watch(CancelToken):
    """Notes the longest time of the processor between two looks, and is cancelled when its budget is spent."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = self.last = time.thread_time()
        self.longest = 0.0

    def check(self) -> None:
        now = time.thread_time()
        self.longest, self.last = max(self.longest, now - self.last), now
        if now - self.begun > BUDGET_SECONDS:
            self.cancel()
        super().check()


@pytest.mark.parametrize("identifier", all_fixes())
def test_that_no_fix_searches_long_without_a_look(faults: GraphReport, identifier: str) -> None:
    watch = Watch()
    target = FixTarget(evidence=faults.evidence, findings=faults.findings, cancel=watch)
    try:
        for offer in all_fixes()[identifier].offers(target):
            edits_of(target, offer.id)
    except CancelledError:
        assert watch.is_cancelled
    watch.longest = max(watch.longest, time.thread_time() - watch.last)
    assert watch.longest < LONGEST_SECONDS


def test_that_a_search_that_is_asked_to_end_does(faults: GraphReport) -> None:
    watch = Watch()
    with pytest.raises(CancelledError):
        offer_fixes(faults.model.path, lambda _model: faults, watch)
    assert time.thread_time() - watch.begun < BUDGET_SECONDS + LONGEST_SECONDS

    ended = CancelToken()
    ended.cancel("interrupted")
    target = FixTarget(evidence=faults.evidence, findings=faults.findings, cancel=ended)
    with pytest.raises(CancelledError, match="interrupted"):
        find_offers(target)
    with pytest.raises(CancelledError, match="interrupted"):
        edits_of(target, "lower-opset:10")
