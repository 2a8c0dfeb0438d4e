"""Pages of rules: what an id means, why it happens, how to fix it; and what the words of a tool mean."""

from __future__ import annotations

import inspect
import re
import sys
import tomllib
from dataclasses import dataclass

from opstudio.base.assets import asset_root
from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.base.names import did_you_mean
from opstudio.diagnosis.engine import UNEXPLAINED, all_rules, diagnose
from opstudio.diagnosis.rule import Context
from opstudio.diagnosis.runtime_messages import RuntimeMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The page of one id. ``sections`` are headings and texts, in order."""

    id: str
    title: str
    summary: str
    sections: tuple[tuple[str, str], ...]


def all_pages() -> dict[str, Page]:
    """Return the pages of all rules and of the studio's own errors, by id."""
    pages = {rule.id: _page(rule.id, rule.title, _docstring(rule.check)) for rule in all_rules()}
    table = tomllib.loads((asset_root("resources") / "tables" / "errors.toml").read_text(encoding="utf-8"))
    for identifier, entry in table.items():
        pages[identifier] = _page(identifier, entry["title"], entry["text"])
    return dict(sorted(pages.items()))


def explain_message(text: str) -> tuple[Finding, ...]:
    """Return what the words of a tool mean; nothing where no rule knows them."""
    found = diagnose(RuntimeMessage(text=text), Context(stage="message"))
    return tuple(finding for finding in found if finding.id != UNEXPLAINED)


def find_page(identifier: str) -> Page:
    """Return the page of an id, however its letters are written.

    Raises:
        InputError: there is no such id.
    """
    pages = all_pages()
    page = pages.get(identifier.upper())
    if page is None:
        raise InputError.of(
            f"There is no page {identifier}",
            cause=did_you_mean(identifier.upper(), pages),
            fix="Take the id of a finding, for example REG004; opstudio explain --list shows all",
            stage="explain",
        )
    return page


def _docstring(check: object) -> str:
    module = sys.modules[str(getattr(check, "__module__", ""))]
    return inspect.cleandoc(module.__doc__ or "")


def _page(identifier: str, title: str, text: str) -> Page:
    # Docstrings mark code with two backticks, readers know one.
    summary, *parts = re.split(r"^## +(.+)$", text.strip().replace("``", "`"), flags=re.MULTILINE)
    sections = tuple((heading.strip(), body.strip()) for heading, body in zip(parts[::2], parts[1::2], strict=True))
    return Page(id=identifier, title=title, summary=summary.strip(), sections=sections)
