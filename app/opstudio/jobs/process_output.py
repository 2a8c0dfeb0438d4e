"""The output of a program: read as it comes, decoded piece by piece, kept within bounds."""

from __future__ import annotations

import codecs
import os
import select
from collections import deque
from collections.abc import Callable

_PIECE_BYTES = 65536
_LARGEST_PIPE_BYTES = 2**20
"""What a pipe holds at most; whatever comes beyond it was written later."""
_BEGINNING = 2**16
_END = 4 * 2**20
"""Characters that are kept: tools state the first error first and the last one last."""


class OutputReader:
    """Reads a pipe without ever waiting for those who hold its other end."""

    def __init__(self, descriptor: int, on_output: Callable[[str], None] | None) -> None:
        self.is_open = True
        """Whether somebody may still write."""
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._kept = _BoundedText()
        self._on_output = on_output

    def read(self, seconds: float) -> int:
        """Read one piece, which is waited for; return its size in bytes."""
        if not self.is_open or not self._poll.poll(1000.0 * seconds):
            return 0
        data = os.read(self._descriptor, _PIECE_BYTES)
        self.is_open = bool(data)
        self._add(self._decoder.decode(data))
        return len(data)

    def drain(self) -> None:
        """Read what is in the pipe by now, and no more: a child left in the background may write for ever."""
        left = _LARGEST_PIPE_BYTES
        while left > 0 and (count := self.read(0.0)):
            left -= count
        self._add(self._decoder.decode(b"", final=True))

    def text(self) -> str:
        """Return what was read so far, cut in the middle where it is endless."""
        return self._kept.text()

    def _add(self, text: str) -> None:
        if not text:
            return
        self._kept.add(text)
        if self._on_output is not None:
            self._on_output(text)


class _BoundedText:
    """Keeps the beginning and the end of a text."""

    def __init__(self) -> None:
        self._beginning = ""
        self._end: deque[str] = deque()
        self._end_size = 0
        self._left_out = 0

    def add(self, text: str) -> None:
        room = _BEGINNING - len(self._beginning)
        self._beginning += text[:room]
        self._end.append(text[room:])
        self._end_size += len(text[room:])
        while self._end_size - len(self._end[0]) > _END:
            removed = len(self._end.popleft())
            self._end_size -= removed
            self._left_out += removed

    def text(self) -> str:
        mark = f"\n… {self._left_out} characters left out …\n" if self._left_out else ""
        return f"{self._beginning}{mark}{''.join(self._end)}"
