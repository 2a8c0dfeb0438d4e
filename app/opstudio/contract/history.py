"""What was published of an operator, so that a release cannot break models that carry its names.

``history.toml`` lies beside the contract; every release adds the schema of its version. Exported models store the names
of attributes, so that a published argument keeps its name, type and default until the version changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.files import write_atomic
from opstudio.base.toml_document import Table, TomlDocument
from opstudio.base.toml_text import render_toml_text
from opstudio.contract.operator import OperatorContract
from opstudio.contract.schema_parser import SchemaError, parse_schema
from opstudio.contract.torch_schema import Schema, render_schema

HISTORY_FILE = "history.toml"
_HEADER = "# What was published of this operator. Written by opstudio build --release; keep it under version control.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedVersion:
    """One published version: its schema and the ONNX node that models carry."""

    version: int
    schema: str
    onnx: str


def read_history(folder: Path) -> tuple[PublishedVersion, ...]:
    """Read what was published; nothing where there is no file.

    Raises:
        InputError: the file is wrong.
    """
    path = folder / HISTORY_FILE
    if not path.is_file():
        return ()
    document = TomlDocument.read(path, stage="contract")
    root = document.root
    published: list[PublishedVersion] = []
    for table in root.tables("published"):
        entry = PublishedVersion(version=table.integer("version"), schema=table.text("schema"), onnx=table.text("onnx"))
        if entry.schema:
            _check_schema(table, entry.schema)
        published.append(entry)
        table.finish()
    root.finish()
    document.raise_problems()
    return tuple(published)


def _check_schema(table: Table, schema: str) -> None:
    try:
        parse_schema(schema)
    except SchemaError as error:
        fix = "Restore the line as the release wrote it"
        table.report("schema", cause=f"{error} at character {error.column} of {schema}", fix=fix)


def publish(folder: Path, contract: OperatorContract) -> None:
    """Add the contract's version to the history, unless it is there already.

    Raises:
        InputError: the file is wrong.
        SetupError: it cannot be written.
    """
    entry = PublishedVersion(version=contract.version, schema=render_schema(contract), onnx=_onnx_name(contract))
    if entry in read_history(folder):
        return
    path = folder / HISTORY_FILE
    before = path.read_text(encoding="utf-8") if path.is_file() else _HEADER
    lines = ("", "[[published]]", f"version = {entry.version}", f"schema = {render_toml_text(entry.schema)}")
    write_atomic(path, before + "\n".join((*lines, f"onnx = {render_toml_text(entry.onnx)}", "")))


def breaking_changes(published: PublishedVersion, contract: OperatorContract) -> tuple[str, ...]:
    """Return what a contract takes away from the published form of its version."""
    changes = list(_argument_changes(_parse(published.schema), _parse(render_schema(contract))))
    if published.onnx != _onnx_name(contract):
        changes.append(f"the ONNX node {published.onnx} is now {_onnx_name(contract)}")
    return tuple(changes)


def _parse(schema: str) -> Schema:
    # Both were checked where they were read.
    return parse_schema(schema, check_defaults=False)


def _argument_changes(old: Schema, new: Schema) -> Iterator[str]:
    present = {argument.name: argument for argument in new.arguments}
    known = {argument.name for argument in old.arguments}
    for argument in old.arguments:
        now = present.get(argument.name)
        if now is None:
            yield f"argument {argument.name} is gone"
        elif now.type != argument.type:
            yield f"argument {argument.name} was {argument.type} and is {now.type}"
        elif now.default != argument.default:
            yield f"the default of {argument.name} was {argument.default} and is {now.default}"
    last_known = max((index for index, argument in enumerate(new.arguments) if argument.name in known), default=-1)
    for index, argument in enumerate(new.arguments):
        if argument.name in known:
            continue
        if argument.default is None:
            yield f"argument {argument.name} is new and has no default"
        elif index < last_known:
            yield f"argument {argument.name} is new and stands in front of published ones"
    kept = [argument.name for argument in new.arguments if argument.name in known]
    if kept != [argument.name for argument in old.arguments if argument.name in present]:
        yield "the arguments are in another order"
    if [item.type for item in old.returns] != [item.type for item in new.returns]:
        yield f"it returned {len(old.returns)} tensors and returns {len(new.returns)}"


def _onnx_name(contract: OperatorContract) -> str:
    return f"{contract.domain}:{contract.onnx_type}"
