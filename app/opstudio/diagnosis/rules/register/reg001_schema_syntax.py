"""The schema text of a registration does not parse.

## What it finds
A text in ``m.def("…")`` that PyTorch refuses, with the position in the text and what was expected there. PyTorch ends
the process when it meets such a text, so that libraries are loaded in workers only.

## Why it happens
A type that schemas do not know (``double`` is written ``float``, ``tensor`` is written ``Tensor``), a missing name or
arrow.

## How to fix
Write ``name(Tensor x, float scale, float max_val=6.0) -> Tensor``.

## Source
PyTorch's schema parser, and the studio's own, which knows the position.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.contract.schema_parser import SchemaError, parse_schema
from opstudio.diagnosis.registration import Refusal, refusal_of, refusal_text
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines
from opstudio.worker.outcome import Outcome


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Parse every schema text of the sources, and point at the first that is wrong."""
    if refusal_of(outcome) is not Refusal.SCHEMA_SYNTAX:
        return
    said = refusal_text(outcome)
    cause, place = said[:300], None
    for found, match in find_lines(context, r"\.\s*def\s*\(\s*\"((?:[^\"\\]|\\.)*)\""):
        try:
            parse_schema(match[1])
        except SchemaError as error:
            marked = f"{match[1][: error.column - 1]}⟨here⟩{match[1][error.column - 1 :]}"
            cause = f"{error} at character {error.column}: {marked}"
            place = _inside(found, match, error.column)
            break
    yield RULE.finding(
        context,
        cause=cause,
        fix='Write m.def("name(Tensor x, float scale, float max_val=6.0) -> Tensor")',
        places=[place],
        evidence={"message": said},
    )


def _inside(found: Place, match: re.Match[str], column: int) -> Place:
    start = (found.column or 1) + match.start(1) - match.start(0)
    return dataclasses.replace(found, column=start + column - 1)


RULE = Rule(id="REG001", title="A schema does not parse", needs=Outcome, check=check, stages=("register",))
