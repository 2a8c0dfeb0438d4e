"""The base of widgets that show texts of their own."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget


class TranslatedWidget(QWidget):
    """Fetches its texts again whenever the language changes. Subclasses also call :meth:`retranslate` when made."""

    def retranslate(self) -> None:
        """Set every text that the widget shows of its own accord."""

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
