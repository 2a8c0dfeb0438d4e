"""All that is known of a model that was held against a runtime and libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from opstudio.base.checkpoint import go_on
from opstudio.model.graph.records import FileFormat, ModelRecord, NodeRecord
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.contracts import differences
from opstudio.model.resolution.file_checks import FileProblem, check_file
from opstudio.model.resolution.model_walk import resolve_model
from opstudio.model.resolution.records import ContractDifference, ResolvedNode, Unresolved
from opstudio.model.resolution.told_by_sessions import with_answers
from opstudio.model.resolution.value_checks import ValueProblem, check_values
from opstudio.model.shapes.records import InferredValue, ModelShapes


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEvidence:
    """A model, an answer for each of its nodes, and what is wrong with the file as a whole.

    ``values`` are those whose names do not fit. ``shapes`` is what the runtime said of the nodes one by one, ``None``
    where it was not asked. ``differences`` are what nodes have otherwise than the contracts of the workspace.
    """

    model: ModelRecord
    nodes: tuple[ResolvedNode, ...]
    problems: tuple[FileProblem, ...]
    catalogue: Catalogue
    values: tuple[ValueProblem, ...] = ()
    shapes: ModelShapes | None = None
    differences: tuple[tuple[ResolvedNode, ContractDifference], ...] = ()
    _inferred: dict[tuple[int, int], InferredValue] = field(default_factory=dict, repr=False, compare=False)

    @property
    def good(self) -> bool:
        """Whether a session takes the model, as far as files, tables and sessions of one node tell."""
        if self.problems or self.values or (self.shapes is not None and self.shapes.ended):
            return False
        return not any(isinstance(item.resolution, Unresolved) for item in self.nodes)

    def inferred(self, node: NodeRecord, slot: int) -> InferredValue | None:
        """Return what is known of an output of a node beyond what the file declares."""
        return self._inferred.get((node.offset, slot))

    def unresolved(self) -> Iterator[tuple[ResolvedNode, Unresolved]]:
        """Yield the nodes that nobody implements, each with the reason."""
        for item in self.nodes:
            if isinstance(item.resolution, Unresolved):
                yield item, item.resolution


def examine_model(
    model: ModelRecord,
    catalogue: Catalogue,
    shapes: ModelShapes | None = None,
    *,
    checkpoint: Callable[[], None] = go_on,
) -> GraphEvidence:
    """Hold a model against what is at hand, and against what the runtime said of its nodes, where it was asked.

    ``checkpoint`` is called between the steps; what it raises ends the work.
    """
    nodes = resolve_model(model, catalogue, checkpoint=checkpoint)
    if shapes is not None:
        checkpoint()
        nodes = tuple(with_answers(nodes, shapes, catalogue))
    checkpoint()
    return GraphEvidence(
        model=model,
        nodes=nodes,
        problems=check_file(model, catalogue.tables),
        catalogue=catalogue,
        values=check_values(model) if model.format is FileFormat.ONNX else (),
        shapes=shapes,
        differences=tuple(_differences(nodes, catalogue)),
        _inferred={(value.node, value.slot): value for value in shapes.values} if shapes is not None else {},
    )


def _differences(
    nodes: Iterable[ResolvedNode], catalogue: Catalogue
) -> Iterator[tuple[ResolvedNode, ContractDifference]]:
    for item in nodes:
        if item.node.domain and (known := catalogue.contract(item.node.domain, item.node.type)) is not None:
            yield from ((item, difference) for difference in differences(known, item.node, item.input_types))
