"""Standard output and standard error as they are: perhaps closed, full, read by nobody, or able to show ASCII only."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from typing import TextIO

_ASCII = {
    "✔": "+",
    "✖": "x",
    "○": "o",
    "–": "-",
    "—": "-",
    "─": "-",
    "…": "...",
    "→": "->",
    "µ": "u",
    "×": "x",
    "·": ".",
}
"""What stands for the signs that the studio prints, where they cannot be shown."""
_HANDLER = "opstudio.nearest"


class OutputGoneError(Exception):
    """Nothing can be written any more; ``reason`` is empty where the reader has simply seen enough."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Output:
    """A text stream that shows what it cannot encode by the nearest signs.

    Writing raises :class:`OutputGoneError` and nothing else, so that it is never taken for a failure of the work.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.encoding = (getattr(stream, "encoding", None) or "utf-8").lower()

    @property
    def is_unicode(self) -> bool:
        """Whether every sign can be shown."""
        return self.encoding.startswith("utf")

    def write(self, text: str) -> int:
        """Write a text."""
        shown = text.encode(self.encoding, _HANDLER).decode(self.encoding)
        try:
            return self._stream.write(shown)
        except (OSError, ValueError) as error:
            raise _gone(error) from error

    def flush(self) -> None:
        """Write what is still kept."""
        try:
            self._stream.flush()
        except (OSError, ValueError) as error:
            raise _gone(error) from error

    def isatty(self) -> bool:
        """Whether somebody reads along."""
        with contextlib.suppress(OSError, ValueError):
            return self._stream.isatty()
        return False

    def fileno(self) -> int:
        """Return the number of the descriptor."""
        return self._stream.fileno()


def silence() -> None:
    """Let what is kept for a stream that is gone go nowhere, so that the interpreter's end does not fail on it."""
    with contextlib.suppress(OSError):
        null = os.open(os.devnull, os.O_WRONLY)
        for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
            try:
                if stream is not None:
                    stream.flush()
            except (OSError, ValueError):
                os.dup2(null, number)


def tell(line: str) -> None:
    """Write a line to standard error, where it can be read."""
    with contextlib.suppress(OSError):
        os.write(2, f"{line}\n".encode())


def _gone(error: OSError | ValueError) -> OutputGoneError:
    if isinstance(error, BrokenPipeError):
        return OutputGoneError("")
    return OutputGoneError(error.strerror or str(error) if isinstance(error, OSError) else str(error))


def _nearest(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    signs = error.object[error.start : error.end]
    return "".join(_ASCII.get(sign, "?") for sign in signs), error.end


codecs.register_error(_HANDLER, _nearest)
