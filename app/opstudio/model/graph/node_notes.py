"""What exporters write beside nodes: documentation, scopes of modules, stack traces. Read when someone asks.

They are most of the bytes of a model that PyTorch exported, and are looked at for one node at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from opstudio.model.graph.file_kind import damaged_model
from opstudio.model.graph.read_tensors import read_entry
from opstudio.model.graph.records import (
    ModelRecord,
    NodeRecord,
)
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.wire import VARINT, BrokenModelError, Budget, Message

_DOC_STRING, _METADATA = 6, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeNotes:
    """Documentation of a node (the stack trace, in exports by TorchScript), and its metadata by key."""

    doc_string: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)


def read_notes(model: ModelRecord, nodes: Iterable[NodeRecord]) -> Iterator[NodeNotes]:
    """Yield the notes of nodes of a model, in their order; nodes in ORT format have none.

    Raises:
        InputError: the file is not the one that was read any more.
    """
    with SourceFile(model.path, expected=model.identity) as file:
        for node in nodes:
            try:
                yield _notes(Message(file, Budget(), node.offset, node.offset + node.length))
            except BrokenModelError as error:
                raise damaged_model(file.path, offset=error.offset, reason=error.reason) from error


def _notes(message: Message) -> NodeNotes:
    doc_string = ""
    metadata: dict[str, str] = {}
    for number, start, end in message.fields():
        if number == _DOC_STRING and end != VARINT:
            doc_string = message.shortened_text(start, end)
        elif number == _METADATA and end != VARINT:
            key, value = read_entry(message.inner(start, end))
            metadata[key] = value
    return NodeNotes(doc_string=doc_string, metadata=metadata)
