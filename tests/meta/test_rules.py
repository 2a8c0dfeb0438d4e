"""Every rule has a page, an id of its own and a seeded fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opstudio.base.discovery import discover
from opstudio.cli.main import main
from opstudio.diagnosis.engine import all_rules
from opstudio.diagnosis.rule import Rule
from opstudio.workflows.explain import find_page

FAULTS = Path(__file__).resolve().parents[1] / "faults"
HEADINGS = ["What it finds", "Why it happens", "How to fix", "Source"]
FAMILIES = {
    "BLD": "build",
    "CON": "contract",
    "EXP": "export",
    "MOD": "model",
    "NUM": "numbers",
    "ORT": "load",
    "PRF": "speed",
    "REF": "reference",
    "REG": "register",
    "REL": "release",
    "RUN": "run",
}


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_that_a_rule_has_a_page_that_explains_it(rule: Rule) -> None:
    page = find_page(rule.id)

    assert [heading for heading, _ in page.sections] == HEADINGS
    assert all(text for _, text in page.sections)
    assert page.title == rule.title
    assert page.summary.endswith(".")


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_that_a_rule_stands_in_the_file_of_its_id(rule: Rule) -> None:
    module = rule.check.__module__.split(".")

    assert module[-1].startswith(f"{rule.id.lower()}_")
    assert module[-2] == FAMILIES[rule.id[:3]]


def test_that_no_id_is_used_twice() -> None:
    rules = discover("opstudio.diagnosis.rules", "RULE", Rule).manifests

    ids = [rule.id for rule in rules]
    assert len(ids) > 50
    assert sorted(ids) == sorted(set(ids))


def test_that_every_rule_has_a_seeded_fault() -> None:
    seeded = {
        identifier
        for path in (*FAULTS.rglob("test_*.py"), *FAULTS.rglob("seeded_*.py"))
        for identifier in re.findall(r"\b[A-Z]{3}\d{3}\b", path.read_text(encoding="utf-8"))
    }

    assert [rule.id for rule in all_rules() if rule.id not in seeded] == []


def test_that_no_page_has_two_blank_lines_in_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    identifiers = [rule.id for rule in all_rules()]
    assert main(["explain", *identifiers]) == 0
    printed = capsys.readouterr().out
    assert all(identifier in printed for identifier in identifiers)
    assert re.search(r"\n[ \t]*\n[ \t]*\n", printed) is None
