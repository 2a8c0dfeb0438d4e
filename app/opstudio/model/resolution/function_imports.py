"""What ONNX Runtime asks of nodes in a function by the imports of the function, before it looks at the model's.

The runtime writes the body of a function into the graph that calls it, and from there on its nodes mean what the
*model's* imports say. Before that, each node must fit the function's own imports: its domain is among them, and where
its operator is defined at that version, so are the numbers of its inputs and outputs and their types. Attributes are
not looked at, and an operator that does not exist at that version is let through.
Source: observed of ONNX Runtime 1.23 and 1.32 with functions that import other versions than the model.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from opstudio.model.graph.records import NodeRecord
from opstudio.model.resolution.catalogue import Catalogue
from opstudio.model.resolution.output_types import Types, formal, output_types
from opstudio.model.resolution.records import Step, Unresolved
from opstudio.model.resolution.runtime_operators import wrong_counts, wrong_types
from opstudio.model.runtime.records import OperatorSchema


def refused_by_function(
    catalogue: Catalogue, node: NodeRecord, own: Mapping[str, int], inputs: Types
) -> Unresolved | None:
    """Return why a node does not fit the imports of the function that it stands in; ``None`` where it does.

    ``own`` are these imports; ``inputs`` are the types of the node's inputs, empty where they are not known.
    """
    name = node.domain or "ai.onnx"
    version = own.get(node.domain)
    if version is None:
        return Unresolved(
            step=Step.IMPORT,
            reason=f"its function does not import the domain {name}; what the model imports does not count for that",
            candidates=catalogue.nearest_domains(node.domain, own) if node.domain else (),
        )
    schema = catalogue.schema(node.domain, node.type, version)
    if schema is None:
        return None
    fault = wrong_counts(node, schema) or wrong_types(schema, inputs) or _wrong_outputs(node, schema, inputs)
    if fault is None:
        return None
    return dataclasses.replace(fault, reason=f"its function imports {name} {version}: {fault.reason}")


def _wrong_outputs(node: NodeRecord, schema: OperatorSchema, inputs: Types) -> Unresolved | None:
    """Compare the types of the outputs with a definition: a constant may have one that only later definitions make."""
    for slot, text in enumerate(output_types(node, schema, inputs)):
        parameter = formal(schema.outputs, slot)
        allowed = schema.types.get(parameter.type, (parameter.type,)) if parameter is not None else ()
        if text and allowed and text not in allowed:
            reason = f"output {slot} is {text}, which version {schema.since_version} does not make"
            return Unresolved(step=Step.TYPES, reason=reason, candidates=allowed)
    return None
