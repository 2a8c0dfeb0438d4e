"""Reads what programs under a sanitizer print."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opstudio.checks.stages.sanitizer import MemoryEvent, SanitizerReport

_START = re.compile(
    r"==\d+==ERROR: (?P<asan>AddressSanitizer): (?:attempting )?(?P<asan_kind>[\w-]+)(?P<asan_detail>[^\n]*)"
    r"|WARNING: (?P<tsan>ThreadSanitizer): (?P<tsan_kind>[\w ()-]+?) \(pid=\d+\)"
    r"|(?P<file>[^\s:]+):(?P<line>\d+):\d+: runtime error: (?P<ubsan>[^\n]+)"
)
_FRAME = re.compile(r"#\d+ (?:0x[0-9a-f]+ in )?(?P<function>.+?) (?P<file>/[^\n:]+):(?P<line>\d+)")
_INNERMOST = re.compile(
    r"\s*#0 0x[0-9a-f]+ in (?:__interceptor_)?(?P<function>operator (?:new|delete)(?:\[\])?|[\w:~]+)"
)
_LIFE = re.compile(r"^(?:previously )?(?P<event>allocated|freed) by thread [^\n]*\n", re.MULTILINE)
_BAD_FREE = "free"
"""What AddressSanitizer calls it when no allocation begins at the address: ``attempting free on address which …``."""


def read_reports(output: str) -> Iterator[SanitizerReport]:
    """Yield the reports in what a program printed."""
    starts = list(_START.finditer(output))
    for position, start in enumerate(starts):
        end = starts[position + 1].start() if position + 1 < len(starts) else len(output)
        body = output[start.end() : end]
        before = output[: start.start()]
        call = before.rpartition("run ")[2].split("\n")[0] if "run " in before else ""
        frames = _frames(body)
        if start["ubsan"]:
            here = ("", start["file"], int(start["line"]))
            yield SanitizerReport(
                tool="UndefinedBehaviorSanitizer", kind=start["ubsan"], detail="", call=call, frames=(here, *frames)
            )
        elif start["asan"]:
            life = _LIFE.search(body)
            error = body[: life.start()] if life else body
            yield SanitizerReport(
                tool="AddressSanitizer",
                kind="bad-free" if start["asan_kind"] == _BAD_FREE else start["asan_kind"],
                detail=" ".join(line.strip() for line in body.splitlines()[:2]),
                call=call,
                frames=_frames(error),
                function=_innermost(error),
                allocated=_event("allocated", body),
                freed=_event("freed", body),
            )
        else:
            yield SanitizerReport(tool="ThreadSanitizer", kind=start["tsan_kind"], detail="", call=call, frames=frames)


def _event(event: str, body: str) -> MemoryEvent | None:
    """Return the stack below the title of an event, which a blank line or the next title ends."""
    found = next((found for found in _LIFE.finditer(body) if found["event"] == event), None)
    if found is None:
        return None
    stack = re.split(r"\n(?=\S|\s*\n)", body[found.end() :], maxsplit=1)[0]
    return MemoryEvent(function=_innermost(stack), frames=_frames(stack))


def _innermost(stack: str) -> str:
    """Return the function of the innermost frame, where the stack begins with one."""
    first = next((line for line in stack.splitlines() if line.lstrip().startswith("#0 ")), "")
    found = _INNERMOST.match(first)
    return found["function"] if found else ""


def _frames(stack: str) -> tuple[tuple[str, str, int], ...]:
    return tuple((found["function"], found["file"], int(found["line"])) for found in _FRAME.finditer(stack))
