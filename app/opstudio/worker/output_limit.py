"""How much of what a worker prints is handed on: the beginning and the end, and how much lies between."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from opstudio.base.units import render_bytes

_HEAD_BYTES = 2 * 2**20
_TAIL_BYTES = 2 * 2**20
MOST_BYTES = 256 * 2**20
"""What one request may print before it is ended."""


class OutputLimit:
    """Hands on what one stage prints, cut in the middle; text comes as it is printed until it is too much."""

    def __init__(self, hand_on: Callable[[str], None]) -> None:
        self._hand_on = hand_on
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._head_left = _HEAD_BYTES
        self._tail = bytearray()
        self._left_out = 0
        self.total_bytes = 0

    @property
    def is_exceeded(self) -> bool:
        """Whether more was printed than a request may."""
        return self.total_bytes > MOST_BYTES

    def take(self, data: bytes) -> None:
        """Hand on a piece of output, or keep it for the end."""
        self.total_bytes += len(data)
        head, rest = data[: self._head_left], data[self._head_left :]
        self._head_left -= len(head)
        if head and (text := self._decoder.decode(head)):
            self._hand_on(text)
        self._tail += rest
        if (surplus := len(self._tail) - _TAIL_BYTES) > 0:
            self._left_out += surplus
            del self._tail[:surplus]

    def end_stage(self) -> None:
        """Hand on what was kept; what comes next belongs to another stage."""
        if text := self._decoder.decode(b"", final=True):
            self._hand_on(text)
        if self._left_out:
            self._hand_on(f"\n… {render_bytes(self._left_out)} left out …\n")
        if self._tail:
            self._hand_on(self._tail.decode("utf-8", "replace"))
        self._decoder.reset()
        self._head_left = _HEAD_BYTES
        self._tail.clear()
        self._left_out = 0
