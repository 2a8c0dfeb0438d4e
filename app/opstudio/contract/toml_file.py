"""``contract.toml`` to records; every problem is reported at its line and column, all of them at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from opstudio.base.data_type import DataType
from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import Table, TomlDocument
from opstudio.contract.argument_tables import (
    IDENTIFIER,
    read_attributes,
    read_identifier,
    read_inputs,
    read_outputs,
)
from opstudio.contract.consistency import check_consistency
from opstudio.contract.operator import (
    ExportOptions,
    Gradient,
    Input,
    Kernel,
    KernelKind,
    Layer,
    OperatorContract,
    Tolerance,
    onnx_type_name,
)
from opstudio.contract.sample_table import read_samples

CONTRACT_FILE = "contract.toml"
STAGE = "contract"
_LARGEST_VERSION = 2**31 - 1
"""ONNX Runtime holds the versions of domains in 32 bits."""


def read_contract(path: Path) -> OperatorContract:
    """Read a contract.

    Raises:
        InputError: the file cannot be read or is wrong; its findings name every line to mend.
    """
    contract, _ = read_contract_document(path)
    return contract


def read_contract_document(path: Path) -> tuple[OperatorContract, TomlDocument]:
    """Read a contract together with its text, for those who point at lines of it.

    Raises:
        InputError: the file cannot be read or is wrong.
    """
    document = TomlDocument.read(path, stage=STAGE)
    root = document.root
    for section in _SECTIONS:
        root.value(section)
    # First of all, so that nothing is called missing whose section was mistyped.
    root.finish()
    operator, kernel_table = root.table("operator"), root.table("kernel")
    name = read_identifier(operator, "name")
    inputs, attributes = read_inputs(root), read_attributes(root)
    contract = OperatorContract(
        name=name,
        domain=read_identifier(operator, "domain"),
        version=_positive(operator, "version", 1),
        summary=operator.text("summary", ""),
        onnx_type=_onnx_type(operator, name),
        inputs=inputs,
        attributes=attributes,
        outputs=read_outputs(root, inputs),
        kernel=_kernel(kernel_table),
        gradient=_gradient(root, inputs),
        reference=_entry_point(kernel_table, "reference"),
        model=_optional_entry_point(kernel_table, "model"),
        samples=read_samples(root.table("samples"), inputs, attributes),
        tolerances=_tolerances(root.table("tolerance")),
        export=_export(root.table("export")),
    )
    operator.finish()
    kernel_table.finish()
    check_consistency(contract, document)
    document.raise_problems()
    return contract, document


_SECTIONS = ("operator", "input", "attribute", "output", "kernel", "gradient", "samples", "tolerance", "export")


def _positive(table: Table, key: str, default: int) -> int:
    value = table.integer(key, default)
    if not 1 <= value <= _LARGEST_VERSION:
        table.report(key, cause=f"there is no {key} {value}; they count from 1", fix=f"Write {key} = {default}")
    return value


def _onnx_type(table: Table, operator_name: str) -> str:
    derived = onnx_type_name(operator_name)
    text = table.text("onnx_type", derived)
    if IDENTIFIER.fullmatch(text) or table.document.doubts("operator", "name"):
        return text
    if "onnx_type" in table:
        table.report("onnx_type", cause=f"{text!r} is no name of an ONNX operator", fix="Use letters, digits and _")
    else:
        cause = f"{operator_name} gives the ONNX operator {derived!r}, which is no name of one"
        table.report("name", cause=cause, fix='Add onnx_type = "NAME"')
    return text


def _kernel(table: Table) -> Kernel:
    kinds = {kind.value: kind for kind in KernelKind}
    kind = table.text("kind", KernelKind.NATIVE.value)
    if kind not in kinds:
        table.report("kind", cause=f"{kind!r} is not known; {did_you_mean(kind, kinds)}", fix="Write native or raw")
    sources = table.texts("sources")
    if table.value("sources") in (None, []):
        table.report("sources", cause="[kernel] names no sources", fix='Add sources = ["NAME.cpp"]')
    return Kernel(
        kind=kinds.get(kind, KernelKind.NATIVE),
        sources=sources,
        cuda=table.texts("cuda"),
        onnxruntime=table.texts("onnxruntime"),
        strided=table.boolean("strided", default=False),
        side_effects=table.boolean("side_effects", default=False),
        flags=table.texts("flags"),
    )


def _gradient(root: Table, inputs: tuple[Input, ...]) -> Gradient | None:
    present = "gradient" in root
    table = root.table("gradient")
    if not present:
        return None
    floating = [item.name for item in inputs if _may_be_floating(item, inputs)]
    result = Gradient(
        inputs=table.texts("inputs", floating),
        saved=table.texts("saved", [item.name for item in inputs]),
    )
    table.finish()
    return result


def _may_be_floating(item: Input, inputs: tuple[Input, ...]) -> bool:
    # Contracts read from files name the input that has types of its own.
    types = next((other.types for other in inputs if other.name == item.same_type_as), item.types)
    return any(data_type.is_floating for data_type in types)


def _entry_point(table: Table, key: str) -> str:
    text = table.text(key)
    if text:
        _check_entry_point(table, key, text)
    return text


def _optional_entry_point(table: Table, key: str) -> str | None:
    return _entry_point(table, key) if key in table else table.optional_text(key)


def _check_entry_point(table: Table, key: str, text: str) -> None:
    file, colon, name = text.partition(":")
    if not colon or not file.endswith(".py") or not IDENTIFIER.fullmatch(name):
        table.report(key, cause=f"{text!r} does not name a Python function", fix=f'Write {key} = "FILE.py:NAME"')


def _tolerances(table: Table) -> dict[str, dict[str, Tolerance]]:
    known_types = [data_type.value for data_type in DataType]
    result: dict[str, dict[str, Tolerance]] = {}
    for layer in Layer:
        types = table.table(layer.value)
        for key in types.keys():  # noqa: SIM118 - a Table is not a mapping
            if key not in known_types:
                continue
            bounds = types.table(key)
            result.setdefault(layer.value, {})[key] = Tolerance(
                relative=_bound(bounds, "rtol"), absolute=_bound(bounds, "atol")
            )
            bounds.finish()
        for known in known_types:
            types.value(known)
        types.finish()
    table.finish()
    return result


def _bound(table: Table, key: str) -> float:
    value = table.number(key, 0.0)
    if not 0.0 <= value < math.inf:
        table.report(key, cause=f"{value} bounds nothing", fix=f"Give a number from 0 up: {key} = 1e-5")
    return value


def _export(table: Table) -> ExportOptions:
    dynamic_table = table.table("dynamic")
    dynamic: dict[str, Mapping[str, str]] = {}
    for name in dynamic_table.keys():  # noqa: SIM118 - a Table is not a mapping
        axes = dynamic_table.table(name)
        dynamic[name] = {axis: axes.text(axis) for axis in axes.keys()}  # noqa: SIM118
    result = ExportOptions(
        opset=_positive(table, "opset", ExportOptions().opset),
        registration=table.optional_text("registration"),
        dynamic=dynamic,
        expand=table.boolean("expand", default=False),
    )
    table.finish()
    return result
