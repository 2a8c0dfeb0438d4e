"""Changes of a file as bytes that take the place of others, and the file that follows from them.

Only the lengths of the messages around a change are written anew; all other bytes are copied as they are.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from opstudio.base.files import cannot_write
from opstudio.jobs.cancel import CancelToken
from opstudio.model.fixes.field_spans import FieldReader, Range
from opstudio.model.fixes.wire_writing import header
from opstudio.model.graph.file_kind import damaged_model
from opstudio.model.graph.records import ModelRecord
from opstudio.model.graph.source_file import SourceFile
from opstudio.model.graph.wire import BrokenModelError

_BLOCK = 1 << 22


class Splice(NamedTuple):
    """New bytes in place of whole fields ``old`` of a message; an empty range inserts.

    ``message`` are the bytes of the content of the innermost message around them.
    """

    message: Range
    old: Range
    new: bytes


def spliced_pieces(reader: FieldReader, whole: Range, splices: Iterable[Splice]) -> list[bytes | Range]:
    """Return what the changed message consists of: new bytes, and ranges of the file to copy.

    Raises:
        BrokenModelError: the bytes around a change are no messages.
        ValueError: two changes concern the same bytes.
    """
    ordered = sorted(splices, key=lambda item: (item.old.start, item.old.end))
    for first, second in itertools.pairwise(ordered):
        if first.old.end > second.old.start:
            message = f"two changes concern bytes {second.old.start} to {first.old.end}"
            raise ValueError(message)
    return _pieces(reader, whole, ordered)


def _pieces(reader: FieldReader, message: Range, splices: Sequence[Splice]) -> list[bytes | Range]:
    """Return the pieces of a message; ``splices`` are in order and lie all within it."""
    result: list[bytes | Range] = []
    position = message.start

    def copy_up_to(end: int) -> None:
        nonlocal position
        if end > position:
            result.append(Range(position, end))
        position = end

    own = deque(item for item in splices if item.message == message)
    deeper = [item for item in splices if item.message != message]
    for span, inner in _fields_with(reader, message, deeper):
        while own and own[0].old.start <= span.start:
            copy_up_to(own[0].old.start)
            result.append(own[0].new)
            position = own.popleft().old.end
        copy_up_to(span.start)
        pieces = _pieces(reader, span.inside, inner)
        result.append(header(span.number, sum(map(_length, pieces))))
        result.extend(pieces)
        position = span.end
    for item in own:
        copy_up_to(item.old.start)
        result.append(item.new)
        position = item.old.end
    copy_up_to(message.end)
    return result


class _Inside(NamedTuple):
    number: int
    start: int
    end: int
    inside: Range


def _fields_with(
    reader: FieldReader, message: Range, splices: Sequence[Splice]
) -> Iterator[tuple[_Inside, list[Splice]]]:
    """Yield the fields whose messages hold changes, with these, in the order of the file."""
    waiting = list(reversed(splices))
    for span in reader.spans(message) if splices else ():
        inner: list[Splice] = []
        while waiting and span.content <= waiting[-1].message.start and waiting[-1].message.end <= span.end:
            inner.append(waiting.pop())
        if inner:
            yield _Inside(span.number, span.start, span.end, span.inside), inner
        if not waiting:
            return
    if waiting:
        raise BrokenModelError(waiting[-1].old.start, "a change lies in no field of the file")


def _length(piece: bytes | Range) -> int:
    return len(piece) if isinstance(piece, bytes) else piece.end - piece.start


def write_spliced(model: ModelRecord, splices: Iterable[Splice], path: Path, cancel: CancelToken) -> None:
    """Write a changed copy of a model's file to ``path``, which must not be the file itself.

    The model's memory is not needed: bytes are copied block by block.

    Raises:
        InputError: the model's file has changed since it was read.
        SetupError: the copy cannot be written; what was begun is removed.
        CancelledError: ``cancel`` was set; what was begun is removed.
    """
    with SourceFile(model.path, expected=model.identity) as file:
        try:
            pieces = spliced_pieces(FieldReader(file), Range(0, file.size), splices)
        except BrokenModelError as error:
            raise damaged_model(model.path, offset=error.offset, reason=error.reason) from error
        try:
            with path.open("wb") as target:
                for piece in pieces:
                    for block in _blocks(file, piece):
                        cancel.check()
                        target.write(block)
                target.flush()
                os.fsync(target.fileno())
        except OSError as error:
            _remove(path)
            raise cannot_write(path, error) from error
        except BaseException:
            _remove(path)
            raise


def _blocks(file: SourceFile, piece: bytes | Range) -> Iterator[bytes]:
    if isinstance(piece, bytes):
        yield piece
        return
    for start in range(piece.start, piece.end, _BLOCK):
        yield file.read(start, min(_BLOCK, piece.end - start))


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_symlink() or path.is_file():  # never a device
            path.unlink()
