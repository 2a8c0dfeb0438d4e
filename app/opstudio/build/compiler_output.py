"""What compilers and linkers print, as messages at places. gcc, clang and nvcc write nearly the same form."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

from opstudio.base.finding import Severity
from opstudio.build.records import Diagnostic

_MESSAGE = re.compile(
    r"^(?P<file>[^\s:(][^:(\n]*):(?P<line>\d+)(?::(?P<column>\d+))?:\s*"
    r"(?:(?P<kind>fatal error|error|warning|note):\s*(?P<text>.*)"
    r"|(?P<origin>(?:recursively )?required (?:from|by) .*))$"
)
_NVCC = re.compile(
    r"^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+)\):\s*(?P<kind>error|warning)(?:\s*#[-\w]+)?:\s*(?P<text>.*)$"
)
_LINKER = re.compile(
    r"^(?:\S*ld(?:\.\w+)?(?:\.real)?: )?(?:error: )?(?P<text>.*(?:undefined reference|multiple definition"
    r"|undefined symbol|duplicate symbol|cannot find -l).*)$"
)
_LINKER_PLACE = re.compile(r"(?P<file>[\w./ +-]+\.(?:cpp|cc|cxx|cu|h|hpp)):(?P<line>\d+)")
_CLANG_ORIGIN = re.compile(r"in instantiation of .* requested here")
_MOST_NOTES = 3


def parse_diagnostics(output: str) -> tuple[Diagnostic, ...]:
    """Return the messages of a tool's output, errors first, each with its first notes; noise is left out.

    gcc tells in front of a message which lines asked for the template that it is in, clang does so in notes behind it.
    """
    found: list[Diagnostic] = []
    origins: list[tuple[str, int]] = []
    for line in output.splitlines():
        if match := _MESSAGE.match(line) or _NVCC.match(line):
            groups = match.groupdict()
            if groups.get("origin"):
                origins.append((match["file"], int(match["line"])))
            elif match["kind"] == "note":
                _add_note(found, match)
            else:
                found.append(_message(match, tuple(origins)))
                origins = []
        elif match := _LINKER.match(line):
            found.append(_linker_message(match, line))
    unique = list(dict.fromkeys(found))
    return tuple(sorted(unique, key=lambda item: item.severity is not Severity.ERROR))


def _message(match: re.Match[str], origins: tuple[tuple[str, int], ...]) -> Diagnostic:
    column = match.groupdict().get("column")
    return Diagnostic(
        severity=Severity.WARNING if match["kind"] == "warning" else Severity.ERROR,
        message=match["text"].strip(),
        file=match["file"],
        line=int(match["line"]),
        column=int(column) if column else None,
        origins=origins,
    )


def _add_note(found: list[Diagnostic], match: re.Match[str]) -> None:
    if not found or not match["text"]:
        return
    last = found[-1]
    if _CLANG_ORIGIN.search(match["text"]):
        found[-1] = dataclasses.replace(last, origins=(*last.origins, (match["file"], int(match["line"]))))
    elif len(last.notes) < _MOST_NOTES:
        note = f"{Path(match['file']).name}:{match['line']}: {match['text']}"
        found[-1] = dataclasses.replace(last, notes=(*last.notes, note))


def _linker_message(match: re.Match[str], line: str) -> Diagnostic:
    place = _LINKER_PLACE.search(line)
    return Diagnostic(
        severity=Severity.ERROR,
        message=match["text"].strip(),
        file=place["file"].strip() if place else None,
        line=int(place["line"]) if place else None,
    )
