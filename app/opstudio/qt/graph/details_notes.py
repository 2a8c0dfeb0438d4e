"""What the exporter wrote beside a node: the module, the lines of the program, metadata, documentation."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from opstudio.qt.graph.details_reading import NodeReading
from opstudio.qt.graph.details_records import MoreTarget, PlaceTarget, Row, Section, Span, code, words

_SHORT, _LONG = 240, 20_000


def notes_section(reading: NodeReading, expanded: frozenset[str]) -> Section | None:
    """Return the notes of a node, or ``None`` where there are none."""
    translate = QCoreApplication.translate
    rows: list[Row] = []
    if reading.problem is not None:
        rows.append(Row(spans=(words(reading.problem.title, "warn"), words(f"\n{reading.problem.fix}", "text_2"))))
    if reading.module:
        rows.append(Row(name=translate("Details", "Module"), spans=(code(reading.module),)))
    if reading.sources:
        rows.append(Row(name=translate("Details", "Source"), spans=tuple(_sources(reading))))
    rows.extend(
        Row(name=key, spans=tuple(cut_spans(value, f"note {key}", expanded)))
        for key, value in reading.notes.metadata.items()
    )
    if reading.notes.doc_string:
        spans = tuple(cut_spans(reading.notes.doc_string, "documentation", expanded))
        rows.append(Row(name=translate("Details", "Documentation"), spans=spans))
    return Section(title=translate("Details", "Notes of the exporter"), rows=tuple(rows)) if rows else None


def cut_spans(text: str, key: str, expanded: frozenset[str]) -> Iterator[Span]:
    """Yield a text; a long one is cut, and leads to the rest."""
    most = _LONG if key in expanded else _SHORT
    if len(text) <= most:
        yield code(text)
        return
    yield code(f"{text[:most]} …")
    if key not in expanded:
        yield words("  ")
        label = QCoreApplication.translate("Details", "all ({0} letters)").format(f"{len(text):,}")
        yield words(label, target=MoreTarget(key=key))


def _sources(reading: NodeReading) -> Iterator[Span]:
    for number, place in enumerate(reading.sources):
        if number:
            yield words("\n")
        yield code(str(place), target=PlaceTarget(place=place) if place in reading.found else None)
