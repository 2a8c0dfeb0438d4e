"""From how a worker ended to places in the operator's files, and other small readings of an outcome."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable

from opstudio.base.finding import Place
from opstudio.diagnosis.rule import RuleContext
from opstudio.worker.outcome import Outcome


def places_of(outcome: Outcome, context: RuleContext) -> tuple[Place, ...]:
    """Return the lines of the operator's files in the call stacks of an outcome.

    Where no stack tells, it is the function that was being run.
    """
    if context.stage == "reference":
        return (place_of_reference(context),)
    found = [context.place_of_frames(trace.frames) for trace in outcome.traces]
    places = tuple(dict.fromkeys(place for place in found if place is not None))
    if places:
        return places
    role = "backward" if context.stage == "gradient" else "forward"
    return (context.place_of_function(role),)


def place_of_reference(context: RuleContext) -> Place:
    """Return where the reference is defined: the line of its function, else its file as a whole."""
    file, _, name = context.contract.reference.partition(":")
    path = context.folder / file
    line = None
    with contextlib.suppress(OSError):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        definition = re.compile(rf"(async\s+)?def\s+{re.escape(name)}\b")
        line = next((number for number, text in enumerate(lines, start=1) if definition.match(text)), None)
    return Place(file=context.relative(str(path)), line=line)


def culprit(context: RuleContext) -> str:
    """Return what a stage runs of the person's: the reference in its own stage, else the kernel."""
    return "reference" if context.stage == "reference" else "kernel"


def last_line(text: str) -> str:
    """Return the last line of a text that says something."""
    lines: Iterable[str] = (line.strip() for line in reversed(text.splitlines()))
    return next((line for line in lines if line), "")
