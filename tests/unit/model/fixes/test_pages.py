"""Each fix says what it does, when it is offered, what it changes and what it leaves alone."""

from __future__ import annotations

import pytest

from opstudio.model.fixes.registry import all_fixes
from opstudio.workflows.explain import find_page


@pytest.mark.parametrize("identifier", all_fixes())
def test_that_a_fix_has_a_page_of_its_own_words(identifier: str) -> None:
    page = find_page(identifier)
    headings = [heading for heading, _ in page.sections]
    assert headings == ["When it is offered", "What it changes", "What it never touches", "How to apply it"]
    assert all(text.endswith(".") for _, text in page.sections)
    assert page.summary.endswith(".")
    assert page.title == all_fixes()[identifier].title
    assert f"--apply '{identifier}" in page.sections[-1][1]


def test_that_no_two_fixes_say_the_same() -> None:
    texts = [find_page(name).summary for name in all_fixes()]
    assert len(set(texts)) == len(texts) > 10
