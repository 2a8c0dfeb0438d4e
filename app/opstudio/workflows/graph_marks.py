"""Who implements the nodes of one graph of a model, as its picture marks them."""

from __future__ import annotations

from collections.abc import Mapping

from opstudio.model.diagram.records import Marks, NodeMark, NodeState, ScopePath
from opstudio.model.resolution.records import Resolution, Resolved
from opstudio.workflows.graph import GraphReport


def marks_of(report: GraphReport, scope: ScopePath) -> Marks:
    """Return the marks of the nodes of a scope."""
    return {item.index: _mark(item.resolution) for item in report.evidence.nodes if item.path == scope}


def marks_by_scope(report: GraphReport) -> Mapping[ScopePath, Marks]:
    """Return the marks of all nodes of a model, by the graphs that these stand in."""
    found: dict[ScopePath, dict[int, NodeMark]] = {}
    for item in report.evidence.nodes:
        found.setdefault(item.path, {})[item.index] = _mark(item.resolution)
    return found


def _mark(resolution: Resolution) -> NodeMark:
    if isinstance(resolution, Resolved):
        return NodeMark(state=NodeState.RESOLVED, party=resolution.party)
    return NodeMark(state=NodeState.UNRESOLVED)
