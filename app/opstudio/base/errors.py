"""The errors that a person can act on. Anything else that is raised is a bug of the studio.

::

    StudioError            carries one finding or several
    ├─ InputError          a file, a contract or an argument is wrong     → mend the input
    ├─ SetupError          a tool, a library or a right is missing        → mend the machine
    ├─ ToolError           a tool ran and refused                         → read what it said
    └─ CancelledError      the person or a newer save ended the work      → nothing to mend
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from opstudio.base.finding import Finding, Place, Severity


class StudioError(Exception):
    """An error whose findings say what, where, why and what to do."""

    id = "STU001"

    def __init__(self, findings: Finding | Sequence[Finding]) -> None:
        self.findings: tuple[Finding, ...] = (findings,) if isinstance(findings, Finding) else tuple(findings)
        super().__init__("\n".join(f"{finding.title}: {finding.cause}" for finding in self.findings))

    @classmethod
    def of(cls, title: str, *, cause: str, fix: str, stage: str = "setup", place: Place | None = None) -> Self:
        """Make an error of one finding under the class's own id."""
        places = () if place is None else (place,)
        return cls(
            Finding(id=cls.id, stage=stage, severity=Severity.ERROR, title=title, cause=cause, fix=fix, places=places)
        )


class InputError(StudioError):
    """A file, a contract or an argument is wrong."""

    id = "STU002"


class SetupError(StudioError):
    """A tool, a library, space or a right is missing on this machine."""

    id = "STU003"


class ToolError(StudioError):
    """A tool ran and refused."""

    id = "STU004"


class CancelledError(StudioError):
    """The work was ended by the person, or a newer request superseded it."""

    id = "STU005"

    def __init__(self, reason: str = "cancelled") -> None:
        super().__init__(
            Finding(
                id=self.id,
                stage="job",
                severity=Severity.NOTE,
                title="Cancelled",
                cause=reason,
                fix="Start it again when you need it",
            )
        )


def bug_finding(error: BaseException, *, stage: str = "job") -> Finding:
    """Return the finding of an error that nobody foresaw: a fault of the studio, not of its user."""
    return Finding(
        id=StudioError.id,
        stage=stage,
        severity=Severity.ERROR,
        title="The studio failed",
        cause=f"{type(error).__name__}: {error}",
        fix="This is a fault of the studio; please report it with what was printed and the journal of the run",
    )
