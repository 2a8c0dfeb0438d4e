"""Where the parts of a model stand in its file: version, imports, graph, functions, named values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from opstudio.model.fixes.field_spans import FieldReader, FieldSpan, Range
from opstudio.model.graph.file_kind import damaged_model
from opstudio.model.graph.read_graphs import normalised_domain
from opstudio.model.graph.read_types import TypeReader
from opstudio.model.graph.records import ModelRecord
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.value_types import ValueRecord
from opstudio.model.graph.wire import BrokenModelError, signed

IR_VERSION, GRAPH, IMPORT, FUNCTION = 1, 7, 8, 25
"""Numbers of fields of ``ModelProto``. Source: ``onnx.proto``."""
FUNCTION_IMPORT = 9
INPUT, OUTPUT, VALUE_INFO = 11, 12, 13
"""Numbers of fields of ``GraphProto``."""
_GRAPH_NODE, _NODE_ATTRIBUTE, _ATTRIBUTE_GRAPHS = 1, 5, (6, 11)


class ImportPlace(NamedTuple):
    """An import of an operator set: the field, and what it says."""

    span: FieldSpan
    domain: str
    version: int


class ValuePlace(NamedTuple):
    """A named value: the field, whose number says what it is of the graph, and what it says."""

    span: FieldSpan
    record: ValueRecord

    @property
    def name(self) -> str:
        """The name of the value."""
        return self.record.name


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportList:
    """The imports of a model or of a function, and the message that they stand in; ``number`` is that of the field.

    ``owner`` is empty for the model, else the function's name with its domain.
    """

    owner: str
    message: Range
    number: int
    imports: tuple[ImportPlace, ...]

    @property
    def part(self) -> str:
        """What people call it."""
        return f"imports of the function {self.owner}" if self.owner else "imports"

    def of(self, domain: str) -> tuple[ImportPlace, ...]:
        """Return the imports of a domain; more than one is a mistake that files have."""
        return tuple(item for item in self.imports if item.domain == domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlaces:
    """The places of a model's own parts. Functions are in the order of the model's record."""

    whole: Range
    ir_version: tuple[FieldSpan, ...]
    imports: ImportList
    graph: Range
    functions: tuple[ImportList, ...]

    def lists(self) -> Iterator[ImportList]:
        """Yield the imports of the model and of each function."""
        yield self.imports
        yield from self.functions


@contextmanager
def open_fields(model: ModelRecord) -> Iterator[FieldReader]:
    """Open the file of a model that was read.

    Raises:
        InputError: the file has changed since, or what is looked at in it is damaged.
    """
    with SourceFile(model.path, expected=model.identity) as file:
        try:
            yield FieldReader(file)
        except BrokenModelError as error:
            raise damaged_model(model.path, offset=error.offset, reason=error.reason) from error


def find_places(model: ModelRecord) -> ModelPlaces:
    """Return where the parts of a model stand.

    Raises:
        InputError: the file has changed since it was read.
    """
    with open_fields(model) as reader:
        whole = Range(0, model.identity.size)
        versions: list[FieldSpan] = []
        imports: list[ImportPlace] = []
        functions: list[ImportList] = []
        graph = Range(0, 0)
        for span in reader.spans(whole):
            if span.number == IR_VERSION and not span.holds_message:
                versions.append(span)
            elif not span.holds_message:
                continue
            elif span.number == GRAPH:
                graph = span.inside
            elif span.number == IMPORT:
                imports.append(_import(reader, span))
            elif span.number == FUNCTION:
                record = model.functions[len(functions)]
                owner = f"{record.domain}:{record.name}"
                found = tuple(_import(reader, field) for field in reader.fields(span.inside, FUNCTION_IMPORT))
                functions.append(ImportList(owner=owner, message=span.inside, number=FUNCTION_IMPORT, imports=found))
        return ModelPlaces(
            whole=whole,
            ir_version=tuple(versions),
            imports=ImportList(owner="", message=whole, number=IMPORT, imports=tuple(imports)),
            graph=graph,
            functions=tuple(functions),
        )


def find_values(model: ModelRecord, graph: Range) -> tuple[ValuePlace, ...]:
    """Return the inputs, outputs and described values of a graph, in the order of the file.

    Raises:
        InputError: the file has changed since it was read.
    """
    types = TypeReader()
    with open_fields(model) as reader:
        return tuple(
            ValuePlace(span, types.value(reader.message(span.inside)))
            for span in reader.spans(graph)
            if span.number in (INPUT, OUTPUT, VALUE_INFO) and span.holds_message
        )


def _import(reader: FieldReader, span: FieldSpan) -> ImportPlace:
    domain, version = "", 0
    for field in reader.spans(span.inside):
        if field.number == 1 and field.holds_message:
            domain = reader.text(field.inside)
        elif field.number == 2 and not field.holds_message:  # noqa: PLR2004 - numbers of fields
            version = signed(field.value)
    return ImportPlace(span, normalised_domain(domain), version)


def nested_values(reader: FieldReader, node: Range) -> Iterator[tuple[Range, ValuePlace]]:
    """Yield the outputs and described values of all graphs nested in a node, each with its graph.

    Raises:
        BrokenModelError: the bytes are no node.
    """
    types = TypeReader()
    pending = [node]
    while pending:
        for attribute in reader.fields(pending.pop(), _NODE_ATTRIBUTE):
            for span in reader.spans(attribute.inside):
                if span.number not in _ATTRIBUTE_GRAPHS or not span.holds_message:
                    continue
                for field in reader.spans(span.inside):
                    if field.number in (OUTPUT, VALUE_INFO) and field.holds_message:
                        yield span.inside, ValuePlace(field, types.value(reader.message(field.inside)))
                    elif field.number == _GRAPH_NODE and field.holds_message:
                        pending.append(field.inside)
