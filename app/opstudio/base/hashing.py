"""Content addresses: short names that change when anything that matters changes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from opstudio.base.finding import Json

_DIGITS = 20
"""Hexadecimal digits of an address: 80 bits, enough that no workspace meets a collision."""


def content_address(value: Json) -> str:
    """Return the address of a value: equal values (whatever the order of keys) have equal addresses."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    # Names of files that are not UTF-8 reach Python as lone surrogates.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def file_address(path: Path) -> str:
    """Return the address of a file's bytes.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:_DIGITS]
