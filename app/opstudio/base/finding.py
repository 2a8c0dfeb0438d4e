"""Findings: what is wrong, why, where, and what to do about it, as plain data.

Errors carry a finding and rules return findings, so that the terminal, ``--json`` and the window
show the same words.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


class Severity(enum.StrEnum):
    """How much a finding weighs in a verdict."""

    ERROR = "error"
    """Makes a verdict bad."""
    WARNING = "warning"
    """Worth changing; the verdict stays good."""
    NOTE = "note"
    """Something to know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where to look: a position in a file, or a node or tensor of a model.

    ``line`` and ``column`` count from one.
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None
    node: str | None = None
    tensor: str | None = None

    def __str__(self) -> str:
        """Render as ``file:line:column``, then the node and the tensor, each only where known."""
        position = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        inside = [f"node {self.node}" if self.node else "", f"tensor {self.tensor}" if self.tensor else ""]
        return ", ".join(part for part in (position, *inside) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, with its cause before its symptom.

    ``id`` is stable and public: it names a rule (``opstudio explain ID``).
    """

    id: str
    stage: str
    severity: Severity = Severity.ERROR
    title: str
    cause: str
    fix: str
    places: tuple[Place, ...] = ()
    evidence: Mapping[str, Json] = field(default_factory=dict)
