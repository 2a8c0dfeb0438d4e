"""What long work calls between its steps, so that whoever asked for it can end it there."""

from __future__ import annotations


def go_on() -> None:
    """Let the work go on; for callers who never end it."""
