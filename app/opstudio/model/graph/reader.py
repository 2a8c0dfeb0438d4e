"""Reading a model file: the one door of this package.

The file is walked along its wire format, and only what describes the graph is kept; of weights, the place. So a model
of many GiB takes no more memory than its graph, and protobuf's limit of 2 GiB does not hold here.
"""

from __future__ import annotations

from pathlib import Path

from opstudio.model.graph.external_data import ExternalFiles
from opstudio.model.graph.file_kind import (
    FileKind,
    damaged_model,
    file_kind,
    looks_like_tensor,
    not_a_model,
    too_large_model,
    truncated_model,
)
from opstudio.model.graph.ort_format import read_ort_model
from opstudio.model.graph.read_graphs import MOST_IMPORTS, GraphReader, read_opset
from opstudio.model.graph.read_tensors import TensorReader, read_entry
from opstudio.model.graph.records import (
    FileFormat,
    FunctionRecord,
    GraphRecord,
    ModelRecord,
)
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.wire import VARINT, BrokenModelError, Budget, Message, PastEndError, TooLargeError, signed

_GRAPH, _FUNCTION, _IMPORT, _METADATA, _TRAINING = 7, 25, 8, 14, 20
_NUMBERS = {1: "ir_version", 5: "model_version"}
_TEXTS = {2: "producer", 3: "producer_version", 4: "domain", 6: "doc_string"}
_MESSAGES = frozenset({_GRAPH, _FUNCTION, _IMPORT, _METADATA, _TRAINING, 26})


def read_model(path: Path) -> ModelRecord:
    """Read a model file, in ONNX's own or in ONNX Runtime's format.

    Raises:
        InputError: the file cannot be read, is no model, is not complete or is damaged; its finding's evidence has
            the ``kind`` of :class:`~opstudio.model.graph.file_kind.FileKind`.
    """
    with SourceFile(path) as file:
        kind = file_kind(file)
        if kind is FileKind.ORT:
            return _read_ort(file)
        if kind is not FileKind.ONNX:
            raise not_a_model(path, kind)
        try:
            return _ModelReader(file).read()
        except BrokenModelError as error:
            raise _unreadable(file, error) from error


class _ModelReader:
    """Reads a ``ModelProto``."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._graphs = GraphReader(TensorReader(ExternalFiles(file.path)))
        self._numbers = dict.fromkeys(_NUMBERS.values(), 0)
        self._texts = dict.fromkeys(_TEXTS.values(), "")
        self._opsets: dict[str, int] = {}
        self._metadata: dict[str, str] = {}
        self._functions: list[FunctionRecord] = []
        self._graph: GraphRecord | None = None
        self._training = 0

    def read(self) -> ModelRecord:
        message = Message(self._file, Budget(), 0, self._file.size)
        for number, start, end in message.fields():
            if number in _NUMBERS and end == VARINT:
                self._numbers[_NUMBERS[number]] = signed(start)
            elif number in _TEXTS and end != VARINT:
                self._texts[_TEXTS[number]] = message.shortened_text(start, end)
            elif number in _MESSAGES and end != VARINT:
                self._add(number, message.inner(start, end))
        if self._graph is None:
            raise _NoGraphError(0, "there is no graph")
        return ModelRecord(
            path=self._file.path,
            identity=self._file.identity,
            format=FileFormat.ONNX,
            ir_version=self._numbers["ir_version"],
            model_version=self._numbers["model_version"],
            **self._texts,
            opsets=self._opsets,
            metadata=self._metadata,
            graph=self._graph,
            functions=tuple(self._functions),
            training_graphs=self._training,
        )

    def _add(self, number: int, message: Message) -> None:
        if number == _GRAPH:
            if self._graph is not None:
                raise BrokenModelError(message.start, "a second graph begins: two models were written into one file")
            self._graph = self._graphs.graph(message)
        elif number == _FUNCTION:
            self._functions.append(self._graphs.function(message))
        elif number == _IMPORT:
            domain, version = read_opset(message)
            self._opsets[domain] = version
            if len(self._opsets) > MOST_IMPORTS:
                raise TooLargeError(message.start, f"it imports more than {MOST_IMPORTS:,} operator sets")
        elif number == _METADATA:
            message.budget.add_record(message.start)
            key, value = read_entry(message)
            self._metadata[key] = value
        elif number == _TRAINING:
            self._training += 1


class _NoGraphError(BrokenModelError):
    """The file may be protobuf, but no model."""


def _unreadable(file: SourceFile, error: BrokenModelError) -> Exception:
    """Tell files that are no model from models that are cut or damaged: by how far they go like a model."""
    if not _begins_like_model(file):
        head = file.read(0, min(file.size, 256))
        return not_a_model(file.path, FileKind.TENSOR if looks_like_tensor(head) else FileKind.OTHER)
    if isinstance(error, TooLargeError):
        return too_large_model(file.path, offset=error.offset, reason=error.reason)
    if isinstance(error, _NoGraphError):
        return damaged_model(file.path, offset=file.size, reason="the file ends without a graph")
    if isinstance(error, PastEndError) and error.end == file.size:
        return truncated_model(file.path, size=file.size, offset=error.offset, reason=error.reason)
    return damaged_model(file.path, offset=error.offset, reason=error.reason)


def _begins_like_model(file: SourceFile) -> bool:
    """Whether the first fields are ones of a model, one of them telling: the format's version, the graph, an import."""
    telling = False
    message = Message(file, Budget(), 0, file.size)
    try:
        for number, start, end in message.fields():
            if number in _NUMBERS:
                if end != VARINT or (number == 1 and not 0 < start < _LARGEST_IR_VERSION):
                    return False
                telling = telling or number == 1
            elif number in _TEXTS or number in _MESSAGES:
                if end == VARINT:
                    return False
                telling = telling or number in (_GRAPH, _IMPORT)
            else:
                return telling
            if number == _GRAPH:
                return True
    except BrokenModelError:
        pass
    return telling


_LARGEST_IR_VERSION = 1 << 20


def _read_ort(file: SourceFile) -> ModelRecord:
    try:
        return read_ort_model(file)
    except TooLargeError as error:
        raise too_large_model(file.path, offset=error.offset, reason=error.reason) from error
    except BrokenModelError as error:
        raise damaged_model(file.path, offset=error.offset, reason=error.reason) from error
