"""The help: pages on how the studio is used, one page for each id of a finding, and the search over both."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from opstudio.base.assets import asset_root
from opstudio.base.errors import InputError, SetupError
from opstudio.base.finding import Place
from opstudio.base.names import did_you_mean
from opstudio.workflows.explain import Page, all_pages

STAGE = "help"
SUFFIX = ".md"
_READING_ORDER = (
    "start",
    "loop",
    "contract",
    "kernel",
    "raw",
    "findings",
    "graph",
    "fix",
    "window",
    "command_line",
    "history",
    "trust",
    "settings",
    "troubleshooting",
)
"""Pages that are not named here stand behind, in the order of their names."""
_LONGEST_CONTEXT = 96
_MARKS = re.compile(r"`|\*\*|\[(?P<text>[^\]]*)\]\([^)]*\)")


class HelpLanguage(enum.StrEnum):
    """A language of the pages. Rules explain themselves in English."""

    ENGLISH = "en"
    CHINESE = "zh_CN"


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpPage:
    """A page: ``name`` is that of its file or the id of a finding, ``text`` is Markdown without the title."""

    name: str
    title: str
    text: str
    language: HelpLanguage = HelpLanguage.ENGLISH
    is_rule: bool = False

    @property
    def markdown(self) -> str:
        """The page as it is read, its title first."""
        return f"# {self.title}\n\n{self.text}\n"

    @property
    def summary(self) -> str:
        """The first line, without marks."""
        return next(_plain_lines(self.text), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpHit:
    """A page that holds all words of a search, and the line that holds most of them."""

    page: HelpPage
    context: str


def help_pages(language: HelpLanguage = HelpLanguage.ENGLISH) -> tuple[HelpPage, ...]:
    """Return the pages in reading order; one that is not translated is in English.

    Raises:
        SetupError: they cannot be read.
    """
    root = asset_root("resources") / "help"
    english = {path.stem: path for path in root.glob(f"*{SUFFIX}")}
    translated = {path.stem: path for path in (root / language.value).glob(f"*{SUFFIX}")}
    pages = [
        _read(translated[name], language) if name in translated else _read(english[name], HelpLanguage.ENGLISH)
        for name in english
    ]
    order = {name: number for number, name in enumerate(_READING_ORDER)}
    return tuple(sorted(pages, key=lambda page: (order.get(page.name, len(order)), page.name)))


def rule_pages() -> tuple[HelpPage, ...]:
    """Return a page for each id that a finding may have, in the order of the ids."""
    return tuple(_rule_page(page) for page in all_pages().values())


def find_help_page(name: str, language: HelpLanguage = HelpLanguage.ENGLISH) -> HelpPage:
    """Return the page of a name or an id, however its letters are written.

    Raises:
        InputError: there is no such page.
    """
    pages = {page.name.lower(): page for page in (*help_pages(language), *rule_pages())}
    page = pages.get(name.lower().removesuffix(SUFFIX))
    if page is None:
        raise InputError.of(
            f"There is no help page {name}",
            cause=did_you_mean(name.lower(), pages),
            fix="Take a name that opstudio help lists, or the id of a finding",
            stage=STAGE,
        )
    return page


def search_pages(pages: Iterable[HelpPage], words: str) -> tuple[HelpHit, ...]:
    """Return the pages that hold every word, whatever its case; those that hold them in the title come first.

    Without any word these are all pages, each with its first line.
    """
    wanted = words.casefold().split()
    hits: list[tuple[int, HelpHit]] = []
    for page in pages:
        title = f"{page.name} {page.title}".casefold()
        if all(word in title for word in wanted):
            hits.append((0, HelpHit(page=page, context=_context(page, wanted))))
        elif all(word in title or word in page.text.casefold() for word in wanted):
            hits.append((1, HelpHit(page=page, context=_context(page, wanted))))
    return tuple(hit for _, hit in sorted(hits, key=lambda item: item[0]))


def _context(page: HelpPage, wanted: list[str]) -> str:
    """Return the line that holds most of the words, cut so that the first of them is in it."""
    if not wanted:
        return page.summary
    best, most = page.summary, 0
    for line in _plain_lines(page.text):
        found = sum(word in line.casefold() for word in wanted)
        if found > most:
            best, most = line, found
    places = [place for word in wanted if (place := best.casefold().find(word)) >= 0]
    earliest = max(min(places, default=0) - _LONGEST_CONTEXT // 3, 0)
    # Not in the middle of a word; Chinese has no spaces to begin behind.
    start = best.rfind(" ", 0, earliest) + 1 or earliest if earliest else 0
    return f"{'… ' if start else ''}{best[start : start + _LONGEST_CONTEXT].strip()}"


def _plain_lines(text: str) -> Iterator[str]:
    """Yield the lines that people read, without the marks of Markdown."""
    for line in text.splitlines():
        plain = _MARKS.sub(lambda match: match["text"] or "", line).strip("#-|> ").replace(" | ", "  ")
        if plain:
            yield plain


def _read(path: Path, language: HelpLanguage) -> HelpPage:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError.of(
            f"The help page {path.stem} cannot be read",
            cause=str(error),
            fix="Install OpStudio again",
            stage=STAGE,
            place=Place(file=str(path)),
        ) from error
    title, _, rest = text.strip().partition("\n")
    return HelpPage(name=path.stem, title=title.lstrip("# "), text=rest.strip(), language=language)


def _rule_page(page: Page) -> HelpPage:
    parts = [page.summary, *(f"## {heading}\n\n{body}" for heading, body in page.sections)]
    return HelpPage(name=page.id, title=f"{page.id}  {page.title}", text="\n\n".join(parts), is_rule=True)
