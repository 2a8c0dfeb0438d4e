"""The C++ function does not fit its schema.

## What it finds
PyTorch's refusal at load: the types or the number of arguments that it infers from the C++ function differ from the
schema text. The process ends there.

## Why it happens
``int`` in a schema is ``int64_t`` in C++, ``float`` is ``double``, ``Tensor?`` is ``std::optional<Tensor>``,
``int[]`` is ``at::IntArrayRef``, ``str`` is ``c10::string_view``; ``SymInt`` is passed by value.

## How to fix
Change the side that is wrong; the table above tells what belongs together.

## Source
PyTorch's dispatcher ("Inferred operator schema … doesn't match the expected function schema").
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.registration import Refusal, refusal_of, refusal_text
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines
from opstudio.worker.outcome import Outcome

_REASON = re.compile(r"reason: (.*?\.)(?:\s|$)")
_ARGUMENT = re.compile(r"Type mismatch in argument (\d+): (\S+) vs\.? (\S+?)\.?$")
_SITE = re.compile(r"registered at ([^\s;,]+):(\d+)")


def check(outcome: Outcome, context: RuleContext) -> Iterable[Finding]:
    """Recognise the refusal and name the argument."""
    if refusal_of(outcome) is not Refusal.SIGNATURE:
        return
    said = refusal_text(outcome)
    reason = _REASON.search(said)
    text = reason[1] if reason else said[:300]
    if argument := _ARGUMENT.search(text):
        text = f"argument {argument[1]} is {argument[3]} in C++ and {argument[2]} in the schema"
    sites = [Place(file=context.relative(file), line=int(line)) for file, line in _SITE.findall(said)]
    definitions = [place for place, _ in find_lines(context, rf"\.\s*(?:def|impl)\s*\(\s*\"{context.contract.name}\b")]
    yield RULE.finding(
        context,
        cause=text,
        fix="int is int64_t, float is double, Tensor? is std::optional<Tensor>, int[] is at::IntArrayRef in C++",
        places=list(dict.fromkeys(sites)) or definitions,
        evidence={"message": said},
    )


RULE = Rule(
    id="REG018", title="The C++ function does not fit its schema", needs=Outcome, check=check, stages=("register",)
)
