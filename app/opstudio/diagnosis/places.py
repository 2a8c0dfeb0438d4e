"""From how a worker ended to places in the operator's files, and other small readings of an outcome."""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Place
from opstudio.diagnosis.rule import RuleContext
from opstudio.worker.outcome import Outcome


def places_of(outcome: Outcome, context: RuleContext) -> tuple[Place, ...]:
    """Return the lines of the operator's files in the call stacks of an outcome.

    Where no stack tells, it is the function that was being run.
    """
    found = [context.place_of_frames(trace.frames) for trace in outcome.traces]
    places = tuple(dict.fromkeys(place for place in found if place is not None))
    if places:
        return places
    role = "backward" if context.stage == "gradient" else "forward"
    return (context.place_of_function(role),)


def last_line(text: str) -> str:
    """Return the last line of a text that says something."""
    lines: Iterable[str] = (line.strip() for line in reversed(text.splitlines()))
    return next((line for line in lines if line), "")
