"""Something is registered twice.

## What it finds
PyTorch's refusal of a second ``TORCH_LIBRARY`` for a namespace, or of a second definition of an operator, with both
places that it names.

## Why it happens
Two sources open the same namespace with ``TORCH_LIBRARY``; a library was loaded a second time under another name; an
operator is defined in C++ and in Python.

## How to fix
Use ``TORCH_LIBRARY_FRAGMENT`` for all but one, define each operator once, and ``m.impl`` it elsewhere.

## Source
PyTorch's dispatcher.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.registration import Refusal, refusal_of, refusal_text
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines
from opstudio.worker.outcome import Outcome

_NAMESPACE = re.compile(r"Only a single TORCH_LIBRARY can be used to register the namespace (\w+)")
_OPERATOR = re.compile(r"Tried to register an operator \(([^)]*\)[^)]*)\) with the same name")
_SITES = re.compile(r"registered at ([^\s;,]+):(\d+)|at ([^\s;,]+\.(?:cpp|cc|cu|h)):(\d+)")


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Recognise the two refusals and name the sites."""
    if refusal_of(outcome) is not Refusal.TWICE:
        return
    said = refusal_text(outcome)
    namespace, operator = _NAMESPACE.search(said), _OPERATOR.search(said)
    sites = [(found[1] or found[3], int(found[2] or found[4])) for found in _SITES.finditer(said)]
    places = [Place(file=context.relative(file), line=line) for file, line in sites]
    if operator:  # PyTorch knows the block only
        pattern = rf"\.\s*def\s*\(\s*\"(?:\w+::)?{re.escape(operator[1].partition('(')[0].rpartition('::')[2])}\b"
        places += [dataclasses.replace(place, column=None) for place, _ in find_lines(context, pattern)]
    what = f"the namespace {namespace[1]}" if namespace else f"the operator {operator[1]}" if operator else ""
    yield RULE.finding(
        context,
        title=f"{what[:1].upper()}{what[1:]} is registered twice",
        cause=said[:400],
        fix="Open the namespace with TORCH_LIBRARY_FRAGMENT in all but one place, and define each operator once",
        places=dict.fromkeys(places),
        evidence={"message": said},
    )


RULE = Rule(id="REG013", title="Registered twice", needs=Outcome, check=check, stages=("register",))
