"""The linker refuses the kernel.

## What it finds
A function or variable that is used but defined nowhere, or defined twice.

## Why it happens
A source file is missing in ``[kernel] sources``; a function is declared but not written; two sources define a function
of the same name outside of an unnamed namespace.

## How to fix
Add the file that defines it to ``sources``, or put helper functions into ``namespace { … }``.

## Source
The linker's own output; the loader's, for sources that register themselves and are linked without knowing what the
process will hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from opstudio.base.finding import Finding, Place
from opstudio.build.records import BuildRecord, Diagnostic
from opstudio.build.symbols import demangle
from opstudio.diagnosis.recognition import LINK_ERROR, undefined_symbol
from opstudio.diagnosis.rule import Rule, RuleContext
from opstudio.diagnosis.sources import find_lines
from opstudio.worker.outcome import Outcome

_ENTRY = "__wrap___cxa_throw"
"""What remembers where a kernel throws: it comes with OPSTUDIO_KERNEL, and is all that the linker misses without it."""


def check(evidence: BuildRecord | Outcome, context: RuleContext) -> Iterable[Finding]:
    """Turn the errors of the linker, or of the loader, into findings."""
    if isinstance(evidence, BuildRecord):
        yield from _refused_by_linker(evidence, context)
    elif (symbol := undefined_symbol(evidence)) is not None:
        name = demangle(symbol)
        yield RULE.finding(
            context,
            title=f"{name} is defined nowhere",
            cause=f"the library uses {name}, but neither its sources nor the PyTorch that runs define it",
            fix="Add the file that defines it to [kernel] sources, or correct the name",
            places=_lines_with(name, context),
            evidence={"symbol": symbol, "message": evidence.error},
        )


def _refused_by_linker(record: BuildRecord, context: RuleContext) -> Iterable[Finding]:
    told: set[str] = set()
    for item in record.diagnostics:
        found = LINK_ERROR.search(item.message)
        if record.succeeded or found is None or found[0] in told:
            continue
        told.add(found[0])
        missing, double = found["missing"] or found["symbol"], found["double"] or found["duplicate"]
        if missing == _ENTRY:
            yield RULE.finding(
                context,
                title="The kernel has no entry point",
                cause="no source says which function is the kernel",
                fix="End the kernel's source with OPSTUDIO_KERNEL(forward)",
                places=[context.place_of_function("forward")],
            )
        elif missing:
            yield RULE.finding(
                context,
                title=f"{missing} is defined nowhere",
                cause=f"the kernel uses {missing}, but none of its sources defines it",
                fix="Add the file that defines it to [kernel] sources, or correct the name",
                places=[_place(item, rf"\b{_name(missing)}\b", context)],
            )
        elif double:
            yield RULE.finding(
                context,
                title=f"{double} is defined twice",
                cause=f"two sources define {double}",
                fix="Put helper functions into an unnamed namespace: namespace { … }",
                places=[_place(item, rf"\b{_name(double)}\s*\([^;{{}}]*\)[\w\s]*\{{", context)],
            )
        else:
            yield RULE.finding(
                context,
                title=f"The library {found['library']} is missing",
                cause=f"the linker cannot find -l{found['library']}",
                fix="Install it, or add its folder to [kernel] flags: -L…",
                places=[context.place_in_contract(("kernel", "flags"))],
            )


def _name(symbol: str) -> str:
    """Return the last part of a name, without namespaces and arguments, as a pattern."""
    return re.escape(symbol.partition("(")[0].rpartition("::")[2])


def _lines_with(name: str, context: RuleContext) -> list[Place]:
    """Return the lines of the operator's files that have a symbol."""
    found = find_lines(context, rf"\b{_name(name)}\b", headers=True)
    return [place for place, _ in found]


def _place(item: Diagnostic, pattern: str, context: RuleContext) -> Place | None:
    """Return the operator's own line that the linker names, or else the first one with the symbol."""
    if item.file and Path(item.file).is_relative_to(context.folder):
        return Place(file=context.relative(item.file), line=item.line)
    return next((place for place, _ in find_lines(context, pattern, headers=True)), None)


RULE = Rule(id="BLD012", title="The kernel does not link", needs=(BuildRecord, Outcome), check=check)
