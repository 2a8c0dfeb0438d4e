"""The operators and kernels of the installed ONNX Runtime, asked of the runtime itself. Runs in a worker."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from opstudio.model.runtime.one_node_sessions import expanded_types, newest_ir_version, newest_opset
from opstudio.model.runtime.records import (
    Arity,
    FormalAttribute,
    FormalParameter,
    KernelDefinition,
    OperatorSchema,
    RuntimeTables,
)

_LIMITED = ("", "ai.onnx.ml", "ai.onnx.preview.training", "com.microsoft")
"""The domains of which the runtime knows the newest version, and refuses newer ones even where no node uses them."""


def read_runtime_tables() -> RuntimeTables:
    """Return everything that the runtime registers before any operator library is loaded."""
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    kernels = tuple(_kernel(kernel) for kernel in state.get_all_opkernel_def())
    newest = {domain: newest_opset(domain) for domain in _LIMITED}
    schemas = [_schema(schema) for schema in state.get_all_operator_schema()]
    return RuntimeTables(
        release=onnxruntime.__version__,
        providers=tuple(onnxruntime.get_available_providers()),
        schemas=tuple(_with_expansions(schemas, newest)),
        kernels=kernels,
        newest_opsets=newest,
        newest_ir_version=newest_ir_version(),
    )


def _with_expansions(schemas: Sequence[OperatorSchema], newest: Mapping[str, int]) -> Iterator[OperatorSchema]:
    """Yield the definitions with the types for which the runtime writes the operator as others."""
    following: dict[tuple[str, str], int] = {}
    for schema in sorted(schemas, key=lambda item: -item.since_version):
        key = (schema.domain, schema.type)
        # The newest version at which this definition holds.
        version = following.get(key, newest.get(schema.domain, 1) + 1) - 1
        following[key] = schema.since_version
        if not schema.inputs or not _may_expand(schema):
            yield schema
            continue
        wanted = schema.types.get(schema.inputs[0].type, (schema.inputs[0].type,))
        if any(attribute.required for attribute in schema.attributes):
            # Its attributes cannot be guessed: believed.
            yield dataclasses.replace(schema, expanded_types=wanted)
            continue
        yield dataclasses.replace(schema, expanded_types=expanded_types(schema, version, wanted))


def _may_expand(schema: OperatorSchema) -> bool:
    """Whether an operator may be defined by others as well; of its own operators, the runtime does not say."""
    import onnx

    if schema.domain == "com.microsoft":
        return not any(attribute.required for attribute in schema.attributes)
    try:
        known = onnx.defs.get_schema(schema.type, schema.since_version, schema.domain)
    except onnx.defs.SchemaError:
        return False
    return bool(known.has_function or known.has_context_dependent_function)


def _schema(schema: Any) -> OperatorSchema:
    return OperatorSchema(
        domain=schema.domain,
        type=schema.name,
        since_version=schema.since_version,
        inputs=_parameters(schema.inputs),
        outputs=_parameters(schema.outputs),
        attributes=tuple(
            FormalAttribute(name=name, kind=_kind(attribute.type.name), required=attribute.required)
            for name, attribute in sorted(schema.attributes.items())
        ),
        types={
            constraint.type_param_str: tuple(sorted(constraint.allowed_type_strs))
            for constraint in schema.type_constraints
        },
        least_inputs=schema.min_input,
        most_inputs=schema.max_input,
        least_outputs=schema.min_output,
        most_outputs=schema.max_output,
        deprecated=schema.deprecated,
    )


def _kind(name: str) -> str:
    """Return the kind of an attribute; for the youngest kind, the runtime's own binding has no name."""
    return "TYPE_PROTO" if name == "???" else name


def _parameters(parameters: Iterable[Any]) -> tuple[FormalParameter, ...]:
    return tuple(
        FormalParameter(
            name=item.name,
            type=item.typeStr,
            arity=Arity(item.option.name.lower()),
            homogeneous=item.isHomogeneous,
        )
        for item in parameters
    )


def _kernel(kernel: Any) -> KernelDefinition:
    since, until = kernel.version_range
    types: Mapping[str, list[str]] = kernel.type_constraints
    return KernelDefinition(
        provider=kernel.provider,
        domain=kernel.domain,
        type=kernel.op_name,
        since=since,
        until=until,
        types={name: tuple(sorted(allowed)) for name, allowed in types.items()},
    )
