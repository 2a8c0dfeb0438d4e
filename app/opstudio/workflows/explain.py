"""Pages of ids: what a finding means and how to fix it, what a fix changes; and what the words of a tool mean."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from opstudio.base.assets import asset_root
from opstudio.base.errors import InputError
from opstudio.base.finding import Finding
from opstudio.base.names import nearest_names
from opstudio.diagnosis.engine import UNEXPLAINED, all_rules, diagnose
from opstudio.diagnosis.rule import Context
from opstudio.diagnosis.runtime_messages import RuntimeMessage
from opstudio.model.fixes.fix import Fix
from opstudio.model.fixes.registry import all_fixes

FAMILIES: Mapping[str, str] = {
    "CON": "contracts",
    "BLD": "builds",
    "REG": "registration",
    "EXP": "export",
    "ORT": "ONNX Runtime",
    "MOD": "model files",
    "NUM": "numbers",
    "RUN": "what goes wrong while a kernel runs",
    "REF": "references",
    "PRF": "speed",
    "REL": "releases",
    "STU": "the studio itself",
}
"""What the ids of findings that begin with these letters are about."""


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


def fix_pages() -> dict[str, Page]:
    """Return the pages of all fixes of models, by id; a fix's page is the docstring of its module."""
    return {fix.id: _fix_page(fix) for fix in all_fixes().values()}


def by_family(pages: Iterable[Page]) -> dict[str, list[Page]]:
    """Return the pages of findings under the letters that their ids begin with, in the order of the families."""
    found: dict[str, list[Page]] = {family: [] for family in FAMILIES}
    for page in pages:
        found.setdefault(page.id[:3], []).append(page)
    return {family: chosen for family, chosen in found.items() if chosen}


def explain_message(text: str) -> tuple[Finding, ...]:
    """Return what the words of a tool mean; nothing where no rule knows them."""
    found = diagnose(RuntimeMessage(text=text), Context(stage="message"))
    return tuple(finding for finding in found if finding.id != UNEXPLAINED)


def find_page(identifier: str) -> Page:
    """Return the page of an id, however its letters are written; that of a fix with or without its parameters.

    Raises:
        InputError: there is no such id.
    """
    pages = {**all_pages(), **fix_pages()}
    name = identifier.partition(":")[0]
    page = pages.get(name.upper()) or pages.get(name.lower())
    if page is None:
        near = nearest_names(name, pages)
        raise InputError.of(
            f"There is no page {identifier}",
            cause=f"did you mean {' or '.join(near)}?" if near else "no id of a finding or a fix comes near",
            fix="Take the id of a finding, for example REG004, or of a fix, for example add-import; opstudio explain "
            "lists all",
            stage="explain",
        )
    return page


def _fix_page(fix: Fix) -> Page:
    page = _page(fix.id, fix.title, _docstring(fix.edits))
    form = f":{fix.form}" if fix.form else ""
    command = f"`opstudio fix MODEL --apply '{fix.id}{form}' -o NEW.onnx`; opstudio fix MODEL lists what fits a model."
    return dataclasses.replace(page, sections=(*page.sections, ("How to apply it", command)))


def _docstring(function: object) -> str:
    module = sys.modules[str(getattr(function, "__module__", ""))]
    return inspect.cleandoc(module.__doc__ or "")


def _page(identifier: str, title: str, text: str) -> Page:
    # Docstrings mark code with two backticks, readers know one.
    summary, *parts = re.split(r"^## +(.+)$", text.strip().replace("``", "`"), flags=re.MULTILINE)
    sections = tuple((heading.strip(), body.strip()) for heading, body in zip(parts[::2], parts[1::2], strict=True))
    return Page(id=identifier, title=title, summary=summary.strip(), sections=sections)
