"""A ratchet on the size of files and functions: what exceeds a budget is listed with its size and may only shrink."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "app"
FILE_LINES = 500
FUNCTION_LINES = 60

EXCEPTIONS: dict[str, int] = {}
"""Path of a file, or path::function, and its present number of lines."""


def sizes_over_budget() -> Iterator[tuple[str, int]]:
    """Yield what is over its budget, with its size."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(SOURCE).as_posix()
        if (lines := len(text.splitlines())) > FILE_LINES:
            yield name, lines
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES:
                    yield f"{name}::{node.name}", lines


def test_that_no_file_and_no_function_exceeds_its_budget() -> None:
    assert dict(sizes_over_budget()) == EXCEPTIONS
