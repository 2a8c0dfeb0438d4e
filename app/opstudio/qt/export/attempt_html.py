"""One exporter's export as rich text: why it failed and where, or what the file holds."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from opstudio.base.colours import Tokens
from opstudio.base.finding import Place
from opstudio.model.export_debugging.eager_records import SourceLine
from opstudio.model.export_debugging.records import Attempt
from opstudio.model.export_request import CodeLine
from opstudio.model.summary_records import TensorSummary
from opstudio.qt.export.difference_words import difference_texts, dimension_text
from opstudio.qt.export.rows import counted
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font

FILE_LINK = "file"
"""The link of the file that was written."""
_MOST_TYPES = 16
_MOST_WARNINGS = 6
_LONGEST = 1200


class AttemptText:
    """Renders an attempt. Links are the numbers of :attr:`places`, and :data:`FILE_LINK`."""

    def __init__(self, attempt: Attempt, tokens: Tokens) -> None:
        self._attempt, self._tokens = attempt, tokens
        self.places: list[Place] = []
        parts = self._file() if attempt.has_file else self._failure()
        self.html = "".join(self._section(title, content) for title, content in parts if content)

    def _failure(self) -> Iterator[tuple[str, str]]:
        record = self._attempt.record
        kind = f"{record.error_type}: " if record.error_type else ""
        yield QCoreApplication.translate("Export", "Cause"), _lines(kind + record.error)
        yield QCoreApplication.translate("Export", "Line"), self._link(record.at)
        # The deepest one is the cause itself.
        wrapped = self._attempt.causes[:-1]
        yield QCoreApplication.translate("Export", "Wrapped in"), "<br>".join(_lines(item) for item in wrapped)
        yield from self._beside()

    def _file(self) -> Iterator[tuple[str, str]]:
        types = sorted(self._attempt.node_types.items(), key=lambda item: (":" not in item[0], -item[1], item[0]))
        shown = counted(dict(types[:_MOST_TYPES]))
        more = QCoreApplication.translate("Export", " and {0} types more").format(len(types) - _MOST_TYPES)
        title = QCoreApplication.translate("Export", "Nodes by type")
        yield title, self._mono(shown + (more if len(types) > _MOST_TYPES else ""))
        summary = self._attempt.record.summary
        if summary is not None:
            yield QCoreApplication.translate("Export", "Inputs"), self._mono(_values(summary.inputs))
            yield QCoreApplication.translate("Export", "Outputs"), self._mono(_values(summary.outputs))
        yield QCoreApplication.translate("Export", "Not as asked"), "<br>".join(self._differences())
        yield QCoreApplication.translate("Export", "Fixed sizes"), "<br>".join(self._fixed())
        yield QCoreApplication.translate("Export", "File"), self._file_link()
        yield from self._beside()

    def _differences(self) -> Iterator[str]:
        said = QCoreApplication.translate("Export", "{0}: asked {1}, found {2}")
        for item in self._attempt.differences:
            yield _lines(said.format(*difference_texts(item)))

    def _fixed(self) -> Iterator[str]:
        said = QCoreApplication.translate("Export", "{0} became {1}")
        for item in self._attempt.specializations:
            became = said.format(dimension_text(item.dimension), item.value)
            yield f"{_lines(became)} {self._link(item.at)} {self._mono(item.said)}"

    def _beside(self) -> Iterator[tuple[str, str]]:
        missing = ", ".join(self._attempt.without_fake)
        yield QCoreApplication.translate("Export", "Without a Meta (fake) kernel"), self._mono(missing)
        warnings = dict.fromkeys(item.strip() for item in self._attempt.record.warnings)
        said = [_lines(item) for item in list(warnings)[:_MOST_WARNINGS]]
        yield QCoreApplication.translate("Export", "The exporter says"), "<br>".join(said)

    def _link(self, at: SourceLine | CodeLine | None) -> str:
        if at is None:
            return ""
        self.places.append(Place(file=at.file, line=at.line))
        where = Path(at.file).name + ("" if at.line is None else f":{at.line}")
        text = at.text if isinstance(at, SourceLine) else self._text_of(at)
        style = f"{_mono_style()} color:{self._tokens.accent}"
        link = f"<a href='{len(self.places) - 1}' style='{style}'>{html.escape(where)}</a>"
        return f"{link}&nbsp; {self._mono(text)}" if text else link

    def _file_link(self) -> str:
        name = html.escape(Path(self._attempt.file).name)
        return f"<a href='{FILE_LINK}' style='{_mono_style()} color:{self._tokens.accent}'>{name}</a>" if name else ""

    def _text_of(self, at: CodeLine) -> str:
        """Return the text of a line as the exporter saw it, where one of the operators was called there."""
        lines = (line for fate in self._attempt.fates for line in fate.lines)
        return next((line.text for line in lines if (line.file, line.line) == (at.file, at.line)), "")

    def _mono(self, text: str) -> str:
        return f"<span style='{_mono_style()}'>{_lines(text)}</span>" if text else ""

    def _section(self, title: str, content: str) -> str:
        head = f"margin:0; font-size:{SMALL_PIXELS}px; color:{self._tokens.text_2}"
        return f"<p style='{head}'>{html.escape(title)}</p><div style='margin:1px 0 8px 0'>{content}</div>"


def _values(values: Sequence[TensorSummary]) -> str:
    shapes = [(item.name, "" if item.shape is None else f"[{', '.join(map(str, item.shape))}]") for item in values]
    return ", ".join(f"{name}{shape}" for name, shape in shapes[:_MOST_TYPES])


def _lines(text: str) -> str:
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
    return html.escape(shown).replace("\n", "<br>")


def _mono_style() -> str:
    return f'font-family:"{mono_font().family()}"; font-size:{SMALL_PIXELS + 0.5}px;'
