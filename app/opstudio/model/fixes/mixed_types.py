"""Which input of a node has another type than all else at the node, and the type that it should have."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from opstudio.model.fixes.cast_losses import NUMBERS, loses_fractions
from opstudio.model.fixes.fix import FixTarget
from opstudio.model.fixes.node_context import function_of, would_be
from opstudio.model.graph.records import AttributeKind, AttributeRecord, NodeRecord
from opstudio.model.graph.value_index import Scope, SourceKind, index_model
from opstudio.model.graph.value_types import TensorType
from opstudio.model.resolution.output_types import formal
from opstudio.model.resolution.records import Resolved, ResolvedNode, Step, Unresolved
from opstudio.model.runtime.element_types import element_type_number, element_type_text
from opstudio.model.runtime.records import OperatorSchema

_WHOLE = frozenset(text for text in NUMBERS if "float" not in text and "double" not in text)


class NeededCast(NamedTuple):
    """An input of a node by its slot, and the type that it should have."""

    slot: int
    type: str


Scopes = Mapping[tuple[str, ...], Scope]
"""Graphs by the paths to them."""


def scopes_of(target: FixTarget) -> Scopes:
    """Return the graphs of a model by the paths to them."""
    return {scope.path: scope for scope in index_model(target.model).scopes()}


def can_be_cast(target: FixTarget, item: ResolvedNode, slot: int, text: str) -> bool:
    """Whether a ``Cast`` to a type can stand before an input of a node that fails for its types.

    In a function, the types of a call decide, and another call may have others: nodes there stay as they are.
    """
    node, fault = item.node, item.resolution
    if not isinstance(fault, Unresolved) or fault.step is not Step.TYPES or function_of(item):
        return False
    if slot >= len(node.inputs) or not node.inputs[slot]:
        return False
    given = item.input_types[slot] if slot < len(item.input_types) else ""
    if given == text or not {given, text} <= NUMBERS:
        return False
    return isinstance(would_be(target, _cast(item, given, text)), Resolved)


def _cast(item: ResolvedNode, given: str, text: str) -> ResolvedNode:
    """Return a cast where a node stands."""
    to = AttributeRecord(name="to", kind=AttributeKind.INT, value=element_type_number(text))
    node = NodeRecord(
        name="", domain="", type="Cast", inputs=("given",), outputs=("cast",), attributes=(to,), offset=0, length=0
    )
    return dataclasses.replace(item, node=node, input_types=(given,))


def needed_cast(target: FixTarget, item: ResolvedNode, scopes: Scopes) -> NeededCast | None:
    """Return the one cast that makes a node right; ``None`` where there is none, or more than one would do.

    Where two types alone stand against each other, a constant gives way to what is computed. Fractions never become
    whole numbers.
    """
    fault = item.resolution
    if not isinstance(fault, Unresolved) or fault.step is not Step.TYPES or fault.library or fault.tensor:
        return None
    version = target.model.opsets.get(item.node.domain, 0)
    schema = target.catalogue.schema(item.node.domain, item.node.type, version)
    if schema is None:
        return None
    found = [
        cast
        for cast in dict.fromkeys((*_not_taken(item, schema), *_not_uniform(item, schema, scopes)))
        if can_be_cast(target, item, cast.slot, cast.type) and _is_right_with(target, item, cast)
    ]
    decided = found if len(found) == 1 else list(_constants(item, found, scopes))
    if len(decided) != 1:
        return None
    if not _loses_fractions(item, decided[0]):
        return decided[0]
    # A constant with fractions stays as it is: the whole numbers beside it are cast instead.
    others = [cast for cast in found if cast != decided[0] and not _loses_fractions(item, cast)]
    return others[0] if len(others) == 1 else None


def _loses_fractions(item: ResolvedNode, cast: NeededCast) -> bool:
    return loses_fractions(item.input_types[cast.slot], cast.type)


def _is_right_with(target: FixTarget, item: ResolvedNode, cast: NeededCast) -> bool:
    types = tuple(cast.type if slot == cast.slot else text for slot, text in enumerate(item.input_types))
    return isinstance(would_be(target, dataclasses.replace(item, input_types=types)), Resolved)


def _not_taken(item: ResolvedNode, schema: OperatorSchema) -> Iterator[NeededCast]:
    """Yield inputs of whole numbers of a type that the operator does not take, where it takes only one."""
    for slot, text in enumerate(item.input_types):
        parameter = formal(schema.inputs, slot)
        allowed = schema.types.get(parameter.type, (parameter.type,)) if parameter is not None else ()
        # A cast from or to fractions may change the value, which is no matter of types alone.
        if text in _WHOLE and len(allowed) == 1 and allowed[0] in _WHOLE and text != allowed[0]:
            yield NeededCast(slot, allowed[0])


def _not_uniform(item: ResolvedNode, schema: OperatorSchema, scopes: Scopes) -> Iterator[NeededCast]:
    """Yield inputs whose type is not the one that all else of their type constraint has.

    What the file declares of the node's outputs counts as well: of two inputs alone, none is the wrong one.
    """
    for name in schema.types:
        inputs = {
            slot: text
            for slot, text in enumerate(item.input_types)
            if text and (parameter := formal(schema.inputs, slot)) is not None and parameter.type == name
        }
        outputs = [text for text in _declared(item, schema, name, scopes) if text]
        for slot, text in inputs.items():
            others = {other for position, other in inputs.items() if position != slot} | set(outputs)
            if len(others) == 1 and text not in others:
                yield NeededCast(slot, next(iter(others)))


def _constants(item: ResolvedNode, casts: Iterable[NeededCast], scopes: Scopes) -> Iterator[NeededCast]:
    """Yield those of several casts that stand before a constant."""
    scope = scopes.get(item.path)
    for cast in casts:
        source = scope.source(item.node.inputs[cast.slot]) if scope is not None else None
        if source is None:
            continue
        if source.kind is SourceKind.INITIALIZER or (source.node is not None and source.node.type == "Constant"):
            yield cast


def _declared(item: ResolvedNode, schema: OperatorSchema, name: str, scopes: Scopes) -> Iterator[str]:
    """Yield the types that the file declares of the outputs of a type constraint."""
    scope = scopes.get(item.path)
    for slot, output in enumerate(item.node.outputs):
        parameter = formal(schema.outputs, slot)
        declared = scope.type_of(output) if scope is not None and output else None
        if parameter is not None and parameter.type == name and isinstance(declared, TensorType):
            yield element_type_text(declared.element_type)
