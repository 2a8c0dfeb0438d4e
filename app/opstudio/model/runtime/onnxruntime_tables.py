"""The operators and kernels of the installed ONNX Runtime, asked of the runtime itself. Runs in a worker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from opstudio.model.runtime.records import (
    Arity,
    FormalAttribute,
    FormalParameter,
    KernelDefinition,
    OperatorSchema,
    RuntimeTables,
)


def read_runtime_tables() -> RuntimeTables:
    """Return everything that the runtime registers before any operator library is loaded."""
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    return RuntimeTables(
        release=onnxruntime.__version__,
        providers=tuple(onnxruntime.get_available_providers()),
        schemas=tuple(_schema(schema) for schema in state.get_all_operator_schema()),
        kernels=tuple(_kernel(kernel) for kernel in state.get_all_opkernel_def()),
    )


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
        infers=schema.has_type_and_shape_inference_function,
    )


def _kind(name: str) -> str:
    """Return the kind of an attribute; for the youngest kind, the runtime's own binding has no name."""
    return "TYPE_PROTO" if name == "???" else name


def _parameters(parameters: Iterable[Any]) -> tuple[FormalParameter, ...]:
    return tuple(
        FormalParameter(name=item.name, type=item.typeStr, arity=Arity(item.option.name.lower())) for item in parameters
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
