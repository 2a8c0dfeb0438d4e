"""Functions of a file that no runtime can expand: they call themselves, or one another too deeply or too often."""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.records import ResolvedNode, Step, Unresolved


def is_unexpanded(model: ModelRecord, item: ResolvedNode) -> bool:
    """Whether a node calls a function of its own file that cannot be expanded."""
    key = (item.node.domain, item.node.type, item.node.overload)
    return (
        isinstance(item.resolution, Unresolved)
        and item.resolution.step is Step.OPERATOR
        and any(key == (function.domain, function.name, function.overload) for function in model.functions)
    )


def unexpanded(model: ModelRecord, nodes: Iterable[ResolvedNode]) -> str:
    """Return why the functions of a file cannot be expanded, in words; empty where they can."""
    found = (item for item in nodes if is_unexpanded(model, item))
    return next((item.resolution.reason for item in found if isinstance(item.resolution, Unresolved)), "")
