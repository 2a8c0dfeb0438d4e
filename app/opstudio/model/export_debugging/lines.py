"""Lines of the person's own files: where a call comes from, in the forms in which PyTorch tells it."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

from opstudio.model.export_debugging.eager_records import SourceLine
from opstudio.model.export_request import CodeLine

_RANGE = re.compile(r"^(?P<file>.+)\((?P<line>\d+)\): ", re.MULTILINE)
"""A line of TorchScript's source ranges: ``model.py(12): forward``, innermost first."""
_TRACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
"""A line of the stack traces of FX nodes, innermost last."""
_LONGEST = 200


class UserLines:
    """Finds lines in one folder, which is the person's; what lies in its virtual environment is not."""

    def __init__(self, folder: Path) -> None:
        self._start = f"{folder}/"

    def owns(self, file: str) -> bool:
        """Whether a file is the person's."""
        return file.startswith(self._start) and "/site-packages/" not in file

    def now(self) -> SourceLine | None:
        """Return the innermost line on the stack of this call."""
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - quicker by far than inspect.stack()
        while frame is not None:
            if self.owns(frame.f_code.co_filename):
                return source_line(frame.f_code.co_filename, frame.f_lineno)
            frame = frame.f_back
        return None

    def of_range(self, text: str) -> SourceLine | None:
        """Return the innermost line of a source range of TorchScript."""
        return self._first(_RANGE.finditer(text))

    def of_trace(self, text: str) -> SourceLine | None:
        """Return the innermost line of the stack trace of an FX node."""
        return self._first(reversed(list(_TRACE.finditer(text))))

    def _first(self, matches: Iterable[re.Match[str]]) -> SourceLine | None:
        return next(
            (source_line(found["file"], int(found["line"])) for found in matches if self.owns(found["file"])), None
        )


def stack_lines(text: str) -> list[tuple[str, int]]:
    """Return the files and lines of a stack, in the words of either exporter."""
    found = [*_RANGE.finditer(text), *_TRACE.finditer(text)]
    return [(item["file"], int(item["line"])) for item in found]


def source_line(file: str, line: int | None) -> SourceLine:
    """Return a line with its text, as the file has it now."""
    text = "" if line is None else linecache.getline(file, line).strip()
    return SourceLine(file=file, line=line, text=text[:_LONGEST])


def with_text(at: CodeLine | None) -> SourceLine | None:
    """Return a line that is known by its number with its text."""
    return None if at is None else source_line(at.file, at.line)
