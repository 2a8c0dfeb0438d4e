"""Two models, compared part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from opstudio.base.checkpoint import go_on
from opstudio.model.comparison.graph_comparison import GraphComparison
from opstudio.model.comparison.records import Change, ModelDifference
from opstudio.model.graph.records import FunctionRecord, ModelRecord
from opstudio.model.graph.value_index import index_model
from opstudio.model.graph.value_types import ValueRecord


def compare_models(
    first: ModelRecord,
    second: ModelRecord,
    *,
    all_values: bool = False,
    checkpoint: Callable[[], None] = go_on,
) -> ModelDifference:
    """Return what differs between two models.

    Args:
        first: the model before.
        second: the model it is held against.
        all_values: also compare the values of large weights, which reads all of them.
        checkpoint: called now and then; what it raises ends the work.

    Raises:
        InputError: a file has changed since it was read.
    """
    comparison = GraphComparison(first, second, all_values=all_values, checkpoint=checkpoint)
    ours, theirs = index_model(first), index_model(second)
    comparison.compare(ours.main, theirs.main)
    for key, scope in ours.functions.items():
        if (other := theirs.functions.get(key)) is not None:
            comparison.compare(scope, other)
    found = comparison.found
    return ModelDifference(
        head=tuple(_head(first, second)),
        imports=tuple(_imports(first.opsets, second.opsets)),
        metadata=tuple(_texts(first.metadata, second.metadata)),
        inputs=tuple(_values(first.graph.inputs, second.graph.inputs)),
        outputs=(*_values(first.graph.outputs, second.graph.outputs), *found.outputs),
        functions=tuple(_functions(first.functions, second.functions)),
        weights=tuple(found.weights),
        added_nodes=tuple(found.added),
        removed_nodes=tuple(found.removed),
        changed_nodes=tuple(found.changed),
        renamed_nodes=tuple(found.renamed),
        renamed_weights=tuple(found.renamed_weights),
        weights_compared=all_values,
        matched=found.matched,
    )


def _head(first: ModelRecord, second: ModelRecord) -> Iterator[Change]:
    def of(model: ModelRecord) -> dict[str, str]:
        return {
            "format": model.format.value,
            "IR version": str(model.ir_version),
            "producer": f"{model.producer} {model.producer_version}".strip(),
            "domain": model.domain,
            "model version": str(model.model_version),
            "documentation": model.doc_string,
            "name of the graph": model.graph.name,
            "graphs for training": str(model.training_graphs),
        }

    return _texts(of(first), of(second))


def _imports(first: Mapping[str, int], second: Mapping[str, int]) -> Iterator[Change]:
    def texts(opsets: Mapping[str, int]) -> dict[str, str]:
        return {domain or "ai.onnx": str(version) for domain, version in opsets.items()}

    return _texts(texts(first), texts(second))


def _texts(first: Mapping[str, str], second: Mapping[str, str]) -> Iterator[Change]:
    for name in (*first, *(name for name in second if name not in first)):
        before, after = first.get(name), second.get(name)
        if before != after:
            yield Change(name=name, before=before or "", after=after or "")


def _values(first: Sequence[ValueRecord], second: Sequence[ValueRecord]) -> Iterator[Change]:
    """Yield inputs or outputs that differ, and their order where that is all."""
    ours, theirs = ({value.name: str(value.type or "?") for value in values} for values in (first, second))
    yield from _texts(ours, theirs)
    if ours.keys() == theirs.keys() and list(ours) != list(theirs):
        yield Change(name="order", before=", ".join(ours), after=", ".join(theirs))


def _functions(first: Sequence[FunctionRecord], second: Sequence[FunctionRecord]) -> Iterator[Change]:
    def texts(functions: Sequence[FunctionRecord]) -> dict[str, str]:
        return {_function_name(item): _signature(item) for item in functions}

    return _texts(texts(first), texts(second))


def _function_name(function: FunctionRecord) -> str:
    overload = f":{function.overload}" if function.overload else ""
    return f"{function.domain}:{function.name}{overload}"


def _signature(function: FunctionRecord) -> str:
    imports = ", ".join(f"{domain or 'ai.onnx'} {version}" for domain, version in function.opsets.items())
    names = (*function.attributes, *(item.name for item in function.defaults))
    attributes = f"; attributes {', '.join(names)}" if names else ""
    return f"({', '.join(function.inputs)}) -> {', '.join(function.outputs)}{attributes}; imports {imports}"
