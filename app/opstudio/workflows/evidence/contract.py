"""The contract, resolved: as both runtimes see it, with what was published of it."""

from __future__ import annotations

from collections.abc import Iterator

from opstudio.contract.history import read_history
from opstudio.contract.operator import Input, Layer, OperatorContract, Output
from opstudio.contract.torch_schema import render_backward_schema, render_default, render_schema
from opstudio.workflows.evidence_sections import (
    Describer,
    EvidenceContext,
    KeyValues,
    Section,
    SourceText,
    Table,
    table,
)


def describe(context: EvidenceContext) -> Iterator[Section]:
    """Show the schemas, the tolerances and the published versions."""
    if context.operator is None:
        return
    contract = context.operator.contract
    schemas = [f"{contract.domain}::{render_schema(contract)}"]
    if contract.gradient is not None:
        schemas.append(f"{contract.domain}::{render_backward_schema(contract)}")
    path = context.workspace.relative(context.operator.folder.contract_path)
    yield Section(title="PyTorch", content=SourceText(language="text", text="\n".join(schemas) + "\n", path=path))
    yield Section(title="ONNX", content=SourceText(language="text", text=render_onnx_schema(contract), path=path))
    yield Section(title="Tolerances", content=_tolerances(contract))
    entries = [("reference", contract.reference), ("model", contract.model or "none: the operator alone")]
    entries.append(("samples", ", ".join(sample.name for sample in contract.samples)))
    yield Section(title="What it is checked with", content=KeyValues(entries=tuple(entries)))
    published = read_history(context.operator.folder.path)
    if published:
        rows = [(str(entry.version), entry.schema, entry.onnx) for entry in published]
        yield Section(title="Published", content=table(("version", "schema", "ONNX"), rows, numbers=("version",)))


def render_onnx_schema(contract: OperatorContract) -> str:
    """Return the ONNX operator as text, in the order in which a node has its parts."""
    lines = [f"{contract.domain}::{contract.onnx_type}, version {contract.version}", "inputs"]
    lines += [f"  {item.name}: {_input(item)}" for item in contract.inputs]
    if contract.attributes:
        lines.append("attributes")
    for attribute in contract.attributes:
        # ONNX has no flags; they are stored as integers.
        kind = "INT" if attribute.kind.value == "bool" else attribute.kind.value.upper()
        default = "required" if attribute.default is None else f"= {render_default(attribute.default)}"
        lines.append(f"  {attribute.name}: {kind} {default}")
    lines.append("outputs")
    lines += [f"  {item.name}: {_output(item)}" for item in contract.outputs]
    return "\n".join(lines) + "\n"


def _input(item: Input) -> str:
    if item.same_type_as is None:
        types = f"tensor({' | '.join(kind.value for kind in item.types)})"
    else:
        types = f"tensor of the type of {item.same_type_as}"
    words = [word for word, holds in (("optional", item.optional), ("variadic", item.variadic)) if holds]
    return ", ".join((types, *([f"shape {item.shape}"] if item.shape else []), *words))


def _output(item: Output) -> str:
    of_input = f"tensor of the type of {item.same_type_as}"
    return f"{of_input if item.type is None else f'tensor({item.type.value})'}, shape {item.shape}"


def _tolerances(contract: OperatorContract) -> Table:
    types = dict.fromkeys(kind for item in contract.type_variables for kind in item.types)
    rows = []
    for layer in (Layer.KERNEL, Layer.RUNTIME):
        for kind in types:
            tolerance = contract.tolerance(layer, kind)
            rows.append((layer.value, kind.value, f"{tolerance.relative:g}", f"{tolerance.absolute:g}"))
    return table(("layer", "type", "relative", "absolute"), rows, numbers=("relative", "absolute"))


DESCRIBER = Describer(stages=("contract",), describe=describe)
