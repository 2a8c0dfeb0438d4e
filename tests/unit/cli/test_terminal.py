"""What of foreign texts reaches a terminal: nothing that steers it, and no line that passes for ours."""

from __future__ import annotations

import io
import json

import pytest

from opstudio.base.finding import Finding, Place, Severity
from opstudio.cli.tables import print_table
from opstudio.cli.terminal import Terminal

HOSTILE = "a\x1b[31m\x1b]0;title\x07\r\nerror\x7f\x9b2J\u202eb\x00"
"""A colour, a title of the window, a line of its own, C1's way to begin a sequence, text turned around."""
SHOWN = r"a\x1b[31m\x1b]0;title\x07\r\nerror\x7f\x9b2J\u202eb\x00"


def finding(text: str) -> Finding:
    return Finding(
        id="MOD004",
        stage="graph",
        severity=Severity.ERROR,
        title=text,
        cause=text,
        fix=text,
        places=(Place(file="m.onnx", node=text),),
    )


def steering(text: str) -> list[str]:
    return [sign for sign in text if sign != "\n" and (ord(sign) < 0x20 or 0x7F <= ord(sign) <= 0x9F)]


def test_that_a_finding_shows_control_characters_and_obeys_none() -> None:
    output = io.StringIO()
    Terminal(as_json=False, output=output).show_findings([finding(HOSTILE)])
    lines = output.getvalue().splitlines()
    assert (steering(output.getvalue()), "\u202e" in output.getvalue()) == ([], False)
    assert lines[0] == f"error MOD004 {SHOWN}"
    assert lines[1].endswith(f"node {SHOWN}")


def test_that_a_cause_of_several_lines_cannot_pass_for_a_line_of_the_studio() -> None:
    output = io.StringIO()
    Terminal(as_json=False, output=output).show_findings([finding("first\naccepted  it takes the model")])
    beginnings = {line.split()[0] for line in output.getvalue().splitlines() if not line.startswith(" ")}
    assert beginnings == {"error"}
    assert "        accepted  it takes the model" in output.getvalue().splitlines()


def test_that_cells_of_tables_stay_in_their_lines_and_columns() -> None:
    output = io.StringIO()
    rows = [(HOSTILE, "1"), ("short", "22")]
    print_table(Terminal(as_json=False, output=output), [("name", False), ("n", True)], rows)
    lines = output.getvalue().splitlines()
    assert (len(lines), len({len(line) for line in lines})) == (3, 1)
    assert lines[1] == f"{SHOWN}   1"


@pytest.mark.parametrize("name", [HOSTILE, "中 and é"])
def test_that_a_document_says_every_text_exactly_without_a_control_character(name: str) -> None:
    output = io.StringIO()
    Terminal(as_json=True, output=output).document("graph", {"name": name})
    assert json.loads(output.getvalue())["name"] == name
    assert steering(output.getvalue()) == []


def test_that_of_very_many_findings_the_first_are_shown_and_the_others_counted() -> None:
    output = io.StringIO()
    Terminal(as_json=False, output=output).show_findings(finding(str(number)) for number in range(1234))
    lines = output.getvalue().splitlines()
    assert sum(line.startswith("error MOD004") for line in lines) == 100
    assert lines[-1] == "… and 1,134 more; --json has all of them"
