"""Who implements the nodes of one graph of a model, as its picture marks them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from opstudio.model.diagram.records import Marks, NodeMark, NodeState, ScopePath
from opstudio.model.resolution.records import Origin, Resolution, Resolved
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
    match resolution:
        case Resolved(origin=Origin.LIBRARY, library=library):
            return NodeMark(state=NodeState.RESOLVED, party=Path(library).name)
        case Resolved(origin=Origin.FUNCTION):
            return NodeMark(state=NodeState.RESOLVED, party="function")
        case Resolved(provider=provider, through=through):
            return NodeMark(state=NodeState.RESOLVED, party=provider or through)
        case _:
            return NodeMark(state=NodeState.UNRESOLVED)
