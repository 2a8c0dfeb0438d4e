"""Help with names that were mistyped."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that ``name`` was probably meant to be, ignoring case, or ``None``."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    matches = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None


def nearest_names(name: str, known: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """Return the known names that ``name`` was probably meant to be, ignoring case, the nearest first."""
    by_folded = {candidate.casefold(): candidate for candidate in known if candidate}
    return tuple(by_folded[match] for match in difflib.get_close_matches(name.casefold(), by_folded, n=most))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return one sentence that offers the nearest known name, or lists all of them when none is near."""
    candidates = sorted(known)
    if (nearest := nearest_name(name, candidates)) is not None:
        return f"did you mean {nearest}?"
    return f"known are {', '.join(candidates)}" if candidates else "none is known"
