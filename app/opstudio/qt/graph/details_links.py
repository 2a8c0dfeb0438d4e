"""Names of nodes and values that lead to them, in the texts of the panel Node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication

from opstudio.model.graph.records import NodeRecord
from opstudio.model.graph.value_index import Scope, SourceKind, ValueUse
from opstudio.qt.graph.details_records import MoreTarget, NodeTarget, Span, code, words
from opstudio.qt.graph.details_source import ModelSource
from opstudio.qt.models.node_rows import scope_title

_FEW_USES, _MANY_USES = 8, 1_000


def node_span(source: ModelSource, node: NodeRecord) -> Span:
    """Return the name of a node, which leads to it."""
    row = source.nodes.find(node)
    if row is None:
        return code(node.name or node.type)
    name = node.name or f"{node.type} #{row.number}"
    return code(name, target=NodeTarget(scope=row.scope.path, node=row.number))


def use_spans(
    source: ModelSource, scope: Scope, uses: Sequence[ValueUse], expanded: frozenset[str], key: str
) -> Iterator[Span]:
    """Yield the readers of a value, which lead to them; of many the first ones."""
    most = _MANY_USES if key in expanded else _FEW_USES
    for number, use in enumerate(uses[:most]):
        if number:
            yield words(", ", "text_2")
        yield node_span(source, use.node)
        if use.scope is not scope:
            yield words(f" ({scope_title(use.scope.path)})", "text_2")
    yield from more_spans(len(uses), most, key, expanded)


def more_spans(count: int, shown: int, key: str, expanded: frozenset[str]) -> Iterator[Span]:
    """Yield what leads to the rest of many, or says that there is one."""
    if count > shown:
        if key in expanded:
            text = QCoreApplication.translate("Details", "and {0} more").format(f"{count - shown:,}")
            yield words(f"  {text}", "text_2")
        else:
            text = QCoreApplication.translate("Details", "all {0}").format(f"{count:,}")
            yield words("  ")
            yield words(text, target=MoreTarget(key=key))


def producer_spans(source: ModelSource, scope: Scope, name: str) -> Iterator[Span]:
    """Yield what makes a value."""
    translate = QCoreApplication.translate
    made = scope.source(name)
    if made is None:
        yield words(translate("Details", "nothing in the file makes it"), "bad")
    elif made.kind is SourceKind.INITIALIZER:
        yield words(translate("Details", "a constant"), "text_2")
    elif made.kind is SourceKind.INPUT or made.node is None:
        yield words(translate("Details", "an input of the graph"), "text_2")
    else:
        yield words(translate("Details", "from "), "text_2")
        yield node_span(source, made.node)
        if made.slot:
            yield words(translate("Details", ", output {0}").format(made.slot), "text_2")


def reader_spans(
    source: ModelSource, scope: Scope, name: str, expanded: frozenset[str], *, to: str = ""
) -> Iterator[Span]:
    """Yield who reads a value; ``to`` is a word before the readers."""
    translate = QCoreApplication.translate
    uses = scope.all_uses(name)
    is_output = name in scope.outputs
    if is_output:
        yield words(translate("Details", "an output of the graph"), "text_2")
    if uses:
        yield words(f", {to}" if is_output else to, "text_2")
        yield from use_spans(source, scope, uses, expanded, f"uses of {name}")
    elif not is_output:
        yield words(translate("Details", "nobody reads it"), "text_2")
