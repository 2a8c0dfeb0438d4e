"""Addresses in libraries as lines of source, by the line tables that every build carries."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from opstudio.base.errors import SetupError
from opstudio.jobs.process import ProcessLimits, run_process

_LIMIT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of source and the function it is in."""

    function: str
    file: str
    line: int


def source_lines(frames: Sequence[tuple[str, int]]) -> tuple[SourceLine, ...]:
    """Return the lines of a call stack, innermost first, inlined calls included; unknown addresses are left out."""
    return tuple(line for library, offset in frames for line in _lines_at(library, offset))


def demangle(symbol: str) -> str:
    """Return the C++ name of a symbol of a library, or the symbol itself where it has none or no tool tells."""
    program = shutil.which("c++filt") or shutil.which("llvm-cxxfilt")
    if program is None:
        return symbol
    try:
        return run_process([program, symbol], limits=ProcessLimits(seconds=_LIMIT_SECONDS)).output.strip() or symbol
    except SetupError:
        return symbol


@functools.lru_cache(maxsize=4096)
def _lines_at(library: str, offset: int) -> tuple[SourceLine, ...]:
    program = shutil.which("addr2line") or shutil.which("llvm-symbolizer")
    if program is None:
        return ()
    try:
        # Both programs print the function and the place of every inlined call on alternate lines.
        outcome = run_process(
            [program, "--demangle", "--functions", "--inlines", f"--exe={library}", hex(offset)],
            limits=ProcessLimits(seconds=_LIMIT_SECONDS),
        )
    except SetupError:
        return ()
    texts = outcome.output.splitlines()
    lines: list[SourceLine] = []
    for function, place in zip(texts[::2], texts[1::2], strict=False):
        file, _, rest = place.rpartition(":")
        number = rest.split(" ")[0]
        if file and file != "??" and number.isdecimal():
            lines.append(SourceLine(function, file, int(number)))
    return tuple(lines)
