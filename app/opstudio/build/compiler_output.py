"""What compilers and linkers print, as messages at places. gcc, clang and nvcc write nearly the same form."""

from __future__ import annotations

import dataclasses
import re

from opstudio.base.finding import Severity
from opstudio.build.records import Diagnostic

_MESSAGE = re.compile(
    r"^(?P<file>[^\s:(][^:(\n]*):(?P<line>\d+)(?::(?P<column>\d+))?:\s*"
    r"(?P<kind>fatal error|error|warning|note|required from[^:\n]*):?\s*(?P<text>.*)$"
)
_NVCC = re.compile(
    r"^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+)\):\s*(?P<kind>error|warning)(?:\s*#[-\w]+)?:\s*(?P<text>.*)$"
)
_LINKER = re.compile(
    r"^(?:\S*ld(?:\.\w+)?(?:\.real)?: )?(?:error: )?(?P<text>.*(?:undefined reference|multiple definition"
    r"|undefined symbol|duplicate symbol|cannot find -l).*)$"
)
_LINKER_PLACE = re.compile(r"(?P<file>[\w./ +-]+\.(?:cpp|cc|cxx|cu|h|hpp)):(?P<line>\d+)")
_MOST_NOTES = 3


def parse_diagnostics(output: str) -> tuple[Diagnostic, ...]:
    """Return the messages of a tool's output, errors first, each with its first notes; noise is left out."""
    found: list[Diagnostic] = []
    for line in output.splitlines():
        if match := _MESSAGE.match(line) or _NVCC.match(line):
            _add(found, match)
        elif match := _LINKER.match(line):
            place = _LINKER_PLACE.search(line)
            found.append(
                Diagnostic(
                    severity=Severity.ERROR,
                    message=match["text"].strip(),
                    file=place["file"].strip() if place else None,
                    line=int(place["line"]) if place else None,
                )
            )
    unique = list(dict.fromkeys(found))
    return tuple(sorted(unique, key=lambda item: item.severity is not Severity.ERROR))


def _add(found: list[Diagnostic], match: re.Match[str]) -> None:
    kind, groups = match["kind"], match.groupdict()
    column = groups.get("column")
    if kind == "note" or kind.startswith("required from"):
        if found and len(found[-1].notes) < _MOST_NOTES and match["text"]:
            note = f"{match['file']}:{match['line']}: {match['text']}"
            found[-1] = dataclasses.replace(found[-1], notes=(*found[-1].notes, note))
        return
    found.append(
        Diagnostic(
            severity=Severity.WARNING if kind == "warning" else Severity.ERROR,
            message=match["text"].strip(),
            file=match["file"],
            line=int(match["line"]),
            column=int(column) if column else None,
        )
    )
