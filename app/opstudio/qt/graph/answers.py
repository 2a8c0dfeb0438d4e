"""What comes back from work behind the window that is about one model."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from opstudio.base.errors import StudioError
from opstudio.base.finding import Finding
from opstudio.model.graph.records import ModelRecord
from opstudio.workflows.graph import STAGE


class Answer(NamedTuple):
    """What came out of work about a model, or the error that ended it."""

    model: ModelRecord
    result: object


def answer(model: ModelRecord, work: Callable[[], object]) -> Answer:
    """Return what work gives; errors are answers as well."""
    try:
        return Answer(model, work())
    except Exception as error:  # noqa: BLE001 - told where it is shown
        return Answer(model, error)


def findings_of(found: object) -> tuple[Finding, ...]:
    """Return what an error says."""
    if isinstance(found, StudioError):
        return found.findings
    return (
        Finding(
            id=StudioError.id,
            stage=STAGE,
            title="The studio failed to look at the model",
            cause=f"{type(found).__name__}: {found}",
            fix="This is a fault of the studio; please report it",
        ),
    )


def raise_fault(found: object) -> None:
    """Raise what is no answer but a fault of the studio, so that its traceback is not lost."""
    if isinstance(found, Exception) and not isinstance(found, StudioError):
        raise found
