"""``contract.toml`` to records; every problem is reported at its line and column, all of them at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from opstudio.base.data_type import DataType
from opstudio.base.names import did_you_mean
from opstudio.base.toml_document import Table, TomlDocument
from opstudio.contract.attribute_values import AttributeTypeError, convert_attribute
from opstudio.contract.consistency import check_consistency
from opstudio.contract.operator import (
    Attribute,
    AttributeKind,
    AttributeValue,
    ExportOptions,
    Gradient,
    Input,
    Kernel,
    KernelKind,
    Layer,
    OperatorContract,
    Output,
    Tolerance,
    onnx_type_name,
)
from opstudio.contract.sample_table import read_samples

CONTRACT_FILE = "contract.toml"
STAGE = "contract"
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


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
    operator = root.table("operator")
    name = _identifier(operator, "name")
    inputs = _inputs(root)
    attributes = tuple(_attribute(table) for table in root.tables("attribute"))
    kernel_table = root.table("kernel")
    contract = OperatorContract(
        name=name,
        domain=_identifier(operator, "domain"),
        version=operator.integer("version", 1),
        summary=operator.text("summary", ""),
        onnx_type=operator.text("onnx_type", onnx_type_name(name)),
        inputs=inputs,
        attributes=attributes,
        outputs=tuple(_output(table, inputs) for table in root.tables("output")),
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
    root.finish()
    document.raise_problems()
    check_consistency(contract, document)
    document.raise_problems()
    return contract, document


def _identifier(table: Table, key: str) -> str:
    text = table.text(key)
    if text and not _IDENTIFIER.fullmatch(text):
        table.report(
            key, cause=f"{text!r} is not a C++ identifier, which PyTorch asks for", fix="Use letters, digits and _"
        )
    return text


def _inputs(root: Table) -> tuple[Input, ...]:
    tables = root.tables("input")
    names = [table.text("name", "") for table in tables]
    return tuple(_input(table, names[:index]) for index, table in enumerate(tables))


def _input(table: Table, earlier: list[str]) -> Input:
    same_type_as = table.optional_text("type")
    if same_type_as is not None and same_type_as not in earlier:
        table.report(
            "type",
            cause=f"{same_type_as!r} is not an earlier input; {did_you_mean(same_type_as, earlier)}",
            fix='Name an earlier input, or list the types: types = ["float32"]',
        )
    types = _data_types(table)
    if same_type_as is None and not types and "types" not in table:
        table.report(
            "name", cause="an input needs types", fix='Add types = ["float32"], or type = "x" to share those of x'
        )
    bounds = table.numbers("range")
    if bounds and (len(bounds) != 2 or not bounds[0] < bounds[1]):  # noqa: PLR2004 - low and high
        table.report("range", cause="a range has a lower and a higher bound", fix="Write range = [-3.0, 3.0]")
    result = Input(
        name=_identifier(table, "name"),
        types=types,
        same_type_as=same_type_as,
        shape=table.optional_text("shape"),
        optional=table.boolean("optional", default=False),
        variadic=table.boolean("variadic", default=False),
        mutable=table.boolean("mutable", default=False),
        value_range=(bounds[0], bounds[1]) if len(bounds) == 2 else None,  # noqa: PLR2004
    )
    table.finish()
    return result


def _data_types(table: Table) -> tuple[DataType, ...]:
    known = {data_type.value: data_type for data_type in DataType}
    texts = table.texts("types")
    for text in texts:
        if text not in known:
            table.report("types", cause=f"{text!r} is not a type; {did_you_mean(text, known)}", fix="Correct the type")
    return tuple(known[text] for text in texts if text in known)


def _attribute(table: Table) -> Attribute:
    kinds = {kind.value: kind for kind in AttributeKind}
    text = table.text("type")
    if text and text not in kinds:
        table.report("type", cause=f"{text!r} is not an attribute type; {did_you_mean(text, kinds)}", fix="Correct it")
    kind = kinds.get(text, AttributeKind.FLOAT)
    default: AttributeValue | None = None
    if (given := table.value("default")) is not None:
        try:
            default = convert_attribute(kind, given)
        except AttributeTypeError as error:
            table.report("default", cause=str(error), fix="Give a value of the attribute's type")
    result = Attribute(name=_identifier(table, "name"), kind=kind, default=default, choices=table.texts("choices"))
    table.finish()
    return result


def _output(table: Table, inputs: tuple[Input, ...]) -> Output:
    types = {data_type.value: data_type for data_type in DataType}
    names = [item.name for item in inputs]
    text = table.text("type", names[0] if names else None)
    if text not in types and text not in names:
        table.report(
            "type",
            cause=f"{text!r} is neither a type nor an input; {did_you_mean(text, [*types, *names])}",
            fix='Write type = "x" for the type of input x, or a type such as "float32"',
        )
    result = Output(
        name=_identifier(table, "name"),
        type=types.get(text) if text not in names else None,
        same_type_as=text if text in names else None,
        shape=table.text("shape"),
    )
    table.finish()
    return result


def _kernel(table: Table) -> Kernel:
    kinds = {kind.value: kind for kind in KernelKind}
    kind = table.text("kind", KernelKind.NATIVE.value)
    if kind not in kinds:
        table.report("kind", cause=f"{kind!r} is not known; {did_you_mean(kind, kinds)}", fix="Write native or raw")
    sources = table.texts("sources")
    if not sources and "sources" not in table:
        table.report("sources", cause="[kernel] names no sources", fix='Add sources = ["NAME.cpp"]')
    return Kernel(
        kind=kinds.get(kind, KernelKind.NATIVE),
        sources=sources,
        cuda=table.texts("cuda"),
        onnxruntime=table.texts("onnxruntime"),
        strided=table.boolean("strided", default=False),
        inplace=table.texts("inplace"),
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
    if not colon or not file.endswith(".py") or not _IDENTIFIER.fullmatch(name):
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
                relative=bounds.number("rtol", 0.0), absolute=bounds.number("atol", 0.0)
            )
            bounds.finish()
        for known in known_types:
            types.value(known)
        types.finish()
    table.finish()
    return result


def _export(table: Table) -> ExportOptions:
    dynamic_table = table.table("dynamic")
    dynamic: dict[str, Mapping[str, str]] = {}
    for name in dynamic_table.keys():  # noqa: SIM118 - a Table is not a mapping
        axes = dynamic_table.table(name)
        dynamic[name] = {axis: axes.text(axis) for axis in axes.keys()}  # noqa: SIM118
    result = ExportOptions(
        opset=table.integer("opset", ExportOptions().opset),
        registration=table.optional_text("registration"),
        dynamic=dynamic,
        expand=table.boolean("expand", default=False),
    )
    table.finish()
    return result
