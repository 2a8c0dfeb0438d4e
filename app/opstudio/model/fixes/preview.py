"""What a fix changes, as text: lines of the touched parts before and after."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from itertools import islice

from opstudio.model.fixes.fix import Edit


def unified_difference(edits: Iterable[Edit]) -> Iterator[str]:
    """Yield the lines of a unified difference, a hunk for each edit, headed by the name of the part."""
    for edit in edits:
        yield f"@@ {edit.part} @@"
        lines = difflib.unified_diff(edit.before, edit.after, lineterm="", n=max(len(edit.before), len(edit.after)))
        yield from islice(lines, 3, None)
