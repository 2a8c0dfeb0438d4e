"""The runtime's answer to one node: a session of a model that holds it alone. Runs in a worker.

A session of a whole model says of the first fault only, needs the weights, and runs what the file asks for while it
optimises. Of one node it takes a tenth of a millisecond, weights are inputs, and nothing is computed. Nodes that differ
in names alone are one question.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opstudio.model.graph.records import NodeRecord
from opstudio.model.runtime.element_types import element_type_number
from opstudio.model.runtime.type_texts import element_of
from opstudio.model.shapes.records import RefusalKind, Shape
from opstudio.model.shapes.refusal_words import refusal_of

_PLAIN_IR_VERSION = 8
_SHAPE_VERSION = 13
_COMPUTED = frozenset(
    (
        *(
            "Add",
            "Cast",
            "Concat",
            "Constant",
            "Div",
            "Equal",
            "Floor",
            "Gather",
            "Identity",
            "Max",
            "Min",
            "Mod",
            "Mul",
            "Neg",
        ),
        *("Reshape", "Slice", "Squeeze", "Sub", "Unsqueeze", "Where"),
    )
)
"""Operators whose outputs are computed where all inputs are small constants, as the runtime does when it optimises.

Sizes are put together by these. What they make is not larger than what they get, apart from pairs that are stretched.
"""
_MOST_COMPUTED_BYTES, _MOST_COMPUTED = 4096, 1024
"""Of all inputs of such a node together, and the elements of its output that are kept: pairs may be stretched."""


@dataclass(frozen=True, slots=True)
class KnownType:
    """What is known of a value: ONNX's text of its type, and its shape where the rank is known.

    ``computed`` says that it follows from values that the runtime computes when it optimises, not while it loads.
    """

    type: str
    shape: Shape | None = None
    computed: bool = False


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """What the runtime makes of a node; ``None`` for outputs that are left out. ``kind`` is that of a refusal.

    ``values`` are the outputs as serialised tensors, where the node was computed.
    """

    outputs: tuple[KnownType | None, ...] = ()
    refusal: str = ""
    kind: RefusalKind | None = None
    values: tuple[bytes, ...] = ()

    @property
    def is_taken(self) -> bool:
        """Whether a session takes the node."""
        return not self.refusal

    @property
    def is_nobodys(self) -> bool:
        """Whether nobody has the operator: a refusal of which the kind is open."""
        return bool(self.refusal) and self.kind is None


@dataclass(frozen=True, slots=True)
class Question:
    """A node with what reaches it, all names replaced by numbers.

    ``inputs`` are the types of its values by number, ``constants`` the serialised tensors of those that are constant.
    """

    node: bytes
    imports: tuple[tuple[str, int], ...]
    inputs: tuple[KnownType, ...]
    constants: tuple[bytes, ...]


class NodeAsker:
    """Asks, and remembers answers. ``sessions`` counts how often the runtime was asked."""

    def __init__(self, libraries: Sequence[str] = (), ir_version: int = _PLAIN_IR_VERSION) -> None:
        import onnxruntime

        self._options = onnxruntime.SessionOptions()
        self._options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self._options.log_severity_level = 4
        self._options.enable_cpu_mem_arena = False
        self._options.intra_op_num_threads = self._options.inter_op_num_threads = 1
        for library in libraries:
            self._options.register_custom_ops_library(library)
        self._ir_version = max(ir_version, _PLAIN_IR_VERSION)
        self._answers: dict[Question, NodeAnswer] = {}
        self._seen: dict[tuple[object, ...], NodeAnswer] = {}
        self._nobodys: dict[tuple[object, ...], NodeAnswer] = {}
        """What was said of operators that nobody has, whatever their inputs and attributes are."""
        self.sessions = 0

    def ask(
        self,
        node: NodeRecord,
        message: Callable[[], Any],
        imports: Mapping[str, int],
        types: Mapping[str, KnownType],
        constants: Mapping[str, bytes],
    ) -> NodeAnswer:
        """Return the answer to a node whose inputs all have a type.

        ``message`` gives it as a ``NodeProto``; it is called, and the result changed, where no such node was seen.
        """
        symbols: dict[str, str] = {}
        numbers = {name: number for number, name in enumerate(dict.fromkeys(filter(None, node.inputs)))}
        inputs = tuple((types[name].type, _numbered(types[name].shape, symbols)) for name in numbers)
        operator = (node.domain, node.type, tuple(imports.items()))
        if (answer := self._nobodys.get(operator)) is not None:
            return answer
        key = (
            operator,
            tuple(numbers.get(name, -1) for name in node.inputs),
            tuple(map(bool, node.outputs)),
            inputs,
            tuple(constants.get(name, b"") for name in numbers),
            # What an attribute of a function stands for is seen in the message only.
            node if any(item.reference for item in node.attributes) else node.attributes,
        )
        answer = None if isinstance(key[-1], NodeRecord) else self._seen.get(key)
        if answer is None:
            proto = message()
            _strip(proto, numbers)
            question = Question(
                node=proto.SerializeToString(deterministic=True),
                imports=tuple(imports.items()),
                inputs=tuple(KnownType(*item) for item in inputs),
                constants=key[4],
            )
            if (answer := self._answers.get(question)) is None:
                answer = self._answers[question] = self._answer(proto, question)
            self._seen[key] = answer
            if answer.is_nobodys:
                self._nobodys[operator] = answer
        if not symbols:
            return answer
        originals = {number: name for name, number in symbols.items()}
        outputs = tuple(item and KnownType(item.type, _named(item.shape, originals)) for item in answer.outputs)
        return NodeAnswer(outputs, answer.refusal, answer.kind, answer.values)

    def _answer(self, node: Any, question: Question) -> NodeAnswer:
        made = [name for name in node.output if name]
        try:
            session = self._session([node], question, made)
            found = {item.name: item for item in session.get_outputs()}
            # The interface gives the same for no sizes and for sizes that are not known.
            open_names = [name for name in made if found[name].type.startswith("tensor(") and not found[name].shape]
        except Exception as error:  # noqa: BLE001 - its errors have no common class
            refusal, kind = refusal_of(str(error), node.op_type)
            return NodeAnswer(refusal=refusal, kind=kind)
        scalars = self._scalars(node, question, open_names) if open_names else set()
        outputs = tuple(_known(found[name], scalars) if name else None for name in node.output)
        computed = node.op_type in _COMPUTED and not node.domain and all(question.constants) and len(made) == 1
        computed = computed and sum(map(len, question.constants)) <= _MOST_COMPUTED_BYTES
        computed = computed and _is_small(found[made[0]].shape)
        return NodeAnswer(outputs, values=_computed(session) if computed else ())

    def _scalars(self, node: Any, question: Question, names: Sequence[str]) -> set[str]:
        """Return those of a node's outputs that are known to have no sizes: the shape of their shape tells."""
        from onnx import helper

        shapes = [helper.make_node("Shape", [name], [f"{name}_shape"]) for name in names]
        try:
            session = self._session([node, *shapes], question, [f"{name}_shape" for name in names])
        except Exception:  # noqa: BLE001 - of some types, no kernel tells the shape
            return set()
        return {name for name, shape in zip(names, session.get_outputs(), strict=True) if list(shape.shape) == [0]}

    def _session(self, nodes: Sequence[Any], question: Question, outputs: Sequence[str]) -> Any:
        import onnx
        import onnxruntime

        graph = onnx.GraphProto(name="one", node=nodes)
        for number, (known, constant) in enumerate(zip(question.inputs, question.constants, strict=True)):
            if constant:
                graph.initializer.add().ParseFromString(constant)
                graph.initializer[-1].name = f"x{number}"
            else:
                value = graph.input.add(name=f"x{number}")
                value.type.CopyFrom(_type_proto(known.type, known.shape))
        for name in outputs:
            graph.output.add(name=name)
        imports = {"": _SHAPE_VERSION, **dict(question.imports)}
        model = onnx.ModelProto(ir_version=self._ir_version, graph=graph)
        model.opset_import.extend(onnx.OperatorSetIdProto(domain=key, version=value) for key, value in imports.items())
        self.sessions += 1
        return onnxruntime.InferenceSession(
            model.SerializeToString(), self._options, providers=["CPUExecutionProvider"]
        )


def _is_small(shape: Sequence[int | str | None]) -> bool:
    """Whether an output is kept, as far as its sizes are known: a few axes of two are stretched to any number.

    Axes without elements count as one: what is made on the way to them need not be empty.
    """
    return math.prod(max(1, size) for size in shape if isinstance(size, int)) <= _MOST_COMPUTED


def _computed(session: Any) -> tuple[bytes, ...]:
    """Return the outputs of a session without inputs; nothing where they are not small tensors of numbers."""
    import numpy as np
    from onnx import numpy_helper

    try:
        results = session.run(None, {})
    except Exception:  # noqa: BLE001 - a node that cannot be computed has no values
        return ()
    if not all(isinstance(item, np.ndarray) and item.dtype.kind in "iufb" for item in results):
        return ()
    if any(item.size > _MOST_COMPUTED for item in results):
        return ()
    return tuple(numpy_helper.from_array(item).SerializeToString(deterministic=True) for item in results)


def shape_constant(shape: Shape | None, attributes: Mapping[str, int]) -> bytes:
    """Return the shape of a value as a serialised tensor; empty where a size is not known.

    ``attributes`` are those of the Shape node: where it starts and ends.
    """
    import numpy as np
    from onnx import numpy_helper

    if shape is None:
        return b""
    part = shape[attributes.get("start", 0) : attributes.get("end")]
    if not all(isinstance(size, int) for size in part):
        return b""
    content: bytes = numpy_helper.from_array(np.array(part, dtype=np.int64)).SerializeToString(deterministic=True)
    return content


def _known(item: Any, scalars: set[str]) -> KnownType:
    shape = tuple(size if isinstance(size, int | str) else None for size in item.shape)
    return KnownType(item.type, shape if shape or item.name in scalars else None)


def _strip(node: Any, numbers: Mapping[str, int]) -> None:
    """Replace the names of a node's values by numbers, and take away what does not count."""
    for slot, name in enumerate(node.input):
        node.input[slot] = f"x{numbers[name]}" if name else ""
    for slot, name in enumerate(node.output):
        node.output[slot] = f"y{slot}" if name else ""
    for field in ("name", "doc_string", "metadata_props"):
        node.ClearField(field)


def _numbered(shape: Shape | None, symbols: dict[str, str]) -> Shape | None:
    """Return a shape with numbers in place of the names of sizes."""
    if shape is None:
        return None
    return tuple(
        symbols.setdefault(size, f"d{len(symbols)}") if isinstance(size, str) and size else size or _zero(size)
        for size in shape
    )


def _zero(size: int | str | None) -> int | None:
    """Return a size that is no name and not above zero; an empty name says nothing."""
    return size if isinstance(size, int) else None


def _named(shape: Shape | None, names: Mapping[str, str]) -> Shape | None:
    """Return a shape with names in place of their numbers; names that the runtime made up say nothing."""
    if shape is None:
        return None
    return tuple(names.get(size) if isinstance(size, str) else size for size in shape)


def _type_proto(text: str, shape: Shape | None) -> Any:
    """Return a type as ONNX's message.

    Raises:
        ValueError: the text is of no type that can be an input.
    """
    import onnx

    made = onnx.TypeProto()
    if (number := element_type_number(text)) > 0:
        made.tensor_type.elem_type = number
        if shape is not None:
            made.tensor_type.shape.SetInParent()
            for size in shape:
                dimension = made.tensor_type.shape.dim.add()
                if isinstance(size, int):
                    dimension.dim_value = size
                elif size:
                    dimension.dim_param = size
    elif text.startswith("seq(") and (inner := element_of(text)):
        made.sequence_type.elem_type.CopyFrom(_type_proto(inner, None))
    elif text.startswith("optional(") and (inner := element_of(text)):
        made.optional_type.elem_type.CopyFrom(_type_proto(inner, None))
    else:
        message = f"{text} is no type of an input"
        raise ValueError(message)
    return made


def can_be_input(text: str) -> bool:
    """Whether a value of a type can be handed to a model of one node."""
    while inner := element_of(text):
        text = inner
    return element_type_number(text) > 0
