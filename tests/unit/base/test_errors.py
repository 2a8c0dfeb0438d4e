"""Errors that a person can act on."""

from __future__ import annotations

import pytest

from opstudio.base.errors import CancelledError, InputError, SetupError, StudioError, ToolError
from opstudio.base.finding import Finding, Place, Severity


@pytest.mark.parametrize(
    ("kind", "number"), [(StudioError, "STU001"), (InputError, "STU002"), (SetupError, "STU003"), (ToolError, "STU004")]
)
def test_that_each_kind_of_error_has_its_own_public_id(kind: type[StudioError], number: str) -> None:
    error = kind.of("Cannot read it", cause="it is gone", fix="Bring it back", stage="build", place=Place(file="a.cpp"))

    expected = Finding(
        id=number,
        stage="build",
        severity=Severity.ERROR,
        title="Cannot read it",
        cause="it is gone",
        fix="Bring it back",
        places=(Place(file="a.cpp"),),
    )
    assert (type(error), (expected,)) == (kind, error.findings)


def test_that_an_error_without_a_place_has_none() -> None:
    assert SetupError.of("t", cause="c", fix="f").findings[0].places == ()


def test_that_an_error_says_all_its_findings_in_their_order() -> None:
    first, second = (Finding(id="A", stage="s", title=f"T{n}", cause=f"c{n}", fix="f") for n in (1, 2))

    error = InputError([first, second])

    assert (first, second) == error.findings
    assert str(error) == "T1: c1\nT2: c2"


def test_that_a_cancellation_carries_its_reason_as_a_note() -> None:
    (finding,) = CancelledError("superseded by a newer request").findings

    assert (finding.severity, finding.cause, finding.id) == (Severity.NOTE, "superseded by a newer request", "STU005")
