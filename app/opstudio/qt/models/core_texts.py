"""Texts that the core writes in English, in the language of the window.

The core knows no languages, and the terminal prints the same texts. Translators know some of them as a whole; others
have names and numbers in them and are known by their frames, such as ``Nodes of {0}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

_PLACE = re.compile(r"\\{(\d)\\}")
_COMMA = ", "


class Phrases:
    """Texts and frames of one context of the translations. What is not among them stays as it is."""

    def __init__(self, context: str, sources: Iterable[object]) -> None:
        """Take the English texts, each marked with ``QT_TRANSLATE_NOOP(context, …)``; frames are tried in order."""
        self._context = context
        known = [str(source) for source in sources]
        self._whole = frozenset(source for source in known if "{0}" not in source)
        self._frames = [(source, _pattern(source)) for source in known if "{0}" in source]

    def translated(self, text: str) -> str:
        """Return a text in the language of the window, and what stands in its frame as well, where that is known."""
        if text in self._whole:
            return QCoreApplication.translate(self._context, text)
        for source, pattern in self._frames:
            found = pattern.fullmatch(text)
            if found is not None:
                parts = {int(name[1:]): self.translated(part) for name, part in found.groupdict().items()}
                frame = QCoreApplication.translate(self._context, source)
                return frame.format(*(parts[number] for number in sorted(parts)))
        return text

    def listed(self, text: str) -> str:
        """Return a list with commas, each item in the language of the window."""
        return _COMMA.join(map(self.translated, text.split(_COMMA)))


def _pattern(source: str) -> re.Pattern[str]:
    """Return what texts of a frame look like; the last place takes all that is left."""
    return re.compile(_PLACE.sub(r"(?P<_\1>.+?)", re.escape(source)), re.DOTALL)
