"""Nodes, attributes, graphs and functions from their messages.

Source: ``NodeProto``, ``AttributeProto``, ``GraphProto``, ``FunctionProto`` in ``onnx.proto``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from opstudio.model.graph.attribute_values import (
    DEFAULTS,
    HOLDING,
    LISTS,
    LONGEST_VALUE,
    PLAIN,
    VALUE_FIELDS,
    plain_items,
)
from opstudio.model.graph.read_tensors import TensorReader, read_entry
from opstudio.model.graph.read_types import TypeReader, read_type
from opstudio.model.graph.records import (
    AttributeKind,
    AttributeRecord,
    AttributeValue,
    BulkValue,
    FunctionRecord,
    GraphRecord,
    NodeRecord,
)
from opstudio.model.graph.wire import VARINT, Message, TooLargeError, signed

_LONGEST_CACHED = 512
"""Bytes of an attribute that may be one record for many nodes."""
_NAME, _KIND, _REFERENCE = 1, 20, 21
_LAST_KIND = max(AttributeKind)
_MANY_VALUES = 64
"""Inputs and outputs of a node; where it has more, each counts as two things that are kept: a use and a name."""
MOST_IMPORTS = 1000
"""Operator sets of a model, and of a function. What holds inside of each function is put together from both."""


class GraphReader:
    """Reads graphs of one model. Attributes repeat by the thousand, and equal ones become one record."""

    def __init__(self, tensors: TensorReader) -> None:
        self._tensors = tensors
        self._types = TypeReader()
        self._attributes: dict[bytes, AttributeRecord] = {}
        self._items: dict[AttributeKind, Callable[[Message], Any]] = {
            AttributeKind.TENSOR: tensors.tensor,
            AttributeKind.TENSORS: tensors.tensor,
            AttributeKind.GRAPH: self.graph,
            AttributeKind.GRAPHS: self.graph,
            AttributeKind.SPARSE_TENSOR: tensors.sparse,
            AttributeKind.SPARSE_TENSORS: tensors.sparse,
            AttributeKind.TYPE: read_type,
            AttributeKind.TYPES: read_type,
        }

    def graph(self, message: Message) -> GraphRecord:
        """Read a ``GraphProto``."""
        message.budget.add_record(message.start)
        name = doc_string = ""
        metadata: dict[str, str] = {}
        quantization: dict[str, Mapping[str, str]] = {}
        readers: dict[int, Callable[[Message], Any]] = {
            1: self.node,
            5: self._tensors.tensor,
            11: self._types.value,
            12: self._types.value,
            13: self._types.value,
            15: self._tensors.sparse,
        }
        found: dict[int, list[Any]] = {number: [] for number in readers}
        for number, start, end in message.fields():
            if end == VARINT:
                continue
            if number in readers:
                found[number].append(readers[number](message.inner(start, end)))
            elif number == 2:  # noqa: PLR2004 - numbers of fields
                name = message.text(start, end)
            elif number == 10:  # noqa: PLR2004
                doc_string = message.shortened_text(start, end)
            elif number == 14:  # noqa: PLR2004
                tensor, entries = _quantization(message.inner(start, end))
                quantization[tensor] = entries
            elif number == 16:  # noqa: PLR2004
                _add_entry(metadata, message.inner(start, end))
        return GraphRecord(
            name=name,
            nodes=tuple(found[1]),
            inputs=tuple(found[11]),
            outputs=tuple(found[12]),
            value_infos=tuple(found[13]),
            initializers=tuple(found[5]),
            sparse_initializers=tuple(found[15]),
            doc_string=doc_string,
            metadata=metadata,
            quantization=quantization,
        )

    def function(self, message: Message) -> FunctionRecord:
        """Read a ``FunctionProto``."""
        message.budget.add_record(message.start, cost=8)
        texts = {1: "", 8: "", 10: "", 13: ""}
        names: dict[int, list[str]] = {4: [], 5: [], 6: []}
        readers: dict[int, Callable[[Message], Any]] = {
            7: self.node,
            9: _read_import,
            11: self.attribute,
            12: self._types.value,
        }
        found: dict[int, list[Any]] = {number: [] for number in readers}
        metadata: dict[str, str] = {}
        for number, start, end in message.fields():
            if end == VARINT:
                continue
            if number in readers:
                found[number].append(readers[number](message.inner(start, end)))
            elif number in names:
                names[number].append(message.name(start, end))
            elif number in texts:
                texts[number] = message.shortened_text(start, end)
            elif number == 14:  # noqa: PLR2004
                _add_entry(metadata, message.inner(start, end))
        if len(found[9]) > MOST_IMPORTS:
            raise TooLargeError(message.start, f"a function imports more than {MOST_IMPORTS:,} operator sets")
        return FunctionRecord(
            domain=normalised_domain(texts[10]),
            name=texts[1],
            overload=texts[13],
            inputs=tuple(names[4]),
            outputs=tuple(names[5]),
            attributes=tuple(names[6]),
            defaults=tuple(found[11]),
            nodes=tuple(found[7]),
            value_infos=tuple(found[12]),
            # Where it is imported under both names, the empty one counts.
            opsets={
                normalised_domain(name): version for name, version in sorted(found[9], key=lambda item: not item[0])
            },
            doc_string=texts[8],
            metadata=metadata,
            spells_standard="ai.onnx" in dict(found[9]) and "" not in dict(found[9]),
        )

    def node(self, message: Message) -> NodeRecord:
        """Read a ``NodeProto``."""
        message.budget.add_record(message.start)
        inputs: list[str] = []
        outputs: list[str] = []
        attributes: list[AttributeRecord] = []
        name = domain = kind = overload = ""
        named = message.name
        for number, start, end in message.fields():
            if number > 8 or end == VARINT:  # noqa: PLR2004 - numbers of fields
                continue
            if number == 1:
                inputs.append(named(start, end))
            elif number == 2:  # noqa: PLR2004
                outputs.append(named(start, end))
            elif number == 5:  # noqa: PLR2004
                attributes.append(self._cached_attribute(message, start, end))
            elif number == 4:  # noqa: PLR2004
                kind = named(start, end)
            elif number == 3:  # noqa: PLR2004
                name = message.text(start, end)
            elif number == 7:  # noqa: PLR2004
                domain = normalised_domain(named(start, end))
            elif number == 8:  # noqa: PLR2004
                overload = message.text(start, end)
        if len(inputs) + len(outputs) > _MANY_VALUES:
            message.budget.add_record(message.start, cost=2 * (len(inputs) + len(outputs)))
        return NodeRecord(
            name=name,
            domain=domain,
            type=kind,
            overload=overload,
            inputs=tuple(inputs),
            outputs=tuple(outputs),
            attributes=tuple(attributes),
            offset=message.start,
            length=message.length,
        )

    def attribute(self, message: Message) -> AttributeRecord:
        """Read an ``AttributeProto``. Long lists and strings stay in the file, see :class:`BulkValue`."""
        message.budget.add_record(message.start, cost=2)
        is_long = message.length > LONGEST_VALUE
        name = reference = ""
        kind = AttributeKind.UNDEFINED
        fields: list[tuple[AttributeKind, int, int]] = []
        for number, start, end in message.fields():
            value_kind = VALUE_FIELDS.get(number)
            if value_kind is not None:
                if is_long and value_kind in PLAIN:
                    # The kind follows behind the values; the field tells it as well.
                    bulk = BulkValue(offset=message.start, length=message.length)
                    return AttributeRecord(name=name, kind=value_kind, value=bulk)
                fields.append((value_kind, start, end))
            elif number == _NAME and end != VARINT:
                name = message.name(start, end)
            elif number == _KIND and end == VARINT:
                kind = _attribute_kind(start)
            elif number == _REFERENCE and end != VARINT:
                reference = message.text(start, end)
        if kind is AttributeKind.UNDEFINED and fields:
            kind = fields[0][0]  # files before IR version 3 do not say it
        value = None if reference else self._value(message, kind, fields)
        return AttributeRecord(name=name, kind=kind, value=value, reference=reference)

    def _cached_attribute(self, message: Message, start: int, end: int) -> AttributeRecord:
        if end - start > _LONGEST_CACHED:
            return self.attribute(message.inner(start, end))
        content = message.content(start, end)
        record = self._attributes.get(content)
        if record is None:
            record = self.attribute(message.inner(start, end))
            # Tensors and graphs know their place in the file: equal ones are different.
            if record.kind not in HOLDING:
                self._attributes[content] = record
        return record

    def _value(
        self, message: Message, kind: AttributeKind, fields: list[tuple[AttributeKind, int, int]]
    ) -> AttributeValue:
        """Return the value of the attribute's kind; what stands in fields of other kinds is nobody's."""
        read = self._items.get(kind)
        items: list[Any] = []
        for field_kind, start, end in fields:
            if field_kind is not kind:
                continue
            if read is None:
                items.extend(plain_items(message, kind, start, end))
            elif end != VARINT:
                items.append(read(message.inner(start, end)))
        if kind in LISTS:
            return tuple(items)
        return items[-1] if items else DEFAULTS.get(kind)


def read_opset(message: Message) -> tuple[str, int]:
    """Read an ``OperatorSetIdProto``: domain and version."""
    domain, version = _read_import(message)
    return normalised_domain(domain), version


def _read_import(message: Message) -> tuple[str, int]:
    """Read an ``OperatorSetIdProto``, with its domain as it is written."""
    message.budget.add_record(message.start, cost=4)
    domain, version = "", 0
    for number, start, end in message.fields():
        if number == 1 and end != VARINT:
            domain = message.text(start, end)
        elif number == 2 and end == VARINT:  # noqa: PLR2004
            version = signed(start)
    return domain, version


def normalised_domain(domain: str) -> str:
    """Return a domain under the one name that the studio uses for it."""
    return "" if domain == "ai.onnx" else domain


def _attribute_kind(number: int) -> AttributeKind:
    return AttributeKind(number) if number <= _LAST_KIND else AttributeKind.UNDEFINED


def _quantization(message: Message) -> tuple[str, dict[str, str]]:
    tensor = ""
    entries: dict[str, str] = {}
    for number, start, end in message.fields():
        if number == 1 and end != VARINT:
            tensor = message.text(start, end)
        elif number == 2 and end != VARINT:  # noqa: PLR2004
            _add_entry(entries, message.inner(start, end))
    return tensor, entries


def _add_entry(entries: dict[str, str], message: Message) -> None:
    message.budget.add_record(message.start)
    key, value = read_entry(message)
    entries[key] = value
