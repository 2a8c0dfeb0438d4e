"""Text files as an editor needs them: what is read and written again is the same to the byte where nothing changed."""

from __future__ import annotations

import codecs
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from opstudio.base.errors import InputError
from opstudio.base.files import write_atomic
from opstudio.base.finding import Place
from opstudio.base.units import render_bytes

MOST_BYTES = 8 * 2**20
"""What the editor opens; larger files are not written by hand."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE_END = re.compile(r"\r\n|\r|\n")
_STAGE = "editor"


@dataclass(frozen=True, slots=True)
class Signature:
    """What tells one version of a file from the next without reading it."""

    modified_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile:
    """A file as it was read or written last. Lines of ``text`` end with a line feed, whatever those of the file do."""

    path: Path
    data: bytes
    text: str
    encoding: str
    byte_order_mark: bytes
    line_end: str
    """The line end of most lines; new lines get it."""
    is_mixed: bool
    """Whether lines end in different ways."""
    signature: Signature

    @property
    def encoding_title(self) -> str:
        """The encoding as people know it."""
        mark = " BOM" if self.byte_order_mark == codecs.BOM_UTF8 else ""
        return self.encoding.upper().replace("-LE", " LE").replace("-BE", " BE") + mark

    @property
    def line_end_title(self) -> str:
        """The line ends as people know them."""
        title = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}[self.line_end]
        return f"{title}, mixed" if self.is_mixed else title


def read_text_file(path: Path) -> TextFile:
    """Read a file.

    Raises:
        InputError: it cannot be read, is no text, or is too large to be edited.
    """
    try:
        status = path.stat()
        if status.st_size > MOST_BYTES:
            raise _refuse(
                path,
                f"it has {render_bytes(status.st_size)}; the editor opens up to {render_bytes(MOST_BYTES)}",
                "Open it with another program",
            )
        data = path.read_bytes()
    except OSError as error:
        raise _refuse(path, error.strerror or str(error), "Check the path and its rights") from error
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    body = data[len(mark) :]
    if b"\0" in body and not encoding.startswith("utf-16"):
        raise _refuse(path, "it holds binary data", "Open it with a program for files of its kind")
    try:
        raw = body.decode(encoding)
    except UnicodeDecodeError:
        # Every byte has a place in Latin-1, so nothing is lost when the file is written again.
        encoding = "latin-1"
        raw = body.decode(encoding)
    ends = _LINE_END.findall(raw)
    return TextFile(
        path=path,
        data=data,
        text=_LINE_END.sub("\n", raw),
        encoding=encoding,
        byte_order_mark=mark,
        line_end=max(("\n", "\r\n", "\r"), key=ends.count),
        is_mixed=len(set(ends)) > 1,
        signature=Signature(status.st_mtime_ns, status.st_size, status.st_ino),
    )


def write_text_file(file: TextFile, text: str) -> TextFile:
    """Write a new text in the encoding and with the line ends of the file.

    Raises:
        InputError: the encoding has no place for a character.
        SetupError: the file cannot be written; the old one is untouched.
    """
    ended = _mix_line_ends(file, text) if file.is_mixed else text.replace("\n", file.line_end)
    try:
        data = file.byte_order_mark + ended.encode(file.encoding)
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        raise _refuse(
            file.path,
            f"{character!r} has no place in {file.encoding_title}, which the file is written in",
            "Take the character out, or convert the file to UTF-8",
            verb="written",
        ) from error
    write_atomic(file.path, data)
    signature = read_signature(file.path) or file.signature
    return replace(file, data=data, text=text, signature=signature)


def read_signature(path: Path) -> Signature | None:
    """Return the signature of a file, or ``None`` where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return Signature(status.st_mtime_ns, status.st_size, status.st_ino)


def _mix_line_ends(file: TextFile, text: str) -> str:
    """Give lines that were kept their own ends, and new lines that of most."""
    raw = file.data[len(file.byte_order_mark) :].decode(file.encoding)
    ends = _LINE_END.findall(raw)
    old, new = file.text.split("\n"), text.split("\n")
    chosen = [file.line_end] * len(new)
    for old_line, new_line in _same_lines(old, new):
        if old_line < len(ends):
            chosen[new_line] = ends[old_line]
    pieces = [line + end for line, end in zip(new, chosen, strict=True)]
    return "".join([*pieces[:-1], new[-1]])


def _same_lines(old: list[str], new: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of lines that stayed or were written over, before and now."""
    most = min(len(old), len(new))
    head = next((number for number in range(most) if old[number] != new[number]), most)
    tail = next((number for number in range(most - head) if old[-1 - number] != new[-1 - number]), most - head)
    yield from ((number, number) for number in range(head))
    # What lies between is short, whatever the length of the file: the person typed it.
    before, now = old[head : len(old) - tail], new[head : len(new) - tail]
    for kind, first, last, start, end in difflib.SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if kind in ("equal", "replace"):
            yield from zip(range(head + first, head + last), range(head + start, head + end), strict=False)
    yield from ((len(old) - number, len(new) - number) for number in range(tail, 0, -1))


def _refuse(path: Path, cause: str, fix: str, *, verb: str = "opened") -> InputError:
    return InputError.of(
        f"{path.name} cannot be {verb}", cause=cause, fix=fix, stage=_STAGE, place=Place(file=str(path))
    )
