"""The path of an operator library leads to no file.

## What it finds
The path that was given; where the studio looked for it, the absolute path that was tried, the working directory, and
libraries beside it whose names come near.

## Why it happens
The path is relative and the program was started in another folder, or the library was not built yet. ONNX Runtime hands
a relative path to the loader, which searches its own folders and says ``cannot open shared object file``.

## How to fix
Register the library by its absolute path, made from the path of a file that moves with it.

## Source
The file system, or the runtime's message.
"""

from __future__ import annotations

from collections.abc import Iterable

from opstudio.base.finding import Finding, Place
from opstudio.diagnosis.rule import Context, Rule
from opstudio.diagnosis.runtime_messages import RuntimeMessage

_FAILED = r"Failed to load library (\S+) with error: (\S+): cannot open shared object file: No such file"


def check(evidence: RuntimeMessage, context: Context) -> Iterable[Finding]:
    """Tell which file is not there: the library, or one that it needs."""
    for match in evidence.find(_FAILED):
        library, missing = match.groups()
        if library != missing:
            continue  # it is there, and what it needs is not
        searched = "" if missing.startswith("/") else "; the path is relative to where the program started"
        yield RULE.finding(
            context,
            cause=f"there is no {missing}{searched}",
            fix="Register it by its absolute path: str(Path(__file__).parent / 'NAME.so')",
            places=[Place(file=missing)],
        )


RULE = Rule(id="ORT004", title="The operator library is not there", needs=RuntimeMessage, check=check)
