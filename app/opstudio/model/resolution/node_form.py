"""How many inputs and outputs a node has, and how that is told."""

from __future__ import annotations

from collections.abc import Sequence

from opstudio.model.resolution.records import Step, Unresolved

ANY_NUMBER = 2**30
"""From here on, a number of inputs or outputs means any."""

_MOST_LISTED = 5


def count_inputs(names: Sequence[str]) -> int:
    """Return the number of inputs, those left out at the end not counted."""
    count = len(names)
    while count and not names[count - 1]:
        count -= 1
    return count


def wrong_form(reason: str) -> Unresolved:
    """Return the answer to a node whose inputs, outputs or attributes are not the operator's."""
    return Unresolved(step=Step.FORM, reason=reason)


def count_text(count: int, what: str) -> str:
    """Return a number of things in words."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def range_text(least: int, most: int) -> str:
    """Return how many there may be, in words."""
    if least == most:
        return str(least)
    return f"{least} to {most}" if most < ANY_NUMBER else f"{least} or more"


def join_names(names: Sequence[str]) -> str:
    """Return names as a list in a sentence."""
    return " and ".join(names)


def list_text(names: Sequence[str]) -> str:
    """Return names as a list in a sentence, cut where it gets long: a file may hold any number."""
    if len(names) > _MOST_LISTED:
        return f"{', '.join(names[:_MOST_LISTED])} and {len(names) - _MOST_LISTED} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
