"""All that is known of a model that was held against a runtime and libraries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opstudio.model.graph.records import ModelRecord
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.file_checks import FileProblem, check_file
from opstudio.model.resolution.model_walk import resolve_model
from opstudio.model.resolution.records import ResolvedNode, Unresolved


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEvidence:
    """A model, an answer for each of its nodes, and what is wrong with the file as a whole."""

    model: ModelRecord
    nodes: tuple[ResolvedNode, ...]
    problems: tuple[FileProblem, ...]
    catalogue: Catalogue

    @property
    def good(self) -> bool:
        """Whether a session takes the model, as far as files and tables tell."""
        return not self.problems and not any(isinstance(item.resolution, Unresolved) for item in self.nodes)

    def unresolved(self) -> Iterator[tuple[ResolvedNode, Unresolved]]:
        """Yield the nodes that nobody implements, each with the reason."""
        for item in self.nodes:
            if isinstance(item.resolution, Unresolved):
                yield item, item.resolution


def examine_model(model: ModelRecord, catalogue: Catalogue) -> GraphEvidence:
    """Hold a model against what is at hand."""
    return GraphEvidence(
        model=model,
        nodes=resolve_model(model, catalogue),
        problems=check_file(model, catalogue.tables),
        catalogue=catalogue,
    )
