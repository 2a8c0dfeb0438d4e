"""What the panel Node says, as plain records: sections of rows, rows of stretches of text, some of which lead on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from opstudio.base.finding import Place
from opstudio.model.diagram.records import ScopePath
from opstudio.model.graph.tensor_statistics import TensorStatistics


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTarget:
    """A node of a graph."""

    scope: ScopePath
    node: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueTarget:
    """A value of a graph."""

    scope: ScopePath
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeTarget:
    """A graph of the model."""

    scope: ScopePath


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceTarget:
    """A place in a file."""

    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpTarget:
    """The page that explains a finding."""

    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreTarget:
    """What was cut, in full. ``key`` says what."""

    key: str


Target: TypeAlias = NodeTarget | ValueTarget | ScopeTarget | PlaceTarget | HelpTarget | MoreTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of text. ``tone`` is a token of the theme; ``target`` is where a click leads."""

    text: str
    tone: str = "text"
    target: Target | None = None
    is_code: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A name, and what there is to say of it. Without a name the text takes the whole width."""

    name: str = ""
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The row as plain text."""
        value = "".join(span.text for span in self.spans if not isinstance(span.target, MoreTarget))
        value = " ".join(value.split())
        return f"{self.name}\t{value}" if self.name else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Rows below a title, and perhaps the distribution of the values of a tensor."""

    title: str
    rows: tuple[Row, ...]
    statistics: TensorStatistics | None = None
    is_counted: bool = False
    """Whether the rows are names with figures, a column each."""
    is_whole: bool = False
    """Whether the bars of the distribution stand for one whole number each."""

    @property
    def text(self) -> str:
        """The section as plain text: a row in a line, with a tab behind its name."""
        return "\n".join(row.text for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """All that is said of one thing. ``title`` is what it is, ``name`` what it is called."""

    title: str
    name: str = ""
    tone: str = "text"
    """Of the title: a token of the theme."""
    sections: tuple[Section, ...] = ()

    @property
    def text(self) -> str:
        """Everything as plain text."""
        head = f"{self.title}\t{self.name}" if self.name else self.title
        return "\n\n".join((head, *(f"{section.title}\n{section.text}" for section in self.sections)))


def words(text: str, tone: str = "text", target: Target | None = None) -> Span:
    """Return a stretch in the face of words."""
    return Span(text=text, tone=tone, target=target, is_code=False)


def code(text: str, tone: str = "text", target: Target | None = None) -> Span:
    """Return a stretch in the face of code."""
    return Span(text=text, tone=tone, target=target)
