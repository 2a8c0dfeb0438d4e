"""An operator library was built for a newer ONNX Runtime.

## What it finds
The version of the interface that the library asks for, and the newest one that this runtime offers.

## Why it happens
The library was compiled with the headers of a newer release: their ``ORT_API_VERSION`` is what it asks for.

## How to fix
Use a runtime of that release or newer, or build the library with older headers: one that asks for version 18 runs on
every release from 1.18 on.

## Source
What the library asks the runtime for while it registers.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.models import ModelContext
from opstudio.diagnosis.rule import Rule
from opstudio.model.runtime.library_evidence import LibraryEvidence


def check(evidence: LibraryEvidence, context: ModelContext) -> Iterable[Finding]:
    """Tell both versions."""
    contents = evidence.contents
    newest = max(contents.asked, default=0) if contents is not None else 0
    if contents is not None and newest > contents.newest_api:
        words = f"; it says: {contents.refusal}" if contents.refusal else ""
        yield RULE.finding(
            context,
            cause=f"it asks for interface version {newest}, this runtime offers 1 to {contents.newest_api}{words}",
            fix=f"Use ONNX Runtime 1.{newest} or newer, or build the library with older headers (version 18 is enough)",
            places=[Place(file=evidence.path)],
            evidence={"asked": newest, "offered": contents.newest_api},
        )


RULE = Rule(id="ORT015", title="The library is for a newer ONNX Runtime", needs=LibraryEvidence, check=check)
