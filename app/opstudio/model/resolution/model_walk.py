"""All nodes of a model, in functions and nested graphs too, resolved one after the other along the flow of types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from opstudio.base.checkpoint import go_on
from opstudio.model.graph.nested_paths import NestedPaths
from opstudio.model.graph.records import AttributeRecord, FunctionRecord, GraphRecord, ModelRecord, NodeRecord
from opstudio.model.graph.tensor_records import TensorRecord
from opstudio.model.graph.value_types import ValueRecord
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.contracts import declared_outputs
from opstudio.model.resolution.function_calls import output_without_type, untold_outputs, wrong_call
from opstudio.model.resolution.function_imports import refused_by_function
from opstudio.model.resolution.library_operators import find_operator
from opstudio.model.resolution.output_types import Types, output_types
from opstudio.model.resolution.records import Origin, Resolution, Resolved, ResolvedNode, Step, Unresolved
from opstudio.model.resolution.triage import resolve_node
from opstudio.model.runtime.element_types import element_type_text
from opstudio.model.runtime.type_texts import element_of, type_text

_MOST_CALLS = 64
"""Deeper calls of functions in one another are not followed."""
_MOST_LEVELS = 128
"""Nor are deeper graphs in graphs, calls counted as well: functions can hold the most that a file can nest, and call
the next one from there. Each level takes four frames of Python's thousand."""
MOST_EXPANDED = 10_000_000
"""Nodes that the functions of a file may expand into; the runtime needs about a kilobyte for each."""
_LARGEST_SIZE = 10**30
"""Larger sizes are told as this: functions that call one another twice make numbers of as many digits as functions."""
_NOT_IMPORTED = "not imported"
_FunctionKey = tuple[str, str, str]


def resolve_model(
    model: ModelRecord, catalogue: Catalogue, *, checkpoint: Callable[[], None] = go_on
) -> tuple[ResolvedNode, ...]:
    """Return every node of a model with its answer, those of the main graph first.

    The body of a function is resolved once, with the types of its first call. ``checkpoint`` is called before each
    node; what it raises ends the work.
    """
    found: list[ResolvedNode] = []
    for item in _Walk(model, catalogue).run():
        checkpoint()
        found.append(item)
    return tuple(found)


@dataclass(slots=True)
class _Names:
    """The types of the names of a graph; those around it are seen as well."""

    around: _Names | None = None
    types: dict[str, str] = field(default_factory=dict)
    untold: set[str] = field(default_factory=set)
    """In a function: the names whose types do not follow from the versions that the function imports."""

    def type_of(self, name: str) -> str:
        names: _Names | None = self
        while names is not None:
            if name in names.types:
                return names.types[name]
            names = names.around
        return ""


class _Walk:
    def __init__(self, model: ModelRecord, catalogue: Catalogue) -> None:
        self._model, self._catalogue = model, catalogue
        self._functions = {(item.domain, item.name, item.overload): item for item in model.functions}
        self._called: dict[_FunctionKey, Types] = {}
        self._untold: dict[_FunctionKey, tuple[bool, ...]] = {}
        """Which outputs of functions have no type by the functions' own imports; only of those that are good."""
        self._sizes: dict[_FunctionKey, int] = {}
        """The nodes that each function expands into."""
        self._expanded = 0
        """The nodes that the calls seen so far expand into, those of functions apart."""
        self._open: list[_FunctionKey] = []
        self._levels = 0
        self._of_functions: list[ResolvedNode] = []
        self._answers: dict[tuple[object, ...], Resolution] = {}

    def run(self) -> Iterator[ResolvedNode]:
        yield from self._graph(self._model.graph, (), None, None)
        for key, function in self._functions.items():
            if key not in self._called:
                # Nobody calls it, but tools that check functions on their own read it.
                self._call(function, ("",) * len(function.inputs))
        yield from self._of_functions

    def _graph(
        self,
        graph: GraphRecord,
        path: tuple[str, ...],
        around: _Names | None,
        owner: FunctionRecord | None,
        given: Types = (),
    ) -> Iterator[ResolvedNode]:
        names = _Names(around)
        for value in (*graph.value_infos, *graph.outputs):
            _declare(names, value)
        names.types.update({value.name: text for value, text in zip(graph.inputs, given, strict=False) if text})
        for value in graph.inputs:
            _declare(names, value)
        names.types.update({tensor.name: element_type_text(tensor.element_type) for tensor in graph.initializers})
        # The runtime unpacks them when it loads the file.
        names.types.update(
            {tensor.name: element_type_text(tensor.values.element_type) for tensor in graph.sparse_initializers}
        )
        self._levels += 1
        yield from self._nodes(graph.nodes, path, names, owner)
        self._levels -= 1

    def _nodes(
        self, nodes: Sequence[NodeRecord], path: tuple[str, ...], names: _Names, owner: FunctionRecord | None
    ) -> Iterator[ResolvedNode]:
        paths = NestedPaths(path)
        for index, node in enumerate(nodes):
            inputs = tuple(names.type_of(name) if name else "" for name in node.inputs)
            function = self._functions.get((node.domain, node.type, node.overload))
            if function is not None:
                resolution, made = self._resolve_call(function, node, owner, inputs, names)
            else:
                resolution, made = self._resolve(node, owner, inputs), ()
            nested: list[ResolvedNode] = []
            for inner, graph in paths.of(node):
                nested.extend(self._graph(graph, inner, names, owner, _given(node, inputs, graph)))
            yield ResolvedNode(path=path, index=index, node=node, input_types=inputs, resolution=resolution)
            yield from nested
            if owner is not None:
                names.untold.update(self._untold_outputs(node, function, owner, names))
            self._note_outputs(node, names, made or self._output_types(node, inputs, resolution))

    def _note_outputs(self, node: NodeRecord, names: _Names, types: Types) -> None:
        for name, text in zip(node.outputs, types, strict=False):
            # What the file says of a value counts: it is what the runtime holds the inference against.
            if name and text and not names.types.get(name):
                names.types[name] = text

    def _resolve(self, node: NodeRecord, owner: FunctionRecord | None, inputs: Types) -> Resolution:
        attributes = tuple((item.name, item.kind, bool(item.reference), _decisive(item)) for item in node.attributes)
        given = tuple(bool(name) for name in node.inputs)
        own = None if owner is None else owner.opsets
        version = None if own is None else own.get(node.domain, _NOT_IMPORTED)
        key = (node.domain, node.type, version, inputs, given, len(node.outputs), attributes)
        if (known := self._answers.get(key)) is None:
            known = self._answers[key] = resolve_node(self._catalogue, node, self._model.opsets, inputs, own)
        return known

    def _untold_outputs(
        self, node: NodeRecord, function: FunctionRecord | None, owner: FunctionRecord, names: _Names
    ) -> Iterator[str]:
        """Yield what a node in a function makes whose type does not follow from the imports of the function."""
        if function is not None:
            flags = self._untold.get((function.domain, function.name, function.overload), ())
            yield from (name for name, untold in zip(node.outputs, flags, strict=False) if name and untold)
            return
        version = owner.opsets.get(node.domain)
        is_of_library = bool(self._catalogue.provided(node.domain, node.type))
        schema = None
        if version is not None and not is_of_library:
            schema = self._catalogue.schema(node.domain, node.type, version)
        yield from untold_outputs(node, schema, names.untold)

    def _output_types(self, node: NodeRecord, inputs: Types, resolution: Resolution) -> Types:
        if isinstance(resolution, Resolved) and resolution.origin is Origin.LIBRARY:
            return self._library_outputs(node, inputs)
        if (known := self._catalogue.contract(node.domain, node.type)) is not None:
            return declared_outputs(known, inputs)
        version = self._model.opsets.get(node.domain, self._catalogue.tables.newest_opsets.get(node.domain, 1))
        schema = self._catalogue.schema(node.domain, node.type, version)
        return () if schema is None else output_types(node, schema, inputs)

    def _library_outputs(self, node: NodeRecord, inputs: Types) -> Types:
        provided = self._catalogue.provided(node.domain, node.type)
        found = find_operator(self._catalogue, node, provided, inputs)
        outputs = () if isinstance(found, Unresolved) else found.operator.outputs
        last = len(outputs) - 1
        return tuple(outputs[min(slot, last)].type for slot in range(len(node.outputs))) if outputs else ()

    def _resolve_call(
        self, function: FunctionRecord, node: NodeRecord, owner: FunctionRecord | None, inputs: Types, names: _Names
    ) -> tuple[Resolution, Types]:
        refusal = refused_by_function(self._catalogue, node, owner.opsets, inputs) if owner is not None else None
        if refusal is not None:
            return refusal, ()
        if function.domain not in self._model.opsets and not self._catalogue.has_domain(function.domain):
            reason = f"the file has the function, and does not import its domain {function.domain}"
            return Unresolved(step=Step.IMPORT, reason=reason), ()
        if (fault := wrong_call(node, function)) is not None:
            return fault, ()
        key = (function.domain, function.name, function.overload)
        if key in self._open:
            return Unresolved(step=Step.OPERATOR, reason="the function calls itself, which no runtime expands"), ()
        if len(self._open) >= _MOST_CALLS or self._levels >= _MOST_LEVELS:
            reason = f"functions call one another more than {_MOST_CALLS} deep"
            if len(self._open) < _MOST_CALLS:
                reason = f"functions and graphs are nested more than {_MOST_LEVELS} deep"
            return Unresolved(step=Step.OPERATOR, reason=reason), ()
        # What was noted of names so far is what the graph declares, or comes from nodes before.
        declared = set() if owner is not None else {name for name in node.outputs if names.types.get(name)}
        made = self._call(function, inputs)
        if (fault := output_without_type(node, self._untold.get(key, ()), declared)) is not None:
            return fault, made
        if not self._open:
            self._expanded += self._sizes[key]
            if self._expanded > MOST_EXPANDED:
                reason = f"functions that call one another expand into {self._expanded:,} nodes, more than memory holds"
                return Unresolved(step=Step.OPERATOR, reason=reason), ()
        return Resolved(origin=Origin.FUNCTION), made

    def _call(self, function: FunctionRecord, inputs: Types) -> Types:
        """Walk through the body of a function for a call, unless one was seen; return the types of its outputs."""
        key = (function.domain, function.name, function.overload)
        if key in self._called:
            return self._called[key]
        self._called[key] = ()
        self._open.append(key)
        self._levels += 1
        names = _Names()
        for value in function.value_infos:
            _declare(names, value)
        names.types.update({name: text for name, text in zip(function.inputs, inputs, strict=False) if text})
        path = (f"function {function.title}",)
        body = tuple(self._nodes(function.nodes, path, names, function))
        self._of_functions.extend(body)
        self._open.pop()
        self._levels -= 1
        size = sum(self._sizes.get((item.node.domain, item.node.type, item.node.overload), 1) for item in body)
        self._sizes[key] = min(size, _LARGEST_SIZE)
        self._called[key] = tuple(names.type_of(name) for name in function.outputs)
        if all(isinstance(item.resolution, Resolved) for item in body):
            self._untold[key] = tuple(name in names.untold for name in function.outputs)
        return self._called[key]


def _decisive(attribute: AttributeRecord) -> int | str | None:
    """Return what of an attribute's value can decide about types and kernels."""
    if isinstance(attribute.value, TensorRecord):
        return attribute.value.element_type
    return attribute.value if isinstance(attribute.value, int | str) else None


def _declare(names: _Names, value: ValueRecord) -> None:
    if text := type_text(value.type):
        names.types.setdefault(value.name, text)


def _given(node: NodeRecord, inputs: Types, graph: GraphRecord) -> Types:
    """Return what control flow hands to a nested graph, as far as the node's inputs tell.

    Source: ONNX's definitions of Loop (iteration number, condition, carried values) and Scan (states, then slices).
    """
    if node.type == "Loop":
        return (element_type_text(7), element_type_text(9), *inputs[2:])
    if node.type == "Scan":
        return inputs[-len(graph.inputs) :]
    if node.type == "SequenceMap":
        return tuple(element_of(text) or text for text in inputs)
    return ()
