"""What ONNX Runtime asks of a call of a function: the numbers of inputs and outputs, and types of what it makes.

Before the body is written into the graph, the types of the outputs are inferred by the definitions of ONNX at the
versions that the function imports. A node whose operator these do not have, one of a library for example, makes values
without a type; so do nodes behind it that pass a type on. The runtime refuses an output without a type, unless the
graph that calls declares it; in another function, descriptions of values do not count.
Source: observed of ONNX Runtime 1.32.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from opstudio.model.graph.records import FunctionRecord, NodeRecord
from opstudio.model.resolution.node_form import count_text, wrong_form
from opstudio.model.resolution.output_types import formal, has_own_rule
from opstudio.model.resolution.records import Step, Unresolved
from opstudio.model.runtime.records import OperatorSchema


def wrong_call(node: NodeRecord, function: FunctionRecord) -> Unresolved | None:
    """Compare the numbers of inputs and outputs of a call with its function; inputs at the end may be left out."""
    given, taken = len(node.inputs), len(function.inputs)
    if given > taken:
        return wrong_form(f"it has {count_text(given, 'input')}, the function takes {taken}")
    made, makes = len(node.outputs), len(function.outputs)
    if made != makes:
        return wrong_form(f"it has {count_text(made, 'output')}, the function makes {makes}")
    return None


def output_without_type(node: NodeRecord, is_untold: Sequence[bool], declared: Collection[str]) -> Unresolved | None:
    """Return why an output of a call gets no type; ``is_untold`` says it of each output of the function."""
    for name, untold in zip(node.outputs, is_untold, strict=False):
        if name and untold and name not in declared:
            reason = f"the type of {name} does not follow from the function by its own imports, and must be declared"
            return Unresolved(step=Step.TYPES, reason=reason, tensor=name)
    return None


def untold_outputs(node: NodeRecord, schema: OperatorSchema | None, untold: Collection[str]) -> Iterator[str]:
    """Yield the outputs of a node in a function that get no type; ``untold`` are the values before it that have none.

    ``schema`` is the definition at the version that the function imports, ``None`` where there is none. What is not
    certain counts as told.
    """
    if schema is None:
        yield from filter(None, node.outputs)
        return
    if not untold or has_own_rule(node, schema) or any(True for _ in node.subgraphs):
        return
    for slot, name in enumerate(node.outputs):
        parameter = formal(schema.outputs, slot)
        if not name or parameter is None or len(schema.types.get(parameter.type, ("",))) == 1:
            continue
        sources = [
            value
            for position, value in enumerate(node.inputs)
            if value and (taken := formal(schema.inputs, position)) is not None and taken.type == parameter.type
        ]
        if sources and all(value in untold for value in sources):
            yield name
