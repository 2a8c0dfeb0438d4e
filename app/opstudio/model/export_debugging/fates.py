"""What became of each operator that a model calls: whether it was kept, taken apart, folded or left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from opstudio.model.export_debugging.eager_records import CustomCall, SourceLine
from opstudio.model.export_debugging.lines import UserLines, stack_lines
from opstudio.model.export_debugging.origins import FileNode
from opstudio.model.export_debugging.records import Fate, OperatorFate, TracedOperator

_HELPERS = frozenset({"Constant", "Identity", "Cast"})
"""Nodes that exporters put beside any other: they do not make a call several nodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What is known of one export. ``nodes`` is ``None`` where no file was written."""

    calls: tuple[CustomCall, ...]
    traced: tuple[TracedOperator, ...]
    nodes: tuple[FileNode, ...] | None
    failed_operator: str = ""
    unused: frozenset[str] = frozenset()
    """Operators on which no output depends."""


def operator_fates(known: Findings) -> tuple[OperatorFate, ...]:
    """Return the fate of each operator: the person's own first, in the order of their calls."""
    names = list(dict.fromkeys(call.operator for call in known.calls))
    own = [_custom_fate(name, [call for call in known.calls if call.operator == name], known) for name in names]
    others = [_standard_fate(item, known) for item in known.traced if item.operator not in names]
    return (*own, *others)


def _custom_fate(name: str, calls: Sequence[CustomCall], known: Findings) -> OperatorFate:
    lines = tuple(dict.fromkeys(call.at for call in calls if call.at is not None))
    if known.nodes is None:
        failed = name == known.failed_operator
        return OperatorFate(
            operator=name,
            fate=Fate.FAILED if failed else Fate.NOT_REACHED,
            calls=len(calls),
            nodes={},
            is_custom=True,
            writes=_writes(calls),
            lines=lines,
        )
    nodes = [node for node in known.nodes if node.origin.operator == name]
    traced = next((item for item in known.traced if item.operator == name), None)
    seen_through = not nodes and traced is None
    if seen_through:
        nodes = _nodes_within(calls, known)
    custom = [node for node in nodes if node.is_custom]
    fate, reason = _fate_of(name, calls, nodes, custom, known, seen_through=seen_through)
    return OperatorFate(
        operator=name,
        fate=fate,
        calls=len(calls),
        nodes=dict(Counter(node.origin.type for node in nodes)),
        is_custom=True,
        writes=_writes(calls),
        lines=lines,
        lost=_lost(calls, custom),
        reason=reason,
    )


def _fate_of(
    name: str,
    calls: Sequence[CustomCall],
    nodes: Sequence[FileNode],
    custom: Sequence[FileNode],
    known: Findings,
    *,
    seen_through: bool,
) -> tuple[Fate, str]:
    if custom:
        merged = len(custom) < len(calls)
        return (Fate.MERGED, "equal calls are one node") if merged else (Fate.KEPT, "")
    if nodes and seen_through:
        reason = "it is composite" if calls[0].schema else "it is no operator of the dispatcher"
        return Fate.TRACED_THROUGH, f"{reason}, so that the exporter took what it computes with"
    if nodes:
        working = [node for node in nodes if node.origin.type not in _HELPERS]
        if len(working) > len(calls):
            return Fate.DECOMPOSED, ""
        return (Fate.MERGED, "equal calls share nodes") if len(working) < len(calls) else (Fate.TRANSLATED, "")
    if _writes(calls):
        return Fate.LEFT_OUT, "it writes its input and returns nothing, which the exporter does not follow"
    if name in known.unused:
        return Fate.UNUSED, "no output depends on its result"
    if any(item.operator == name for item in known.traced):
        return Fate.FOLDED, "its inputs are constants, so that its result was computed during the export"
    return Fate.LEFT_OUT, "the exporter never saw it"


def _writes(calls: Sequence[CustomCall]) -> bool:
    """Whether the schema says that the operator changes an argument: ``Tensor(a!)``."""
    return any("!" in call.schema.partition("->")[0] for call in calls)


def _standard_fate(item: TracedOperator, known: Findings) -> OperatorFate:
    if known.nodes is None:
        fate = Fate.FAILED if item.operator == known.failed_operator else Fate.NOT_REACHED
        return _standard(item, fate, {})
    nodes = [node for node in known.nodes if node.origin.operator == item.operator]
    working = [node for node in nodes if node.origin.type not in _HELPERS]
    counts = dict(Counter(node.origin.type for node in nodes))
    if not nodes:
        return _standard(item, Fate.FOLDED, counts, "it is part of another node, or of the weights")
    if len(working) > item.calls:
        return _standard(item, Fate.DECOMPOSED, counts)
    return _standard(item, Fate.MERGED if len(working) < item.calls and working else Fate.TRANSLATED, counts)


def _standard(item: TracedOperator, fate: Fate, nodes: dict[str, int], reason: str = "") -> OperatorFate:
    return OperatorFate(
        operator=item.operator,
        fate=fate,
        calls=item.calls,
        nodes=nodes,
        is_custom=False,
        lines=item.lines,
        reason=reason,
    )


def _nodes_within(calls: Sequence[CustomCall], known: Findings) -> list[FileNode]:
    """Return the nodes of what a call computes with, where the exporter never saw the call itself."""
    own = {call.operator for call in known.calls}
    lines = {(call.at.file, call.at.line) for call in calls if call.at is not None}
    bodies = {call.body for call in calls if call.body[0]}
    found = []
    for node in known.nodes or ():
        stack = stack_lines(node.stack)
        if bodies:
            # TorchScript translates a function by its own symbolic, and says of the node where it is called only.
            is_written = node.is_custom and not node.origin.operator and any(line in lines for line in stack)
            is_within = any(file == body[0] and body[1] <= line <= body[2] for body in bodies for file, line in stack)
            chosen = is_written or is_within
        else:
            chosen = any(line in lines for line in stack) and node.origin.operator not in own
        if chosen:
            found.append(node)
    return found


def _lost(calls: Sequence[CustomCall], custom: Sequence[FileNode]) -> tuple[str, ...]:
    """Return the attributes of the calls that none of the nodes has."""
    wanted = dict.fromkeys(name for call in calls for name in call.attributes)
    held = frozenset(name for node in custom for name in node.attributes)
    return tuple(name for name in wanted if name not in held) if custom else ()


def count_traced(seen: Sequence[tuple[str, str, Sequence[str]]], lines: UserLines) -> tuple[TracedOperator, ...]:
    """Return how often an exporter saw each operator, from ``(operator, stack, nodes written)``."""
    calls: Counter[str] = Counter()
    nodes: dict[str, Counter[str]] = {}
    places: dict[str, dict[SourceLine, None]] = {}
    for operator, stack, written in seen:
        calls[operator] += 1
        nodes.setdefault(operator, Counter()).update(written)
        at = lines.of_range(stack) or lines.of_trace(stack)
        if at is not None:
            places.setdefault(operator, {})[at] = None
    return tuple(
        TracedOperator(
            operator=operator, calls=count, lines=tuple(places.get(operator, ())), nodes=dict(nodes[operator])
        )
        for operator, count in calls.items()
    )
