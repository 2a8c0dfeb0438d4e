"""An index of 32 bits runs over the number of elements.

## What it finds
Loops and variables of type ``int``, ``int32_t`` or ``unsigned`` that take ``count()``, ``numel()`` or a product of
sizes. This is read from the text.

## Why it happens
Tensors of more than 2,147,483,647 elements overflow such an index: the product turns negative, and the kernel reads
foreign memory. With small batches everything is right.

## How to fix
Use ``int64_t`` for everything that counts elements.

## Source
The text of the sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding, Severity
from opstudio.build.records import BuildRecord
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines

_NARROW = (
    r"\b(?:for\s*\(\s*)?(?:const\s+)?(?:unsigned(?:\s+int)?|int|int32_t|uint32_t)\s+\w+\s*(?:=\s*\w+\s*;\s*\w+\s*<=?\s*|=\s*)"
    r"[^;\n]*\b(?:count|numel)\s*\(\s*\)"
)
_DIVIDED = re.compile(r"[^;\n]*/\s*\d")
"""Elements by the block: a number of blocks is 32 bits wide in CUDA, and is meant to be."""


def check(record: BuildRecord, context: RuleContext) -> Iterable[Finding]:
    """Look at the sources of a kernel that compiles."""
    found = find_lines(context, _NARROW, cuda=True) if record.succeeded else []
    places = [place for place, match in found if not _DIVIDED.match(match.string, match.end())]
    if places:
        yield RULE.finding(
            context,
            cause="an index of 32 bits counts the elements of a tensor; above 2,147,483,647 it overflows",
            fix="Use int64_t",
            places=places,
        )


RULE = Rule(
    id="REG011",
    title="A 32-bit index counts elements",
    needs=BuildRecord,
    check=check,
    severity=Severity.WARNING,
    stages=("build",),
)
