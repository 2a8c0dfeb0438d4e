"""What of a file is not as asked, in the language of the window; names of the model stay as they are."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QT_TRANSLATE_NOOP

from opstudio.model.expectation import Difference, DifferenceKind
from opstudio.qt.models.core_texts import Phrases

_SUBJECTS = (
    QT_TRANSLATE_NOOP("Export", "opset"),
    QT_TRANSLATE_NOOP("Export", "weights"),
    QT_TRANSLATE_NOOP("Export", "file"),
    QT_TRANSLATE_NOOP("Export", "axis {1} of {0}"),
    QT_TRANSLATE_NOOP("Export", "the sizes of {0}"),
)
_COUNTS = (
    QT_TRANSLATE_NOOP("Export", "1 call"),
    QT_TRANSLATE_NOOP("Export", "1 node"),
    QT_TRANSLATE_NOOP("Export", "1 input"),
    QT_TRANSLATE_NOOP("Export", "{0} calls"),
    QT_TRANSLATE_NOOP("Export", "{0} nodes"),
    QT_TRANSLATE_NOOP("Export", "{0} inputs"),
)
_SUBJECT, _ASKED, _FOUND = "subject", "asked", "found"
_WORDS: Mapping[DifferenceKind, Mapping[str, tuple[object, ...]]] = {
    DifferenceKind.OPSET: {_SUBJECT: _SUBJECTS, _FOUND: (QT_TRANSLATE_NOOP("Export", "none"),)},
    DifferenceKind.EXTERNAL_DATA: {_SUBJECT: _SUBJECTS, _ASKED: (QT_TRANSLATE_NOOP("Export", "inside the file"),)},
    DifferenceKind.INVALID: {_SUBJECT: _SUBJECTS, _ASKED: (QT_TRANSLATE_NOOP("Export", "valid ONNX"),)},
    DifferenceKind.DIMENSION_FIXED: {
        _SUBJECT: _SUBJECTS,
        _ASKED: (QT_TRANSLATE_NOOP("Export", "varies"),),
        _FOUND: (QT_TRANSLATE_NOOP("Export", "PyTorch itself refuses {0}: {1}"),),
    },
    DifferenceKind.INPUT_UNKNOWN: {_FOUND: (QT_TRANSLATE_NOOP("Export", "no inputs"),)},
    DifferenceKind.NODE_LEFT: {_ASKED: (QT_TRANSLATE_NOOP("Export", "standard nodes"),)},
    DifferenceKind.NODE_MERGED: {_ASKED: _COUNTS, _FOUND: _COUNTS},
    DifferenceKind.INPUT_COUNT: {_ASKED: _COUNTS, _FOUND: _COUNTS},
    DifferenceKind.ATTRIBUTE_MISSING: {_FOUND: (QT_TRANSLATE_NOOP("Export", "no attributes"),)},
    DifferenceKind.IMPORT_MISSING: {_FOUND: (QT_TRANSLATE_NOOP("Export", "no import"),)},
}
"""By kind and part what the studio itself says there."""
_KNOWN = {(kind, part): Phrases("Export", words) for kind, parts in _WORDS.items() for part, words in parts.items()}
_DIMENSIONS = Phrases("Export", _SUBJECTS)


def difference_texts(difference: Difference) -> tuple[str, str, str]:
    """Return what a difference is about, what was asked and what was found."""
    subject, asked, found = (
        _text(difference, part, text)
        for part, text in (
            (_SUBJECT, difference.subject),
            (_ASKED, difference.asked),
            (_FOUND, difference.found),
        )
    )
    return subject, asked, found


def dimension_text(dimension: str) -> str:
    """Return what the exporters' words for a dimension are in the window: ``axis 0 of x``."""
    return _DIMENSIONS.translated(dimension)


def _text(difference: Difference, part: str, text: str) -> str:
    phrases = _KNOWN.get((difference.kind, part))
    return text if phrases is None else phrases.translated(text)
