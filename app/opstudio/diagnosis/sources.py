"""The operator's own source files, searched as text: where a thing that a rule talks about is written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opstudio.base.finding import Place
from opstudio.diagnosis.rule import RuleContext


def source_texts(context: RuleContext, *, cuda: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the path (relative to the workspace) and the text of each source of the operator, comments blanked out."""
    kernel = context.contract.kernel
    for name in (*kernel.sources, *kernel.onnxruntime, *(kernel.cuda if cuda else ())):
        path = context.folder / name
        if path.is_file():
            yield context.relative(str(path)), blank_comments(path.read_text(encoding="utf-8", errors="replace"))


def find_lines(context: RuleContext, pattern: str, *, cuda: bool = False) -> list[tuple[Place, re.Match[str]]]:
    """Return every place at which a pattern matches in the operator's sources, in order."""
    found: list[tuple[Place, re.Match[str]]] = []
    for file, text in source_texts(context, cuda=cuda):
        for match in re.finditer(pattern, text):
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - text.rfind("\n", 0, match.start())
            found.append((Place(file=file, line=line, column=column), match))
    return found


def blank_comments(text: str) -> str:
    """Replace C++ comments by spaces, so that positions stay; strings are left alone."""

    def blank(match: re.Match[str]) -> str:
        whole = match[0]
        return whole if whole[0] in "\"'" else re.sub(r"[^\n]", " ", whole)

    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.DOTALL)
