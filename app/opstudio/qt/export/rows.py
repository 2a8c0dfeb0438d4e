"""An explanation as rows of tables: operators and what was asked with both exporters, nodes for each of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from opstudio.base.finding import Place
from opstudio.model.expectation import DifferenceKind
from opstudio.model.export_debugging.eager_records import SourceLine
from opstudio.model.export_debugging.records import Attempt, ExportExplanation, NodeOrigin, OperatorFate
from opstudio.model.export_request import Exporter
from opstudio.qt.export.difference_words import difference_texts
from opstudio.qt.export.row_table import Cell, Row
from opstudio.qt.export.words import exporter_name, fate_mark

COUNT_COLUMNS = frozenset({1})
"""Where the rows of operators have numbers."""
_KEPT, _LOST = ("good", "good"), ("bad", "bad")


def operator_titles() -> tuple[str, ...]:
    """Return the titles of the columns of operators."""
    return (
        QCoreApplication.translate("Export", "Operator"),
        QCoreApplication.translate("Export", "Calls"),
        *map(exporter_name, Exporter),
        QCoreApplication.translate("Export", "Lost attributes"),
        QCoreApplication.translate("Export", "Line"),
    )


def operator_rows(explanation: ExportExplanation) -> list[Row]:
    """Return a row for each operator that one of the exporters saw, custom ones first."""
    fates: dict[str, dict[Exporter, OperatorFate]] = {}
    for attempt in explanation.attempts:
        for fate in attempt.fates:
            fates.setdefault(fate.operator, {})[attempt.exporter] = fate
    ordered = sorted(fates.values(), key=lambda found: not any(fate.is_custom for fate in found.values()))
    return [_operator_row(found) for found in ordered]


def node_titles() -> tuple[str, ...]:
    """Return the titles of the columns of nodes."""
    return (
        QCoreApplication.translate("Export", "Node"),
        QCoreApplication.translate("Export", "PyTorch operator"),
        QCoreApplication.translate("Export", "Module"),
        QCoreApplication.translate("Export", "Line"),
    )


def node_rows(attempt: Attempt) -> list[Row]:
    """Return a row for each node of a file."""
    # A line leads many nodes to the same cell.
    lines: dict[SourceLine | None, Cell] = {}
    return [_node_row(origin, lines) for origin in attempt.origins]


def request_titles() -> tuple[str, ...]:
    """Return the titles of the columns of what was asked."""
    return (
        QCoreApplication.translate("Export", "What"),
        QCoreApplication.translate("Export", "Asked"),
        *map(exporter_name, Exporter),
        QCoreApplication.translate("Export", "Line"),
    )


def request_rows(explanation: ExportExplanation) -> list[Row]:
    """Return a row for the opset, each dimension that is to vary, each difference, and each shape that is wrong."""
    found: dict[tuple[str, str], dict[Exporter, Cell]] = {}
    places: dict[tuple[str, str], SourceLine] = {}
    for attempt in explanation.attempts:
        for subject, asked, cell, at in _request_cells(attempt):
            found.setdefault((subject, asked), {})[attempt.exporter] = cell
            if at is not None:
                places.setdefault((subject, asked), at)
    written = {attempt.exporter for attempt in explanation.attempts if attempt.has_file}
    return [_request_row(key, cells, places.get(key), written) for key, cells in found.items()]


def place_of(at: SourceLine | None) -> Place | None:
    """Return the place of a line."""
    return None if at is None else Place(file=at.file, line=at.line)


def line_cell(at: SourceLine | None) -> Cell:
    """Return a cell that leads to a line."""
    if at is None:
        return Cell()
    where = Path(at.file).name + ("" if at.line is None else f":{at.line}")
    full = at.file if at.line is None else f"{at.file}:{at.line}"
    return Cell(text=where, tone="accent", tip=f"{full}\n{at.text}" if at.text else full, number=at.line)


def counted(nodes: Mapping[str, int]) -> str:
    """Return how many nodes of which types: ``2 × Mul, Add``."""
    return ", ".join(name if count == 1 else f"{count:,} × {name}" for name, count in nodes.items())


def _operator_row(fates: Mapping[Exporter, OperatorFate]) -> Row:
    first = next(iter(fates.values()))
    lines = next((fate.lines for fate in fates.values() if fate.lines), ())
    calls = max(fate.calls for fate in fates.values())
    lost = tuple(dict.fromkeys(name for fate in fates.values() for name in fate.lost))
    return Row(
        cells=(
            Cell(text=first.operator, tone="custom" if first.is_custom else "text"),
            Cell(text=f"{calls:,}", tone="text_2", number=calls),
            *(_fate_cell(fates.get(exporter)) for exporter in Exporter),
            Cell(text=", ".join(lost), tone="bad", icon="bad" if lost else ""),
            _lines_cell(lines),
        ),
        place=place_of(lines[0]) if lines else None,
    )


def _lines_cell(lines: Sequence[SourceLine]) -> Cell:
    if not lines:
        return Cell()
    first = line_cell(lines[0])
    more = f" +{len(lines) - 1}" if len(lines) > 1 else ""
    tip = "\n".join(line_cell(line).tip for line in lines)
    return Cell(text=f"{first.text}{more}", tone=first.tone, tip=tip, number=first.number)


def _fate_cell(fate: OperatorFate | None) -> Cell:
    if fate is None:
        return Cell(text="–", tone="text_2", tip=QCoreApplication.translate("Export", "It meets no such operator"))
    mark = fate_mark(fate.fate, is_custom=fate.is_custom)
    nodes = counted(fate.nodes)
    text = f"{mark.word}: {nodes}" if nodes else mark.word
    return Cell(text=text, tone=mark.token, icon=mark.icon, tip=f"{text}\n{fate.reason}" if fate.reason else text)


def _node_row(origin: NodeOrigin, lines: dict[SourceLine | None, Cell]) -> Row:
    line = lines.get(origin.at)
    if line is None:
        line = lines[origin.at] = line_cell(origin.at)
    added = QCoreApplication.translate("Export", "added by the exporter")
    return Row(
        cells=(
            Cell(text=origin.type, tone="custom" if ":" in origin.type else "text", tip=origin.node),
            Cell(text=origin.operator or added, tone="text" if origin.operator else "text_2"),
            Cell(text=origin.module, tone="text_2"),
            line,
        ),
        place=place_of(origin.at),
    )


def _request_cells(attempt: Attempt) -> Iterator[tuple[str, str, Cell, SourceLine | None]]:
    """Yield what was asked of one exporter, and what came of it."""
    opset = attempt.record.request.opset
    if attempt.record.summary is not None:
        got = attempt.record.summary.imports.get("", 0)
        yield QCoreApplication.translate("Export", "opset"), str(opset), _found(str(got), is_right=got == opset), None
    else:
        yield QCoreApplication.translate("Export", "opset"), str(opset), _no_file(), None
    axis = QCoreApplication.translate("Export", "axis {1} of {0}")
    for item in attempt.dimensions:
        because = item.because[0] if item.because else None
        cell = _found(item.found, is_right=item.is_kept) if item.found else _no_file()
        if because is not None:
            fixed = QCoreApplication.translate("Export", "fixed to {0} by {1}").format(because.value, because.said)
            cell = Cell(text=cell.text, tone=cell.tone, icon=cell.icon, tip=fixed)
        yield axis.format(item.input, item.axis), item.asked, cell, None if because is None else because.at
    told = {f"axis {item.axis} of {item.input}" for item in attempt.dimensions}
    for difference in attempt.differences:
        if difference.kind is not DifferenceKind.OPSET and difference.subject not in told:
            subject, asked, found = difference_texts(difference)
            yield subject, asked, _found(found, is_right=False), None
    shape = QCoreApplication.translate("Export", "shape of {0}")
    missing = QCoreApplication.translate("Export", "none")
    for fault in attempt.shape_faults:
        yield shape.format(fault.value), fault.expected, _found(fault.found or missing, is_right=False), None


def _found(text: str, *, is_right: bool) -> Cell:
    icon, tone = _KEPT if is_right else _LOST
    return Cell(text=text, tone=tone, icon=icon)


def _no_file() -> Cell:
    return Cell(text=QCoreApplication.translate("Export", "no file"), tone="text_2", icon="not_run")


def _request_row(
    key: tuple[str, str], cells: Mapping[Exporter, Cell], at: SourceLine | None, written: Collection[Exporter]
) -> Row:
    """Return a row; an exporter that says nothing of it did as asked, if it wrote a file."""
    subject, asked = key
    silent = {exporter: _found(asked, is_right=True) if exporter in written else _no_file() for exporter in Exporter}
    return Row(
        cells=(
            Cell(text=subject),
            Cell(text=asked, tone="text_2"),
            *(cells.get(exporter, silent[exporter]) for exporter in Exporter),
            line_cell(at),
        ),
        place=place_of(at),
    )
