"""The operators of libraries that have a node's name: does one of them take it?"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from opstudio.model.graph.records import NodeRecord
from opstudio.model.resolution.catalogue import CPU, Catalogue, ProvidedOperator
from opstudio.model.resolution.node_form import (
    ANY_NUMBER,
    count_inputs,
    count_text,
    join_names,
    range_text,
    wrong_form,
)
from opstudio.model.resolution.output_types import Types
from opstudio.model.resolution.records import Origin, Resolution, Resolved, Step, Unresolved
from opstudio.model.runtime.records import Arity, LibraryParameter


def resolve_by_library(
    catalogue: Catalogue, node: NodeRecord, provided: Sequence[ProvidedOperator], inputs: Types
) -> Resolution:
    """Ask the operators of libraries: several of one name are kernels of one definition."""
    found = find_operator(catalogue, node, provided, inputs)
    if isinstance(found, Unresolved):
        return found
    operator = found.operator
    return Resolved(
        origin=Origin.LIBRARY,
        provider=operator.provider or CPU,
        library=found.library,
        since_version=operator.since,
        unsure=any(item.type and not text for item, text in zip(operator.inputs, inputs, strict=False)),
    )


def find_operator(
    catalogue: Catalogue, node: NodeRecord, provided: Sequence[ProvidedOperator], inputs: Types
) -> ProvidedOperator | Unresolved:
    """Return the first of these operators that takes a node, or why none does."""
    refusals = []
    for entry in provided:
        operator = entry.operator
        refusal = _library_form(node, entry) or _library_types(entry, inputs)
        if refusal is None and operator.provider and operator.provider not in catalogue.providers:
            refusal = Unresolved(
                step=Step.PROVIDER,
                reason=f"the library's kernel is for {operator.provider}, not for {join_names(catalogue.providers)}",
                candidates=(operator.provider,),
            )
        if refusal is None:
            return entry
        refusals.append(dataclasses.replace(refusal, library=entry.library))
    # The one that came furthest says most.
    return max(refusals, key=lambda refusal: list(Step).index(refusal.step))


def _library_form(node: NodeRecord, entry: ProvidedOperator) -> Unresolved | None:
    for what, given, parameters in (
        ("input", count_inputs(node.inputs), entry.operator.inputs),
        ("output", len(node.outputs), entry.operator.outputs),
    ):
        least, most = _bounds(parameters)
        if not least <= given <= most:
            span = range_text(least, most)
            return wrong_form(f"it has {count_text(given, what)}, the library's operator has {span}")
    return None


def _library_types(entry: ProvidedOperator, inputs: Types) -> Unresolved | None:
    parameters = entry.operator.inputs
    # Only a variadic last parameter is met by further inputs; others were counted before.
    for slot, text in enumerate(inputs if parameters else ()):
        parameter = parameters[min(slot, len(parameters) - 1)]
        if text and parameter.type and text != parameter.type:
            return Unresolved(
                step=Step.TYPES,
                reason=f"input {slot} is {text}, the library's operator takes {parameter.type}",
                candidates=(parameter.type,),
            )
    return None


def _bounds(parameters: Sequence[LibraryParameter]) -> tuple[int, int]:
    least = sum(item.least for item in parameters if item.arity is not Arity.OPTIONAL)
    is_variadic = any(item.arity is Arity.VARIADIC for item in parameters)
    return least, ANY_NUMBER if is_variadic else len(parameters)
