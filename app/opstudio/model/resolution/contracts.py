"""What contracts say of the operators of a model: a source that explains, though it implements nothing by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opstudio.contract.operator import AttributeKind, OperatorContract
from opstudio.model.graph.records import AttributeKind as NodeAttributeKind
from opstudio.model.graph.records import NodeRecord
from opstudio.model.resolution.node_form import count_inputs, count_text, join_names, range_text
from opstudio.model.resolution.output_types import Types
from opstudio.model.resolution.records import ContractDifference, DifferenceKind
from opstudio.model.runtime.element_types import element_type_text

ContractKey = tuple[str, str]
_ANY_NUMBER = 2**30
_KINDS: Mapping[AttributeKind, NodeAttributeKind] = {
    AttributeKind.INT: NodeAttributeKind.INT,
    AttributeKind.BOOL: NodeAttributeKind.INT,
    AttributeKind.FLOAT: NodeAttributeKind.FLOAT,
    AttributeKind.STRING: NodeAttributeKind.STRING,
    AttributeKind.INTS: NodeAttributeKind.INTS,
    AttributeKind.FLOATS: NodeAttributeKind.FLOATS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownContract:
    """A contract of the workspace. ``name`` is the operator's on command lines, ``path`` that of the contract.

    ``release`` is a library for ONNX Runtime that was built from it, empty where there is none; ``expected`` is where a
    release would put it.
    """

    name: str
    path: str
    contract: OperatorContract
    release: str = ""
    expected: str = ""

    @property
    def key(self) -> ContractKey:
        """Domain and type of the nodes that it describes."""
        return self.contract.domain, self.contract.onnx_type


def differences(known: KnownContract, node: NodeRecord, inputs: Types) -> Iterator[ContractDifference]:
    """Yield what a node has otherwise than its contract, slot by slot. ``inputs`` are the types that are known."""
    contract = known.contract
    least = sum(1 for item in contract.inputs if not item.optional and not item.variadic)
    most = _ANY_NUMBER if any(item.variadic for item in contract.inputs) else len(contract.inputs)
    given = count_inputs(node.inputs)
    if not least <= given <= most:
        reason = f"it has {count_text(given, 'input')}, the contract {range_text(least, most)}"
        yield _difference(known, DifferenceKind.COUNT, reason)
    if len(node.outputs) > len(contract.outputs):
        reason = f"it has {count_text(len(node.outputs), 'output')}, the contract {len(contract.outputs)}"
        yield _difference(known, DifferenceKind.COUNT, reason)
    yield from _types(known, inputs)
    yield from _attributes(known, node)


def declared_outputs(known: KnownContract, inputs: Types) -> Types:
    """Return the types of a node's outputs; empty where they follow from an input that is not known."""
    types = dict(zip((item.name for item in known.contract.inputs), inputs, strict=False))
    return tuple(
        types.get(output.same_type_as or "", "") if output.type is None else element_type_text(output.type.onnx_code)
        for output in known.contract.outputs
    )


def _types(known: KnownContract, inputs: Types) -> Iterator[ContractDifference]:
    seen: dict[str, str] = {}
    for slot, (item, text) in enumerate(zip(known.contract.inputs, inputs, strict=False)):
        source = known.contract.type_source(item.name)
        allowed = tuple(element_type_text(kind.onnx_code) for kind in known.contract.input(source).types)
        if not text:
            continue
        if text not in allowed:
            reason = f"input {slot}, {item.name}, is {text}, the contract takes {' or '.join(allowed)}"
            yield _difference(known, DifferenceKind.TYPE, reason, allowed)
        elif seen.setdefault(source, text) != text:
            reason = f"input {slot}, {item.name}, is {text}, the contract gives it the type of {source}, {seen[source]}"
            yield _difference(known, DifferenceKind.TYPE, reason, (seen[source],))


def _attributes(known: KnownContract, node: NodeRecord) -> Iterator[ContractDifference]:
    stated = {item.name: item for item in known.contract.attributes}
    given = {item.name: item for item in node.attributes}
    for name, item in stated.items():
        if name not in given:
            if item.default is None:
                reason = f"it lacks the attribute {name}, which the contract gives no default"
                yield _difference(known, DifferenceKind.ATTRIBUTE, reason)
            continue
        kind = given[name].kind
        if kind is not _KINDS[item.kind] and not given[name].reference:
            reason = f"its attribute {name} is {kind.name}, the contract's is {item.kind.value}"
            yield _difference(known, DifferenceKind.ATTRIBUTE, reason)
    if others := sorted(given.keys() - stated.keys()):
        reason = f"it has the attribute{'s' if len(others) > 1 else ''} {join_names(others)}, which the contract lacks"
        yield _difference(known, DifferenceKind.ATTRIBUTE, reason)


def _difference(
    known: KnownContract, kind: DifferenceKind, reason: str, candidates: tuple[str, ...] = ()
) -> ContractDifference:
    return ContractDifference(contract=known.name, path=known.path, kind=kind, reason=reason, candidates=candidates)
