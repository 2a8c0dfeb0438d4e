"""The difference of two models as it is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from opstudio.cli.command import ExitCode, Invocation
from opstudio.cli.terminal import Terminal, plain_line

if TYPE_CHECKING:
    from opstudio.model.comparison.records import Change, ModelDifference, NodeChange, NodeEntry

_MOST_ROWS = 20
"""Entries of one group that are printed for people."""
_MOST_CHANGES = 6
_MOST_IN_DOCUMENT = 1000
_LONGEST = 80
_TITLES = {
    "head": "File",
    "imports": "Imports",
    "metadata": "Metadata",
    "inputs": "Inputs",
    "outputs": "Outputs",
    "functions": "Functions",
    "weights": "Weights",
    "added_nodes": "Nodes that only the second has",
    "removed_nodes": "Nodes that only the first has",
    "changed_nodes": "Nodes that changed",
    "renamed_nodes": "Nodes with another name",
    "renamed_weights": "Weights with another name",
}


def show_difference(invocation: Invocation, first: Path, second: Path, *, all_values: bool) -> ExitCode:
    """Print what differs between two models; no runtime is asked.

    Raises:
        InputError: one of the files is no model or damaged.
        CancelledError: the person ended the work.
    """
    from opstudio.model.comparison.model_comparison import compare_models
    from opstudio.model.comparison.records import difference_document
    from opstudio.model.graph.reader import read_model

    terminal = invocation.terminal
    with terminal.busy("comparing the models"):
        models = read_model(first), read_model(second)
        difference = compare_models(*models, all_values=all_values, checkpoint=invocation.cancel.check)
    _print(terminal, first, second, difference)
    document = difference_document(difference, most=_MOST_IN_DOCUMENT)
    terminal.document("graph", {"file": str(first), "against": str(second), "difference": document, "findings": []})
    return ExitCode.GOOD if difference.is_empty else ExitCode.BAD


def _print(terminal: Terminal, first: Path, second: Path, difference: ModelDifference) -> None:
    out = terminal.out
    out.print(f"[red]−[/] {plain_line(str(first))}\n[green]+[/] {plain_line(str(second))}")
    for name, entries in difference.groups():
        if not entries:
            continue
        out.print(f"[bold]{_TITLES[name]}[/]  {len(entries):,}")
        absent = "no name" if name == "renamed_nodes" else ""
        for line in _lines(entries[:_MOST_ROWS], absent):
            out.print(f"  {line}", soft_wrap=True)
        if len(entries) > _MOST_ROWS:
            out.print(f"  [dim]… and {len(entries) - _MOST_ROWS:,} more[/]")
    if not difference.weights_compared:
        out.print("[dim]Large weights were compared by type and shape only; --weights compares their values[/]")
    if difference.is_empty:
        out.print(f"[green]same[/]  no difference in structure; nodes in both: {difference.matched:,}")
    else:
        out.print(f"[red]different[/]  nodes in both: {difference.matched:,}")


def _lines(entries: Iterable[Change | NodeEntry | NodeChange], absent: str) -> Iterator[str]:
    """Yield what is printed of each; ``absent`` stands for what is not there, and empty says so in words."""
    from opstudio.model.comparison.records import NodeChange, NodeEntry

    for entry in entries:
        if isinstance(entry, NodeEntry):
            yield plain_line(f"{'/'.join((*entry.path, entry.name))}  {entry.operator}")
        elif isinstance(entry, NodeChange):
            yield plain_line(f"{'/'.join((*entry.path, entry.name))}  {entry.operator}")
            for change in entry.changes[:_MOST_CHANGES]:
                yield f"  {_change(change, absent)}"
            if len(entry.changes) > _MOST_CHANGES:
                yield f"  [dim]… and {len(entry.changes) - _MOST_CHANGES} more[/]"
        else:
            yield _change(entry, absent)


def _change(change: Change, absent: str) -> str:
    before, after = _text(change.before or absent), _text(change.after or absent)
    if not before:
        return f"{plain_line(change.name)}: [green]{plain_line(after)}[/] is new"
    if not after:
        return f"{plain_line(change.name)}: [red]{plain_line(before)}[/] is gone"
    return f"{plain_line(change.name)}: [red]{plain_line(before)}[/] → [green]{plain_line(after)}[/]"


def _text(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
