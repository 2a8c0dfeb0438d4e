"""A session is given an input of other sizes than the file fixes.

## What it finds
The input and each axis with the size that was given and the one that the file has, from ONNX Runtime's
``Got invalid dimensions for input``.

## Why it happens
The axis was meant to vary and was fixed at export to the size of the example: no dynamic axis was declared for it, or
under a name that is not an input's (EXP005, EXP006).

## How to fix
Export again with the axis declared dynamic, or give the size that the file has.

## Source
The runtime's message.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage

_INPUT = r"Got invalid dimensions for input: (\S+) for the following indices((?: index: \d+ Got: \d+ Expected: \d+)+)"
_AXIS = r"index: (\d+) Got: (\d+) Expected: (\d+)"


def check(evidence: RuntimeMessage, context: Context) -> Iterable[Finding]:
    """Tell all axes of an input."""
    for match in evidence.find(_INPUT):
        axes = [item.groups() for item in RuntimeMessage(text=match[2]).find(_AXIS)]
        told = ", ".join(f"axis {axis} is {fixed} in the file, {given} was given" for axis, given, fixed in axes)
        names = ", ".join(axis for axis, _, _ in axes)
        yield RULE.finding(
            context,
            cause=f"{match[1]}: {told}",
            fix=f"Export again with axis {names} of {match[1]} declared dynamic, or give the sizes that the file has",
            places=[Place(tensor=match[1])],
            evidence={"input": match[1], "axes": [int(axis) for axis, _, _ in axes]},
        )


RULE = Rule(id="ORT007", title="An input has other sizes than the file fixes", needs=RuntimeMessage, check=check)
