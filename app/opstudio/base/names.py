"""Help with names that were mistyped."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that ``name`` was probably meant to be, ignoring case, or ``None``."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    matches = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return one sentence that offers the nearest known name, or lists all of them when none is near."""
    candidates = sorted(known)
    if (nearest := nearest_name(name, candidates)) is not None:
        return f"did you mean {nearest}?"
    return f"known are {', '.join(candidates)}" if candidates else "none is known"
