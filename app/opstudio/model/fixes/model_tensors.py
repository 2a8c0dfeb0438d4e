"""All constant tensors of a model: initializers and attributes, in nested graphs and functions too."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.model.fixes.domain_uses import nodes_within
from opstudio.model.graph.records import GraphRecord, ModelRecord
from opstudio.model.graph.tensor_records import SparseTensorRecord, TensorRecord


def all_tensors(model: ModelRecord) -> Iterator[TensorRecord]:
    """Yield the constant tensors of a model; of sparse ones, their values and indices."""
    nodes = [model.graph.nodes, *(function.nodes for function in model.functions)]
    graphs: list[GraphRecord] = [model.graph]
    for node in (item for group in nodes for item in nodes_within(group)):
        graphs.extend(graph for _, graph in node.subgraphs)
        for attribute in node.attributes:
            values = attribute.value if isinstance(attribute.value, tuple) else (attribute.value,)
            for value in values:
                if isinstance(value, TensorRecord):
                    yield value
                elif isinstance(value, SparseTensorRecord):
                    yield from _parts(value)
    for graph in graphs:
        yield from graph.initializers
        for sparse in graph.sparse_initializers:
            yield from _parts(sparse)


def _parts(sparse: SparseTensorRecord) -> Iterator[TensorRecord]:
    return (item for item in (sparse.values, sparse.indices) if item is not None)
