"""Weights beside the model: where they should lie, and whether they may and can be read from there.

A location is untrusted text. It may name a file in the model's folder and nothing else; what leads elsewhere is told
as a problem of its tensor and never opened.
Source: ONNX "External Data" (docs/ExternalData.md) for the keys and for the rule that a location stays in the folder.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from opstudio.model.graph.tensor_records import (
    ExternalBytes,
    ExternalProblem,
    amount_text,
)

_LONGEST_NUMBER = 20
"""Digits of the largest 64-bit number."""
_LARGEST_LENGTH = (1 << 64) - 1
"""Bytes that are told of a tensor whose sizes multiply to more than any file has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedFile:
    """What stands at a location: a regular file of ``size`` bytes, or a problem."""

    path: Path | None
    size: int = 0
    problem: ExternalProblem | None = None
    detail: str = ""


class ExternalFiles:
    """The files beside one model; each location is looked at once."""

    def __init__(self, model: Path) -> None:
        # In caches of downloads, model and weights are links to files that lie in another folder, side by side.
        self._folder = Path(os.path.realpath(model.parent))
        self._allowed = (self._folder, Path(os.path.realpath(model)).parent)
        self._seen: dict[str, LocatedFile] = {}

    def data(self, entries: Mapping[str, str], needed: int) -> ExternalBytes:
        """Return where the bytes of a tensor lie. ``needed`` are those that its type and shape ask for."""
        location = entries.get("location", "")
        offset = _number(entries.get("offset", "0"))
        length = _number(entries["length"]) if "length" in entries else needed
        file = self.locate(location)
        path, problem, detail = file.path, file.problem, file.detail
        if problem is None:
            problem, detail = _range_problem(location, offset, length, needed, file.size)
        return ExternalBytes(
            location=location,
            offset=offset or 0,
            length=min(needed if length is None else length, _LARGEST_LENGTH),
            path=path if problem is None else None,
            problem=problem,
            detail=detail,
        )

    def locate(self, location: str) -> LocatedFile:
        """Return what stands at a location."""
        if location not in self._seen:
            self._seen[location] = self._look(location)
        return self._seen[location]

    def _look(self, location: str) -> LocatedFile:
        problem, detail = _text_problem(location)
        if problem is not None:
            return LocatedFile(path=None, problem=problem, detail=detail)
        try:
            real = Path(os.path.realpath(self._folder / location))
            if not any(folder in real.parents for folder in self._allowed):
                return _located(ExternalProblem.LINK_OUTSIDE, f"its weights {location!r} are a link out of the folder")
            status = real.lstat()
        except (OSError, ValueError) as error:
            return _not_reachable(location, error)
        if not stat.S_ISREG(status.st_mode):
            return _located(ExternalProblem.NOT_A_FILE, f"its weights {location!r} are not a regular file")
        if not os.access(real, os.R_OK):
            return _located(ExternalProblem.UNREADABLE, f"its weights {location!r} may not be read")
        return LocatedFile(path=real, size=status.st_size)


def _text_problem(location: str) -> tuple[ExternalProblem | None, str]:
    """Judge a location before the file system sees it, by the rules of every system that may read the model."""
    if not location.strip() or "\0" in location:
        return ExternalProblem.BAD_LOCATION, f"{location!r} names no file of weights"
    windows = PureWindowsPath(location)
    if windows.drive or windows.root:
        return ExternalProblem.OUTSIDE, f"its weights {location!r} are named by a path of the whole machine"
    # ".. " and "..." lead upwards on some systems.
    if any(part.startswith("..") and not part.strip(". ") for part in windows.parts):
        return ExternalProblem.OUTSIDE, f"its weights {location!r} lie outside of the model's folder"
    return None, ""


def _range_problem(
    location: str, offset: int | None, length: int | None, needed: int, size: int
) -> tuple[ExternalProblem | None, str]:
    if offset is None or length is None:
        return ExternalProblem.BAD_RANGE, f"offset and length of its weights in {location!r} are not whole numbers"
    if needed and length != needed:
        needs = f"its type and shape need {amount_text(needed)}"
        return ExternalProblem.WRONG_LENGTH, f"{location!r} has {length} bytes for it, {needs}"
    if offset + length > size:
        if length > _LARGEST_LENGTH:
            return ExternalProblem.TOO_SHORT, f"it needs {amount_text(length)} bytes of {location!r}, which has {size}"
        return ExternalProblem.TOO_SHORT, f"it ends at byte {offset + length} of {location!r}, which has {size}"
    return None, ""


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None


def _located(problem: ExternalProblem, detail: str) -> LocatedFile:
    return LocatedFile(path=None, problem=problem, detail=detail)


def _not_reachable(location: str, error: OSError | ValueError) -> LocatedFile:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.ENOENT, errno.ENOTDIR):
        return _located(ExternalProblem.MISSING, f"its weights are missing: there is no {location!r} beside the model")
    if number == errno.EACCES:
        return _located(ExternalProblem.UNREADABLE, f"its weights {location!r} may not be read")
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return _located(ExternalProblem.BAD_LOCATION, f"{location!r} names no file of weights: {reason}")
