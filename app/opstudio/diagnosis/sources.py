"""The operator's own source files, searched as text: where a thing that a rule talks about is written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opstudio.base.finding import Place
from opstudio.diagnosis.functions import blank_comments
from opstudio.diagnosis.rule import RuleContext


def source_texts(context: RuleContext, *, cuda: bool = False, headers: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the path (relative to the workspace) and the text of each source of the operator, comments blanked out.

    ``headers`` are those in the operator's own folder, behind the sources.
    """
    kernel = context.contract.kernel
    own = sorted(path.name for path in context.folder.glob("*.h*")) if headers else []
    for name in (*kernel.sources, *kernel.onnxruntime, *(kernel.cuda if cuda else ()), *own):
        path = context.folder / name
        if path.is_file():
            yield context.relative(str(path)), blank_comments(path.read_text(encoding="utf-8", errors="replace"))


def find_lines(
    context: RuleContext, pattern: str, *, cuda: bool = False, headers: bool = False
) -> list[tuple[Place, re.Match[str]]]:
    """Return every place at which a pattern matches in the operator's sources, in order."""
    found: list[tuple[Place, re.Match[str]]] = []
    for file, text in source_texts(context, cuda=cuda, headers=headers):
        for match in re.finditer(pattern, text):
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - text.rfind("\n", 0, match.start())
            found.append((Place(file=file, line=line, column=column), match))
    return found


def places_of_definition(context: RuleContext) -> list[Place]:
    """Return the lines that define the operator's schema (``m.def``), else that of its name in the contract."""
    found = find_lines(context, rf"\.\s*def\s*\(\s*\"(?:\w+::)?{context.contract.name}\b")
    return [place for place, _ in found] or [context.place_in_contract(("operator", "name"))]
