"""The nodes of a model, each handed to the runtime with the types and shapes that reach it. Runs in a worker.

Nested graphs and functions are walked, not handed over: what is wrong inside is told at its own node. Shapes that
change from turn to turn of a loop, or that depend on values that nodes compute, stay open; a node whose inputs are not
known is not asked about. So nothing is refused here that a session takes, and the time is bounded by the number of
different nodes and a limit to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from opstudio.contract.operator import OperatorContract
from opstudio.model.graph.records import FunctionRecord, GraphRecord, ModelRecord, NodeRecord
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.tensor_records import TensorRecord
from opstudio.model.shapes.contract_shapes import contract_outputs
from opstudio.model.shapes.control_flow import as_computed, branch_taken, either, handed, stacked
from opstudio.model.shapes.costly_nodes import is_costly, is_long
from opstudio.model.shapes.known_values import (
    NOT_KNOWN,
    KnownValues,
    UnreadableError,
    contradicts,
    merged_shape,
    parsed,
    values_of_graph,
)
from opstudio.model.shapes.node_asking import KnownType, NodeAnswer, NodeAsker, can_be_input, shape_constant
from opstudio.model.shapes.records import (
    ASKING,
    InferredValue,
    ModelShapes,
    NodeRefusal,
    RefusalKind,
    ShapeContradiction,
    ValueOrigin,
    shape_text,
)

_MOST_SESSIONS = 12_000
_MOST_VISITS = 200_000
_MOST_CALLS = 64
_MOST_LEVELS = 100
"""Graphs in graphs, and calls, that are followed; each takes five frames of Python's thousand."""
_CONTROL = ("If", "Loop", "Scan", "SequenceMap")
_FunctionKey = tuple[str, str, str]
_Bindings = Mapping[str, Any]
"""The attributes of a call, by name, as messages."""


def walk_model(
    model: ModelRecord,
    file: SourceFile,
    asker: NodeAsker,
    contracts: Iterable[OperatorContract] = (),
    progress: Callable[[str], None] = lambda _label: None,
) -> ModelShapes:
    """Ask about every node of a model. ``progress`` hears which one comes next."""
    walk = _Walk(model, file, asker, {(item.domain, item.onnx_type): item for item in contracts}, progress)
    walk.graph(model.graph, None, {}, ())
    return walk.result()


@dataclass(slots=True)
class _Found:
    """What was found of a node, over all calls of the function that it stands in; the first call counts for values."""

    values: dict[tuple[int, int], InferredValue] = field(default_factory=dict)
    refusals: dict[int, NodeRefusal] = field(default_factory=dict)
    contradictions: dict[tuple[int, int], ShapeContradiction] = field(default_factory=dict)
    taken: dict[int, None] = field(default_factory=dict)
    blind: dict[int, int] = field(default_factory=dict)


class _Walk:
    def __init__(
        self,
        model: ModelRecord,
        file: SourceFile,
        asker: NodeAsker,
        contracts: Mapping[tuple[str, str], OperatorContract],
        progress: Callable[[str], None],
    ) -> None:
        self._model, self._file, self._asker = model, file, asker
        self._contracts, self._progress = contracts, progress
        self._functions = {(item.domain, item.name, item.overload): item for item in model.functions}
        self._open: list[_FunctionKey] = []
        self._called: dict[tuple[object, ...], tuple[KnownType, ...]] = {}
        self._found = _Found()
        self._visits = self._left_out = self._levels = 0
        self._blind_of: dict[str, int] = {}

    def result(self) -> ModelShapes:
        found = self._found
        return ModelShapes(
            values=tuple(found.values.values()),
            refusals=tuple(found.refusals.values()),
            contradictions=tuple(found.contradictions.values()),
            taken=tuple(node for node in found.taken if node not in found.refusals),
            blind=tuple(found.blind.items()),
            sessions=self._asker.sessions,
            left_out=self._left_out,
        )

    def graph(
        self,
        graph: GraphRecord,
        around: KnownValues | None,
        bindings: _Bindings,
        given: Sequence[KnownType],
    ) -> tuple[KnownType, ...]:
        """Walk through a graph; ``given`` is what is handed to its inputs. Return what is known of its outputs."""
        values = values_of_graph(graph, around, self._file, self._model.ir_version)
        for value, known in zip(graph.inputs, given, strict=False):
            declared = values.types[value.name]
            shape = merged_shape(declared.shape, known.shape)
            values.types[value.name] = KnownType(declared.type or known.type, shape)
        self._levels += 1
        self._nodes(graph.nodes, values, bindings)
        self._levels -= 1
        return tuple(values.type_of(value.name) for value in graph.outputs)

    def _nodes(self, nodes: Sequence[NodeRecord], values: KnownValues, bindings: _Bindings) -> None:
        for node in nodes:
            self._visits += 1
            if self._visits > _MOST_VISITS or self._asker.sessions > _MOST_SESSIONS:
                self._left_out += 1
                made: Sequence[KnownType] = ()
                origin = ValueOrigin.INFERRED
            else:
                try:
                    made, origin = self._node(node, values, bindings)
                except UnreadableError:
                    made, origin = (), ValueOrigin.INFERRED
                    self._refuse(
                        node, RefusalKind.UNREADABLE, "its message is damaged, and no protobuf library reads it"
                    )
            self._note(node, values, made, origin)

    def _node(
        self, node: NodeRecord, values: KnownValues, bindings: _Bindings
    ) -> tuple[Sequence[KnownType], ValueOrigin]:
        inputs = [values.type_of(name) if name else NOT_KNOWN for name in node.inputs]
        function = self._functions.get((node.domain, node.type, node.overload))
        if function is not None:
            return self._call(function, node, inputs, bindings), ValueOrigin.INFERRED
        if any(True for _ in node.subgraphs):
            return self._control(node, inputs, values, bindings), ValueOrigin.INFERRED
        if node.type == "Constant" and not node.domain:
            return self._constant(node, values), ValueOrigin.INFERRED
        if is_costly(node):
            return (), ValueOrigin.INFERRED
        contract = self._contracts.get((node.domain, node.type))
        stated = contract_outputs(contract, self._bound(node, bindings), inputs) if contract is not None else ()
        if not all(can_be_input(known.type) for name, known in zip(node.inputs, inputs, strict=True) if name):
            return stated, ValueOrigin.CONTRACT
        made = self._ask(node, bindings, inputs, values)
        if stated and all(item is None or item.shape is None for item in made):
            return stated, ValueOrigin.CONTRACT
        return [item or NOT_KNOWN for item in made], ValueOrigin.INFERRED

    def _ask(
        self,
        node: NodeRecord,
        bindings: _Bindings,
        inputs: Sequence[KnownType],
        values: KnownValues,
    ) -> Sequence[KnownType | None]:
        names = dict(zip(node.inputs, inputs, strict=True))
        # In functions too: once their bodies are written into the graph, the model's imports hold.
        opsets = self._model.opsets
        imports = {domain: opsets[domain] for domain in dict.fromkeys(("", node.domain)) if domain in opsets}
        constants = {name: values.constant(name) for name in names if name}
        answer = self._asker.ask(node, lambda: self._bound(node, bindings), imports, names, constants)
        computed = any(known.computed for known in inputs)
        if computed and values.around is not None and not answer.is_taken:
            return ()  # the runtime may drop the branch before it looks
        if answer.is_taken:
            self._found.taken.setdefault(node.offset)
            computed = self._keep_constants(node, inputs, answer, values) or computed
            self._look_for_blindness(node, names, answer, values)
        elif answer.kind in (RefusalKind.SHAPES, RefusalKind.TYPES) or (
            # A kernel may ask for the values of a constant, which are not all handed over.
            answer.kind is not None and not any(values.is_withheld(name) for name in names)
        ):
            told = [f"{name} is {_told(known)}" for name, known in names.items() if name]
            remark = ", ".join(told) if answer.kind is RefusalKind.SHAPES else ""
            self._refuse(node, answer.kind, answer.refusal, remark=remark)
        return [as_computed(known) if known and computed else known for known in answer.outputs]

    def _keep_constants(
        self, node: NodeRecord, inputs: Sequence[KnownType], answer: NodeAnswer, values: KnownValues
    ) -> bool:
        """Keep what the runtime would compute while it optimises, sizes mostly; say whether there was any."""
        if node.type == "Shape" and not node.domain and inputs:
            attributes = {item.name: item.value for item in node.attributes if isinstance(item.value, int)}
            made: tuple[bytes, ...] = (shape_constant(inputs[0].shape, attributes),)
        else:
            made = answer.values
        for name, content in zip(node.outputs, made, strict=False):
            if name and content:
                values.constants.setdefault(name, content)
        return any(made)

    def _look_for_blindness(
        self, node: NodeRecord, names: Mapping[str, KnownType], answer: NodeAnswer, values: KnownValues
    ) -> None:
        reached = {self._blind_of[name] for name in names if name in self._blind_of}
        for blind in reached:
            self._found.blind[blind] += 1
        left_open = [
            name
            for name, known in zip(node.outputs, answer.outputs, strict=False)
            if known is not None
            and known.type.startswith("tensor(")
            and known.shape is None
            # What the file declares helps out.
            and values.declared.get(name, NOT_KNOWN).shape is None
        ]
        if left_open and not reached and all(known.shape is not None for name, known in names.items() if name):
            self._found.blind.setdefault(node.offset, 0)
            reached = {node.offset}
        if reached:
            self._blind_of.update(dict.fromkeys(left_open, min(reached)))

    def _note(self, node: NodeRecord, values: KnownValues, made: Sequence[KnownType], origin: ValueOrigin) -> None:
        """Hold what a node makes against what the file declares of it."""
        for slot, name in enumerate(node.outputs):
            if not name or name in values.types:
                continue
            known = made[slot] if slot < len(made) else NOT_KNOWN
            declared = values.declared.get(name, NOT_KNOWN)
            if known.type and declared.type and known.type != declared.type:
                reason = f"it makes {known.type} of {name}, the file says {declared.type}"
                self._refuse(node, RefusalKind.TYPES, reason, tensor=name)
                values.types[name] = declared
                continue
            if declared.shape is not None and known.shape is not None and contradicts(declared.shape, known.shape):
                self._found.contradictions.setdefault(
                    (node.offset, slot),
                    ShapeContradiction(
                        node=node.offset, slot=slot, tensor=name, declared=declared.shape, inferred=known.shape
                    ),
                )
            merged = KnownType(known.type or declared.type, merged_shape(declared.shape, known.shape), known.computed)
            values.types[name] = merged
            if merged.type and (merged.type, merged.shape) != (declared.type, declared.shape):
                value = InferredValue(node=node.offset, slot=slot, type=merged.type, shape=merged.shape, origin=origin)
                self._found.values.setdefault((node.offset, slot), value)

    def _refuse(self, node: NodeRecord, kind: RefusalKind, reason: str, *, tensor: str = "", remark: str = "") -> None:
        refusal = NodeRefusal(node=node.offset, kind=kind, reason=reason, tensor=tensor, remark=remark)
        self._found.refusals.setdefault(node.offset, refusal)

    def _bound(self, node: NodeRecord, bindings: _Bindings) -> Any:
        """Return a node's message, with the attributes of the function around it put in."""
        import onnx

        self._progress(f"{ASKING}{node.name or node.type}")
        message = parsed(onnx.NodeProto, self._file.read(node.offset, node.length))
        for position in reversed(range(len(message.attribute))):
            attribute = message.attribute[position]
            if not attribute.ref_attr_name:
                continue
            value = bindings.get(attribute.ref_attr_name)
            if value is None:
                # The caller leaves it out; so does the body.
                del message.attribute[position]
                continue
            name = attribute.name
            attribute.CopyFrom(value)
            attribute.name = name
        return message

    def _constant(self, node: NodeRecord, values: KnownValues) -> Sequence[KnownType]:
        for attribute in node.attributes:
            if isinstance(attribute.value, TensorRecord) and node.outputs:
                name = node.outputs[0]
                if name not in values.types:
                    values.add_constant(name, attribute.value, self._file)
                    return ()
        if is_long(node) or any(item.reference for item in node.attributes) or not node.attributes:
            return ()
        imports = {"": self._model.opsets.get("", 1)}
        answer = self._asker.ask(node, lambda: self._bound(node, {}), imports, {}, {})
        values.constants.update((name, content) for name, content in zip(node.outputs, answer.values, strict=False))
        return [item or NOT_KNOWN for item in answer.outputs]

    def _call(
        self, function: FunctionRecord, node: NodeRecord, inputs: Sequence[KnownType], bindings: _Bindings
    ) -> Sequence[KnownType]:
        """Walk through the body of a function for a call, unless one like it was seen."""
        key = (function.domain, function.name, function.overload)
        if key in self._open or len(self._open) >= _MOST_CALLS or self._levels >= _MOST_LEVELS:
            return ()
        if is_long(node):
            return ()
        message = self._bound(node, bindings)
        given = {item.name: item for item in message.attribute}
        call = (key, tuple(inputs), tuple(sorted((name, item.SerializeToString()) for name, item in given.items())))
        if call in self._called:
            return self._called[call]
        values = KnownValues()
        values.declare(function.value_infos)
        for position, name in enumerate(function.inputs):
            values.types[name] = inputs[position] if position < len(inputs) else NOT_KNOWN
        self._open.append(key)
        self._levels += 1
        self._nodes(function.nodes, values, {**_defaults(function), **given})
        self._open.pop()
        self._levels -= 1
        made = tuple(values.type_of(name) for name in function.outputs)
        self._called[call] = made
        return made

    def _control(
        self,
        node: NodeRecord,
        inputs: Sequence[KnownType],
        values: KnownValues,
        bindings: _Bindings,
    ) -> Sequence[KnownType]:
        made = [self.graph(graph, values, bindings, handed(node, inputs, graph)) for _, graph in node.subgraphs]
        if node.type not in _CONTROL or node.domain:
            return ()
        if node.type == "If":
            chosen = branch_taken(values.constant(node.inputs[0]), node) if node.inputs else -1
            if 0 <= chosen < len(made):
                return [as_computed(known) for known in made[chosen]]
            return [either(known) for known in zip(*made, strict=False)]
        if node.type == "Loop":
            carried = max(0, len(node.inputs) - 2)
            results = made[0][1:]
            return [*(KnownType(item.type) for item in results[:carried]), *map(stacked, results[carried:])]
        # Axes of a Scan are attributes; of its results, types are enough.
        return [KnownType(item.type) for item in made[0]] if node.type == "Scan" else ()


def _told(known: KnownType) -> str:
    return f"{known.type}{'' if known.shape is None else shape_text(known.shape)}"


def _defaults(function: FunctionRecord) -> dict[str, Any]:
    """Return the attributes that a function gives itself, as messages; those of simple kinds."""
    import onnx

    simple = [item for item in function.defaults if isinstance(item.value, int | float | str | bytes | tuple)]
    made = {}
    for item in simple:
        values = item.value if isinstance(item.value, tuple) else (item.value,)
        if values and all(isinstance(value, int | float | str | bytes) for value in values):
            made[item.name] = onnx.helper.make_attribute(item.name, item.value)
    return made
