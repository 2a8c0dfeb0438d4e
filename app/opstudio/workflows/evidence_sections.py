"""What a stage found out, laid out for people: sections of tables, names and values, texts and command lines.

A describer is one file in ``workflows/evidence``; the terminal and the window show what it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from opstudio.base.codec import to_json
from opstudio.base.finding import Json
from opstudio.workflows.operators import LoadedOperator
from opstudio.workspace.build_history import HistoryRecord
from opstudio.workspace.folder import Workspace

MOST_ROWS = 200
"""Rows of a table that are laid out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table. Numbers stand on the right."""

    title: str
    is_number: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of texts, one for each column. ``bad`` are the positions of rows that something is wrong with.

    ``left_out`` counts rows that are not shown.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    bad: frozenset[int] = frozenset()
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyValues:
    """Names and values."""

    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A text to read, not to edit. ``language`` is cpp, python, toml or text; ``path`` is where it is, if anywhere."""

    language: str
    text: str
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLines:
    """Commands that can be copied and run, one after another."""

    commands: tuple[str, ...]


Content: TypeAlias = Table | KeyValues | SourceText | CommandLines

_KINDS: dict[type[Any], str] = {
    Table: "table",
    KeyValues: "values",
    SourceText: "source",
    CommandLines: "commands",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A title and what stands under it."""

    title: str
    content: Content


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceContext:
    """What a describer may look at.

    ``evidence`` is the record of the stage, ``None`` where none was kept. ``operator`` is ``None`` where its contract
    cannot be read now. ``record`` is the build that the evidence belongs to, where the history knows it.
    """

    workspace: Workspace
    stage: str
    evidence: Any
    operator: LoadedOperator | None = None
    record: HistoryRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Describer:
    """The manifest of a describer: the stages that it knows, and the sections of one of them."""

    stages: tuple[str, ...]
    describe: Callable[[EvidenceContext], Iterable[Section]]


def table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[str] = (), bad: Iterable[int] = ()
) -> Table:
    """Return a table of titles and rows; ``numbers`` are the titles of columns that hold numbers."""
    return Table(
        columns=tuple(Column(title=title, is_number=title in numbers) for title in columns),
        rows=tuple(tuple(row) for row in rows[:MOST_ROWS]),
        bad=frozenset(index for index in bad if index < MOST_ROWS),
        left_out=max(len(rows) - MOST_ROWS, 0),
    )


def section_to_json(section: Section) -> dict[str, Json]:
    """Return a section as JSON values; ``kind`` says what it holds."""
    content = section.content
    head: dict[str, Json] = {"title": section.title, "kind": _KINDS[type(content)]}
    if isinstance(content, Table):
        columns: list[Json] = [to_json(column) for column in content.columns]
        rows: list[Json] = [list(row) for row in content.rows]
        return {**head, "columns": columns, "rows": rows, "bad": sorted(content.bad), "left_out": content.left_out}
    data = to_json(content)
    assert isinstance(data, dict)
    return {**head, **data}
