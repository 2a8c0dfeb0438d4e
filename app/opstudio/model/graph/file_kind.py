"""What a file is by its first bytes, and what to say of one that is no model.

Source: the formats' own magic numbers; Git LFS specification (docs/spec.md) for pointers.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.finding import Finding, Place
from opstudio.model.graph.source_file import SourceFile


class FileKind(enum.StrEnum):
    """What a file is."""

    ONNX = "onnx"
    """Or something that no magic number tells: reading it will show."""
    ORT = "ort"
    EMPTY = "empty"
    ZEROS = "zeros"
    LFS_POINTER = "lfs-pointer"
    HTML = "html"
    XML = "xml"
    JSON = "json"
    ONNX_TEXT = "onnx-text"
    TEXT = "text"
    PYTORCH = "pytorch"
    ARCHIVE = "archive"
    SAFETENSORS = "safetensors"
    GGUF = "gguf"
    TFLITE = "tflite"
    HDF5 = "hdf5"
    PICKLE = "pickle"
    TENSOR = "tensor"
    PROGRAM = "program"
    IMAGE = "image"
    TRUNCATED = "truncated"
    DAMAGED = "damaged"
    TOO_LARGE = "too-large"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Advice:
    cause: str
    fix: str


_DOWNLOAD = "Download the model itself, and compare its size with the source"
_ADVICE = {
    FileKind.EMPTY: _Advice(cause="The file is empty", fix=_DOWNLOAD),
    FileKind.ZEROS: _Advice(cause="The file begins with zeros only: a download that was never written", fix=_DOWNLOAD),
    FileKind.LFS_POINTER: _Advice(
        cause="This is a Git LFS pointer: a note of where the model is kept", fix="Run git lfs pull in its repository"
    ),
    FileKind.HTML: _Advice(
        cause="This is a web page, as servers send in place of a file that needs a login or does not exist",
        fix="Open the address in a browser, and download the file itself ('raw', 'resolve' in place of 'blob')",
    ),
    FileKind.XML: _Advice(
        cause="This is XML; OpenVINO keeps its models so", fix="Open the ONNX model that it was made from"
    ),
    FileKind.JSON: _Advice(
        cause="This is JSON text, not the binary form of ONNX",
        fix="If it is a model, turn it into the binary form: onnx.load(path, format='json') and onnx.save",
    ),
    FileKind.ONNX_TEXT: _Advice(
        cause="This is a model in a text form of ONNX, not in the binary one",
        fix="Turn it into the binary form: onnx.load(path, format='textproto' or 'onnxtxt') and onnx.save",
    ),
    FileKind.TEXT: _Advice(cause="This is a text file", fix="Choose the model file"),
    FileKind.PYTORCH: _Advice(
        cause="This is a PyTorch file: weights, or a program, but no ONNX graph",
        fix="Export it with torch.onnx.export, then open the exported file",
    ),
    FileKind.ARCHIVE: _Advice(cause="This is an archive", fix="Unpack it, and open the model inside"),
    FileKind.SAFETENSORS: _Advice(
        cause="This is a safetensors file: weights without a graph", fix="Export the model that uses them to ONNX"
    ),
    FileKind.GGUF: _Advice(cause="This is a GGUF model of llama.cpp", fix="Open an ONNX export of the model"),
    FileKind.TFLITE: _Advice(
        cause="This is a TensorFlow Lite model", fix="Convert it with tf2onnx, then open the result"
    ),
    FileKind.HDF5: _Advice(
        cause="This is an HDF5 file, as Keras writes", fix="Convert the model with tf2onnx, then open the result"
    ),
    FileKind.PICKLE: _Advice(
        cause="This is a pickle: Python objects, which may run code when they are loaded",
        fix="Export the model with torch.onnx.export or skl2onnx, then open the exported file",
    ),
    FileKind.TENSOR: _Advice(
        cause="This is a single ONNX tensor, as test data sets have", fix="Open the model that it is test data for"
    ),
    FileKind.PROGRAM: _Advice(cause="This is a program or a library", fix="Choose the model file"),
    FileKind.IMAGE: _Advice(cause="This is a picture or a document", fix="Choose the model file"),
    FileKind.OTHER: _Advice(
        cause="The file is no ONNX model: it does not have the structure of one", fix="Choose the model file"
    ),
}

_MAGIC: tuple[tuple[int, bytes, FileKind], ...] = (
    (4, b"ORTM", FileKind.ORT),
    (4, b"TFL3", FileKind.TFLITE),
    (0, b"version https://git-lfs", FileKind.LFS_POINTER),
    (0, b"GGUF", FileKind.GGUF),
    (0, b"\x89HDF\r\n\x1a\n", FileKind.HDF5),
    (0, b"PK\x03\x04", FileKind.ARCHIVE),
    (0, b"PK\x05\x06", FileKind.ARCHIVE),
    (0, b"\x1f\x8b", FileKind.ARCHIVE),
    (0, b"7z\xbc\xaf\x27\x1c", FileKind.ARCHIVE),
    (0, b"\xfd7zXZ\x00", FileKind.ARCHIVE),
    (0, b"BZh", FileKind.ARCHIVE),
    (0, b"\x28\xb5\x2f\xfd", FileKind.ARCHIVE),
    (0, b"Rar!\x1a\x07", FileKind.ARCHIVE),
    (257, b"ustar", FileKind.ARCHIVE),
    (0, b"\x7fELF", FileKind.PROGRAM),
    (0, b"MZ", FileKind.PROGRAM),
    (0, b"\x89PNG", FileKind.IMAGE),
    (0, b"\xff\xd8\xff", FileKind.IMAGE),
    (0, b"%PDF-", FileKind.IMAGE),
)
_HEAD = 1 << 12
_TAIL = 1 << 16
_PICKLE_PROTOCOLS = b"\x02\x03\x04\x05"
_MARKUP = re.compile(rb"\s*<(!doctype html|html|head|body|\?xml|!--)", re.IGNORECASE)
_ONNX_TEXT = re.compile(rb"\s*(ir_version\s*:|<\s*ir_version\s*:|graph\s*\{)")
_TENSOR = re.compile(rb"(?:\x08[\x00-\xff]{1,5})*\x10[\x01-\x1c][\x42\x4a\x22\x2a\x32\x3a]", re.DOTALL)
_LARGEST_HEADER = 1 << 40
_IDS = {FileKind.TRUNCATED: "ORT014", FileKind.DAMAGED: "ORT014", FileKind.TOO_LARGE: InputError.id}
"""Ids of what is told of models that cannot be read; of files that are none, it is another."""


def file_kind(file: SourceFile) -> FileKind:
    """Return what a file is by its look; :data:`FileKind.ONNX` where nothing speaks against it."""
    head = file.read(0, min(file.size, _HEAD))
    if not head:
        return FileKind.EMPTY
    for offset, magic, kind in _MAGIC:
        if head.startswith(magic, offset):
            return _kind_of_zip(file, head) if magic.startswith(b"PK") else kind
    if not any(head):
        return FileKind.ZEROS
    if head[0] == 0x80 and head[1:2] in _PICKLE_PROTOCOLS and len(head) > 1:  # noqa: PLR2004 - the opcode PROTO
        return FileKind.PICKLE
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < _LARGEST_HEADER:
        return FileKind.SAFETENSORS
    return _kind_of_text(head)


def _kind_of_zip(file: SourceFile, head: bytes) -> FileKind:
    """Tell PyTorch's files, which are zip archives, from others, by a name at the start or in the list at the end.

    The list is not parsed: one of a hostile file may have millions of names.
    """
    length = min(file.size, _TAIL)
    is_pytorch = any(b"/data.pkl" in part for part in (head, file.read(file.size - length, length)))
    return FileKind.PYTORCH if is_pytorch else FileKind.ARCHIVE


def _kind_of_text(head: bytes) -> FileKind:
    text = head.removeprefix(b"\xef\xbb\xbf")
    if markup := _MARKUP.match(text):
        return FileKind.XML if markup[1].lower() == b"?xml" and b"<html" not in text.lower() else FileKind.HTML
    if _ONNX_TEXT.match(text):
        return FileKind.ONNX_TEXT
    if _looks_like_text(text):
        return FileKind.JSON if text.lstrip()[:1] in (b"{", b"[") else FileKind.TEXT
    return FileKind.ONNX


def _looks_like_text(head: bytes) -> bool:
    """Models start with a number of the format, a byte that no text has."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        # A character may be cut at the end of what was read.
        if error.start < len(head) - 3 or error.start == 0:
            return False
        text = head[: error.start].decode("utf-8")
    return all(letter.isprintable() or letter in "\t\r\n\f" for letter in text)


def looks_like_tensor(head: bytes) -> bool:
    """Tell a ``TensorProto`` that was saved alone: sizes, an element type, then its name or its values."""
    return _TENSOR.match(head) is not None


def not_a_model(path: Path, kind: FileKind) -> InputError:
    """Return the error for a file that is something else than a model."""
    advice = _ADVICE[kind]
    return _error(path, kind, f"{path.name} is not an ONNX model", advice.cause, advice.fix)


def truncated_model(path: Path, *, size: int, offset: int, reason: str) -> InputError:
    """Return the error for a model whose end is missing."""
    cause = f"The file breaks off after {size:,} bytes: at byte {offset:,}, {reason}"
    return _error(path, FileKind.TRUNCATED, f"{path.name} is not complete", cause, _DOWNLOAD)


def damaged_model(path: Path, *, offset: int, reason: str) -> InputError:
    """Return the error for a file that starts as a model does, and breaks inside."""
    cause = f"The structure of the file breaks at byte {offset:,}: {reason}"
    fix = "Export or download the model again; if other tools read the file, please report it"
    return _error(path, FileKind.DAMAGED, f"{path.name} is damaged", cause, fix)


def too_large_model(path: Path, *, offset: int, reason: str) -> InputError:
    """Return the error for a model with more in it than the studio reads."""
    cause = f"Up to byte {offset:,}, {reason}; the studio stops there to save memory and time"
    fix = "Split the model, or simplify it; if it is an ordinary one, please report it"
    return _error(path, FileKind.TOO_LARGE, f"{path.name} is too large", cause, fix)


def _error(path: Path, kind: FileKind, title: str, cause: str, fix: str) -> InputError:
    return InputError(
        Finding(
            id=_IDS.get(kind, "MOD001"),
            stage="model",
            title=title,
            cause=cause,
            fix=fix,
            places=(Place(file=str(path)),),
            evidence={"kind": kind.value},
        )
    )
