"""A node against a definition of the runtime: its form, the types of its inputs, and the kernels for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from opstudio.base.names import nearest_names
from opstudio.model.graph.records import NodeRecord
from opstudio.model.resolution.catalogue import CPU, Catalogue
from opstudio.model.resolution.node_form import count_inputs, count_text, join_names, list_text, range_text, wrong_form
from opstudio.model.resolution.output_types import Types, bind_types, formal, output_types
from opstudio.model.resolution.records import Origin, Resolution, Resolved, Step, Through, Unresolved
from opstudio.model.runtime.records import Arity, KernelDefinition, OperatorSchema

_COMPILED = ("com.microsoft", "EPContext")
"""A part of a model that was compiled for one execution provider; its attributes are that provider's."""
_HALF, _FLOAT = "tensor(float16)", "tensor(float)"


def resolve_by_runtime(catalogue: Catalogue, node: NodeRecord, schema: OperatorSchema, inputs: Types) -> Resolution:
    """Return which kernel of the chosen providers runs a node of this definition."""
    if (node.domain, node.type) == _COMPILED:
        return _of_compiled(catalogue, node)
    return _wrong_form(node, schema) or wrong_types(schema, inputs) or _kernel(catalogue, node, schema, inputs)


def _of_compiled(catalogue: Catalogue, node: NodeRecord) -> Resolution:
    source = next((str(item.value) for item in node.attributes if item.name == "source"), "an unnamed provider")
    if source in catalogue.providers:
        return Resolved(origin=Origin.RUNTIME, provider=source, since_version=1)
    return Unresolved(
        step=Step.PROVIDER,
        reason=f"it was compiled for {source}; {join_names(catalogue.providers)} cannot run it",
        candidates=(source,),
    )


def wrong_counts(node: NodeRecord, schema: OperatorSchema) -> Unresolved | None:
    """Compare the number of inputs and outputs with a definition of the runtime."""
    given = count_inputs(node.inputs)
    if not schema.least_inputs <= given <= schema.most_inputs:
        takes = range_text(schema.least_inputs, schema.most_inputs)
        return wrong_form(f"it has {count_text(given, 'input')}, the operator takes {takes}")
    made = len(node.outputs)
    if not schema.least_outputs <= made <= schema.most_outputs:
        makes = range_text(schema.least_outputs, schema.most_outputs)
        return wrong_form(f"it has {count_text(made, 'output')}, the operator makes {makes}")
    return None


def _wrong_form(node: NodeRecord, schema: OperatorSchema) -> Unresolved | None:
    """Compare the number of inputs and outputs, and the attributes, with a definition of the runtime."""
    if (fault := wrong_counts(node, schema)) is not None:
        return fault
    missing = [
        parameter.name
        for slot, parameter in enumerate(schema.inputs)
        if parameter.arity is Arity.SINGLE and slot < len(node.inputs) and not node.inputs[slot]
    ]
    if missing:
        return wrong_form(f"it leaves out the input {missing[0]}, which the operator needs")
    known = {attribute.name: attribute for attribute in schema.attributes}
    names = {attribute.name for attribute in node.attributes}
    for attribute in schema.attributes:
        if attribute.required and attribute.name not in names:
            return wrong_form(f"it lacks the attribute {attribute.name}, which the operator needs")
    if unknown := sorted(names - set(known)):
        return _unknown_attributes(schema, unknown, known)
    for item in node.attributes:
        wanted = known[item.name].kind
        if wanted not in (item.kind.name, "TYPE_PROTO") and not item.reference:
            return wrong_form(f"its attribute {item.name} is {item.kind.name}, the operator takes {wanted}")
    return None


def _unknown_attributes(schema: OperatorSchema, unknown: Sequence[str], known: Iterable[str]) -> Unresolved:
    """Return the answer to a node with attributes that the definition does not have."""
    inputs = {parameter.name for parameter in schema.inputs}
    moved = [name for name in unknown if name in inputs]
    if not moved:
        hint = ""
    elif len(unknown) == 1:
        hint = "; at this version it is an input"
    elif len(moved) == len(unknown):
        hint = "; at this version they are inputs"
    else:
        hint = f"; at this version {list_text(moved)} {'is an input' if len(moved) == 1 else 'are inputs'}"
    plural = "" if len(unknown) == 1 else "s"
    return Unresolved(
        step=Step.FORM,
        reason=f"version {schema.since_version} of the operator has no attribute{plural} {list_text(unknown)}{hint}",
        candidates=nearest_names(unknown[0], known),
    )


def wrong_types(schema: OperatorSchema, inputs: Types) -> Unresolved | None:
    """Compare the types of the inputs, as far as they are known, with a definition of the runtime."""
    bound: dict[str, tuple[str, int]] = {}
    for slot, text in enumerate(inputs):
        parameter = formal(schema.inputs, slot)
        if not text or parameter is None:
            continue
        allowed = schema.types.get(parameter.type, (parameter.type,))
        if text not in allowed:
            return Unresolved(
                step=Step.TYPES,
                reason=f"input {slot}, {parameter.name}, is {text}, which version {schema.since_version} does not take",
                candidates=allowed,
            )
        before = bound.setdefault(parameter.type, (text, slot))
        if before[0] != text and _is_uniform(schema, parameter.type):
            return Unresolved(
                step=Step.TYPES,
                reason=f"input {before[1]} is {before[0]}, input {slot} {text}; the operator takes one type for both",
                candidates=(before[0],),
            )
    return None


def _is_uniform(schema: OperatorSchema, name: str) -> bool:
    """Whether all inputs of a type constraint have one type: not so for variadic ones of control flow."""
    return all(item.homogeneous for item in schema.inputs if item.type == name)


def _kernel(catalogue: Catalogue, node: NodeRecord, schema: OperatorSchema, inputs: Types) -> Resolution:
    kernels = catalogue.kernels(schema)
    bound = _with_names(node, schema, inputs)
    taken = _taking(kernels, bound)
    since = schema.since_version
    if (schema.domain, schema.type) == ("", "Constant"):
        return Resolved(origin=Origin.RUNTIME, since_version=since, through=Through.INITIALIZER)
    if taken is not None:
        unsure = _is_open(schema, taken, bound)
        return Resolved(origin=Origin.RUNTIME, provider=taken.provider, since_version=since, unsure=unsure)
    if CPU in catalogue.providers and _HALF in bound.values():
        widened = {name: _FLOAT if text == _HALF else text for name, text in bound.items()}
        taken = _taking([kernel for kernel in kernels if kernel.provider == CPU], widened)
        if taken is not None:
            return Resolved(origin=Origin.RUNTIME, provider=CPU, since_version=since, through=Through.FLOAT)
    if inputs and inputs[0] in schema.expanded_types:
        return Resolved(origin=Origin.RUNTIME, provider="", since_version=since, through=Through.OTHERS)
    if not kernels:
        others = sorted({kernel.provider for kernel in catalogue.tables.kernels if _is_of(kernel, schema)})
        return Unresolved(
            step=Step.PROVIDER,
            reason=f"{join_names(catalogue.providers)} has no kernel of version {since}, only its definition is known",
            candidates=tuple(others),
        )
    types = ", ".join(f"{name} {text}" for name, text in bound.items() if name in schema.types)
    return Unresolved(
        step=Step.KERNEL,
        reason=f"{join_names(catalogue.providers)} has kernels of version {since}, but none for {types}",
        candidates=tuple(dict.fromkeys(_constraint_text(kernel) for kernel in kernels)),
    )


def _taking(kernels: Iterable[KernelDefinition], bound: Mapping[str, str]) -> KernelDefinition | None:
    """Return the first kernel for types; what is not known is taken for granted."""
    for kernel in kernels:
        if all(not bound.get(name) or bound[name] in allowed for name, allowed in kernel.types.items()):
            return kernel
    return None


def _is_open(schema: OperatorSchema, kernel: KernelDefinition, bound: Mapping[str, str]) -> bool:
    """Whether a type that is not known could be one that the kernel does not take."""
    of_parameters = {item.name: schema.types.get(item.type, (item.type,)) for item in (*schema.inputs, *schema.outputs)}
    possible = {**of_parameters, **schema.types}
    return any(
        not bound.get(name) and set(possible.get(name, ())) - set(allowed) for name, allowed in kernel.types.items()
    )


def _with_names(node: NodeRecord, schema: OperatorSchema, inputs: Types) -> dict[str, str]:
    """Return the types by type constraint and by parameter: kernels name either, of inputs and of outputs."""
    bound = bind_types(schema, inputs)
    made = output_types(node, schema, inputs)
    for parameters, types in ((schema.inputs, inputs), (schema.outputs, made)):
        for parameter, text in zip(parameters, types, strict=False):
            if text:
                bound.setdefault(parameter.type, text)
                bound.setdefault(parameter.name, text)
    return bound


def _is_of(kernel: KernelDefinition, schema: OperatorSchema) -> bool:
    return (kernel.domain, kernel.type) == (schema.domain, schema.type)


def _constraint_text(kernel: KernelDefinition) -> str:
    return ", ".join(f"{name}: {' or '.join(allowed)}" for name, allowed in sorted(kernel.types.items()))
