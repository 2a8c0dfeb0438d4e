"""Looks up what the panel Details says of the open model: places of nodes, versions, definitions, answers."""

from __future__ import annotations

from collections.abc import Mapping

from opstudio.base.finding import Finding
from opstudio.diagnosis.models import node_title
from opstudio.model.diagram.records import ScopePath
from opstudio.model.graph.records import FunctionRecord, ModelRecord, NodeRecord
from opstudio.model.graph.value_index import ModelIndex, Scope
from opstudio.model.resolution.records import ResolvedNode, Unresolved
from opstudio.model.runtime.records import FormalParameter, OperatorSchema
from opstudio.qt.models.node_rows import NodeRow, NodeRows, inferred_type, short_type
from opstudio.workflows.graph import GraphReport


class ModelSource:
    """A model, and the report about it once there is one."""

    def __init__(self, model: ModelRecord, index: ModelIndex, nodes: NodeRows | None = None) -> None:
        self.model, self.index = model, index
        self.nodes = NodeRows(index) if nodes is None else nodes
        self.report: GraphReport | None = None
        self._answers: Mapping[int, ResolvedNode] = {}
        self._titles: dict[str, NodeRow] = {}

    @property
    def answers(self) -> Mapping[int, ResolvedNode]:
        """Who implements the nodes, by their numbers in ``nodes``."""
        return self._answers

    def take_report(self, report: GraphReport | None) -> None:
        """Take up what is known of the model now."""
        if report is not self.report:
            self.report = report
            self._answers = self.nodes.answers(report.evidence.nodes) if report is not None else {}
            self._titles = {}

    def answer(self, scope: Scope, index: int) -> ResolvedNode | None:
        """Return who implements a node, if that is known."""
        number = self.nodes.number(scope, index)
        return None if number is None else self._answers.get(number)

    def node_by_title(self, title: str) -> NodeRow | None:
        """Return the node that findings call so."""
        if not self._titles and self.report is not None:
            for item in self.report.evidence.nodes:
                row = self.nodes.find(item.node)
                if row is not None:
                    self._titles.setdefault(node_title(item), row)
        return self._titles.get(title)

    def value_scope(self, value: str) -> ScopePath | None:
        """Return the first graph that makes a value of this name."""
        return next((scope.path for scope in self.index.scopes() if value in scope.sources), None)

    def finding_of(self, answer: ResolvedNode | None) -> Finding | None:
        """Return the finding that tells why nobody implements a node."""
        if answer is None or self.report is None or not isinstance(answer.resolution, Unresolved):
            return None
        about = [item for item in self.report.findings if _is_about(item, answer.node, answer.resolution)]
        title = node_title(answer)
        named = (item for item in about if any(place.node == title for place in item.places))
        return next(named, about[0] if about else None)

    def opsets(self, scope: Scope) -> Mapping[str, int]:
        """Return the versions of the operator sets that a graph sees; a function has its own."""
        outermost = scope
        while outermost.parent is not None:
            outermost = outermost.parent
        content = outermost.content
        own = content.opsets if isinstance(content, FunctionRecord) else {}
        return {**self.model.opsets, **own}

    def schema(self, node: NodeRecord) -> OperatorSchema | None:
        """Return the runtime's definition of a node's operator."""
        if self.report is None:
            return None
        catalogue = self.report.evidence.catalogue
        # In functions too: the runtime writes their bodies into the graph, where the model's imports hold.
        version = self.model.opsets.get(node.domain, catalogue.tables.newest_opsets.get(node.domain, 1))
        return catalogue.schema(node.domain, node.type, version)

    def function_scope(self, node: NodeRecord) -> Scope | None:
        """Return the body of the function that a node calls."""
        return self.index.functions.get((node.domain, node.type, node.overload))

    def value_type(self, scope: Scope, name: str) -> str:
        """Return what is known of a value's type: what follows from the file, what it says, or what readers get."""
        evidence = self.report.evidence if self.report is not None else None
        if known := inferred_type(evidence, scope, name) or self.nodes.stated_type(scope, name):
            return known
        for use in scope.all_uses(name):
            row = self.nodes.find(use.node)
            answer = self.answer(row.scope, row.number) if row is not None else None
            if answer is not None and use.slot < len(answer.input_types):
                return short_type(answer.input_types[use.slot])
        return ""


def _is_about(finding: Finding, node: NodeRecord, fault: Unresolved) -> bool:
    """Whether a finding is about nodes of this operator that fail at this step; some are about several operators."""
    evidence = finding.evidence
    if (evidence.get("domain"), evidence.get("step")) != (node.domain, fault.step.value):
        return False
    types = evidence.get("types")
    return node.type in types if isinstance(types, list) else evidence.get("type") == node.type


def parameter_name(parameters: tuple[FormalParameter, ...], slot: int) -> str:
    """Return what a definition calls an input or output; the last one may stand for many."""
    if not parameters:
        return ""
    return parameters[min(slot, len(parameters) - 1)].name
