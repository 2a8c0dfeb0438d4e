"""Reading what PyTorch and its exporters raise: they wrap the reason several times, and bury the person's own line."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

from opstudio.model.export_request import CodeLine

_MOST_CHARACTERS = 2000


def deepest_cause(error: BaseException) -> BaseException:
    """Follow the chain of causes to its end."""
    seen: set[int] = set()
    while id(error) not in seen:
        seen.add(id(error))
        following = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if following is None:
            break
        error = following
    return error


def user_line(error: BaseException, folder: Path) -> CodeLine | None:
    """Return the innermost line of the person's own files in the chain of an error."""
    found: CodeLine | None = None
    current: BaseException | None = error
    seen: set[int] = set()
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        for frame in traceback.extract_tb(current.__traceback__):
            if Path(frame.filename).is_relative_to(folder):
                found = CodeLine(file=frame.filename, line=frame.lineno)
        current = current.__cause__ or current.__context__
    if found is None:
        # The dynamo exporter traces in its own frames and quotes the person's in the text.
        for match in re.finditer(r'File "([^"]+)", line (\d+)', str(error)):
            if Path(match[1]).is_relative_to(folder):
                found = CodeLine(file=match[1], line=int(match[2]))
    return found


def plain_text(text: str) -> str:
    """Remove colours and the stack listings that follow a message."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return (
        text.split("\n(Refer to the full stack trace")[0].split("\nException raised from")[0].strip()[:_MOST_CHARACTERS]
    )
