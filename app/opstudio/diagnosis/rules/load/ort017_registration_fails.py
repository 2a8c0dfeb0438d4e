"""An operator library cannot be loaded, or fails while it registers its operators.

## What it finds
A library that the loader refuses, that ends its process, that hangs, or that registers only part of its operators; with
the signal, the exit code or the words that are known of it.

## Why it happens
The object of the domain or of an operator is not kept alive; an exception leaves ``RegisterCustomOps``; a function of
the operator's structure is missing; a library that it needs, PyTorch's for example, is not found.

## How to fix
Keep domain and operators in objects that live as long as the process; catch exceptions and return them as a status;
give the library a run path to what it needs.

## Source
A process of its own in which the library is loaded and registers.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Rule
from opstudio.model.runtime.library_evidence import LibraryEvidence
from opstudio.worker.outcome import Ending, Outcome

_WORDS = 400


def check(evidence: LibraryEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell how it ended."""
    if "RegisterCustomOps" not in evidence.file.exports:
        return  # ORT003 says so
    contents = evidence.contents
    if evidence.refusal:
        cause, fix = evidence.refusal, _fix_of_loading(evidence.refusal)
    elif evidence.ended and evidence.outcome is not None:
        cause = f"it ended the process that it was loaded into: {_how(evidence.outcome)}"
        fix = "Keep domain and operators alive as long as the process, and let no exception leave RegisterCustomOps"
    elif contents is not None and contents.refusal and max(contents.asked, default=0) <= contents.newest_api:
        cause, fix = contents.refusal, "Correct what the library says of itself"
    else:
        return
    yield RULE.finding(context, cause=cause, fix=fix, places=[Place(file=evidence.path)])


def _fix_of_loading(refusal: str) -> str:
    if "libtorch" in refusal or "libc10" in refusal or "c10" in refusal:
        return "Build it without PyTorch, or import torch first in the process that loads it"
    if "GLIBC" in refusal or "CXXABI" in refusal:
        return "Build it with a compiler no newer than the libraries of this system"
    if "undefined symbol" in refusal:
        return "Link the source or the library that defines the symbol"
    return "Give the library a run path to what it needs, or put that beside it"


def _how(outcome: Outcome) -> str:
    parts = [outcome.signal or {Ending.STALLED: "it hung"}.get(outcome.ending, outcome.ending.value.replace("_", " "))]
    if words := outcome.last_words.strip():
        parts.append(f"its last words: {words[-_WORDS:]}")
    return "; ".join(parts)


RULE = Rule(id="ORT017", title="The library cannot register its operators", needs=LibraryEvidence, check=check)
