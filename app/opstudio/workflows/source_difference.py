"""How two sets of sources differ: files, hunks, lines; and as the unified text that people and ``patch`` read."""

from __future__ import annotations

import difflib
import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file"


class LineKind(enum.StrEnum):
    """What became of a line."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class FileChange(enum.StrEnum):
    """What became of a file."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """One line. ``ends`` says whether a line feed follows, which only the last line of a file may lack."""

    kind: LineKind
    text: str
    ends: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """Lines that changed, with three that did not on either side. Starts count from one, as unified diffs do."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[DiffLine, ...]

    @property
    def heading(self) -> str:
        """The line that begins it in a unified diff."""
        return f"@@ -{self.old_start},{self.old_count} +{self.new_start},{self.new_count} @@"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDifference:
    """A file that is not the same on both sides. Without hunks it is known by its hash only: too large, or no text."""

    name: str
    change: FileChange
    hunks: tuple[Hunk, ...] = ()

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines were added, and how many removed."""
        kinds = [line.kind for hunk in self.hunks for line in hunk.lines]
        return kinds.count(LineKind.ADDED), kinds.count(LineKind.REMOVED)

    def as_text(self) -> str:
        """Return the file's part of a unified diff."""
        marks = {LineKind.SAME: " ", LineKind.REMOVED: "-", LineKind.ADDED: "+"}
        old = "/dev/null" if self.change is FileChange.ADDED else f"a/{self.name}"
        new = "/dev/null" if self.change is FileChange.REMOVED else f"b/{self.name}"
        texts = [f"--- {old}", f"+++ {new}"]
        for hunk in self.hunks:
            texts.append(hunk.heading)
            for line in hunk.lines:
                texts += [f"{marks[line.kind]}{line.text}", *([] if line.ends else [_NO_NEWLINE])]
        return "\n".join(texts) + "\n"


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file of one side: the address of its content, and the text where it is known."""

    address: str
    text: str | None


def compare_sources(before: Mapping[str, SourceText], after: Mapping[str, SourceText]) -> tuple[FileDifference, ...]:
    """Return the files that differ, in the order of their names."""
    found: list[FileDifference] = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is not None and new is not None and old.address == new.address:
            continue
        change = FileChange.ADDED if old is None else FileChange.REMOVED if new is None else FileChange.CHANGED
        texts = ["" if side is None else side.text for side in (old, new)]
        hunks = () if texts[0] is None or texts[1] is None else tuple(_hunks(texts[0], texts[1]))
        found.append(FileDifference(name=name, change=change, hunks=hunks))
    return tuple(found)


def _hunks(before: str, after: str) -> Iterator[Hunk]:
    # Only line feeds end lines here, so that no other separator within a string is taken for one.
    old, new = _lines(before), _lines(after)
    matcher = difflib.SequenceMatcher(None, old, new)
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = group[0], group[-1]
        lines: list[DiffLine] = []
        for tag, first, last, new_first, new_last in group:
            if tag == "equal":
                lines += _marked(LineKind.SAME, old[first:last])
                continue
            lines += _marked(LineKind.REMOVED, old[first:last])
            lines += _marked(LineKind.ADDED, new[new_first:new_last])
        yield Hunk(
            # An empty side starts at the line before it, which is zero for an empty file.
            old_start=old_start + (old_end > old_start),
            old_count=old_end - old_start,
            new_start=new_start + (new_end > new_start),
            new_count=new_end - new_start,
            lines=tuple(lines),
        )


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _marked(kind: LineKind, lines: Sequence[str]) -> list[DiffLine]:
    return [DiffLine(kind=kind, text=line.removesuffix("\n"), ends=line.endswith("\n")) for line in lines]
