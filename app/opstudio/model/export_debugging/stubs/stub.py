"""A stub before it is text, and how several of one kind become one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from opstudio.model.export_debugging.records import Stub, StubKind
from opstudio.model.export_debugging.signature import Signature
from opstudio.model.export_request import Exporter


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A stub for one operator. ``code`` stands on its own below ``imports``; ``end`` comes once, after all of them.

    ``entry`` is what a table of translations gets.
    """

    kind: StubKind
    signature: Signature
    exporter: Exporter | None
    imports: tuple[str, ...]
    code: tuple[str, ...]
    entry: str = ""
    todo: tuple[str, ...] = field(default=())


def render(drafts: Sequence[Draft], end: Sequence[str] = ()) -> Stub:
    """Return several stubs of one kind as one text."""
    first = drafts[0]
    imports = sorted({line for draft in drafts for line in draft.imports}, key=lambda line: line.split()[1])
    blocks = [list(draft.code) for draft in drafts]
    lines = [*imports]
    for block in [*blocks, *([list(end)] if end else [])]:
        lines += ["", "", *block]
    todo = [text for draft in drafts for text in (*_of_others(draft.signature), *draft.todo)]
    return Stub(
        kind=first.kind,
        operators=tuple(draft.signature.qualified_name for draft in drafts),
        exporter=first.exporter,
        text="\n".join(lines) + "\n",
        todo="; ".join(dict.fromkeys(todo)),
    )


def _of_others(signature: Signature) -> list[str]:
    """Say which arguments no node can have."""
    names = [item.name for item in signature.others]
    return (
        [f"{signature.qualified_name}: no attribute can hold {', '.join(names)}; the node goes without"]
        if names
        else []
    )
