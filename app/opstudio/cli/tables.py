"""Aligned columns on a terminal, without lines between them."""

from __future__ import annotations

from collections.abc import Sequence

from opstudio.cli.terminal import Terminal, plain
from opstudio.cli.visible import on_one_line
from opstudio.jobs.cancel import CancelToken

_GAP = "  "


def print_table(
    terminal: Terminal,
    columns: Sequence[tuple[str, bool]],
    rows: Sequence[Sequence[str]],
    *,
    styles: Sequence[str] = (),
    indent: str = "",
    cancel: CancelToken | None = None,
) -> None:
    """Print a heading and rows.

    Args:
        terminal: where to.
        columns: the title of each column, and whether it holds numbers, which stand on the right.
        rows: a text for each column.
        styles: for each row the style of its text, empty for the usual one.
        indent: what stands before every line.
        cancel: what ends a long table.

    Raises:
        CancelledError: ``cancel`` was set before the last row was printed.
    """
    from rich.cells import cell_len

    rows = [[on_one_line(text) for text in row] for row in rows]
    widths = [max(map(cell_len, texts)) for texts in zip([title for title, _ in columns], *rows, strict=True)]

    def line(texts: Sequence[str]) -> str:
        cells = [
            " " * (width - cell_len(text)) + text if is_number else text + " " * (width - cell_len(text))
            for text, width, (_, is_number) in zip(texts, widths, columns, strict=True)
        ]
        return plain(f"{indent}{_GAP.join(cells).rstrip()}")

    terminal.out.print(f"[dim]{line([title for title, _ in columns])}[/]", soft_wrap=True)
    for index, row in enumerate(rows):
        if cancel is not None:
            cancel.check()
        style = styles[index] if index < len(styles) else ""
        terminal.out.print(f"[{style}]{line(row)}[/]" if style else line(row), soft_wrap=True)
