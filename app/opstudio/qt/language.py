"""The language of the window: the system's, or the one that the person chose; switched while the window is open."""

from __future__ import annotations

import enum

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator, Signal
from PySide6.QtWidgets import QApplication

from opstudio.base.assets import asset_root


class LanguageChoice(enum.StrEnum):
    """What the person chose. The texts are written in English and translated from there."""

    SYSTEM = "system"
    ENGLISH = "en"
    CHINESE = "zh_CN"


class Language(QObject):
    """Puts translations on the application. Qt then tells every widget, which fetches its texts again."""

    changed = Signal()
    """All widgets have been told; what is no widget fetches its texts now."""

    def __init__(self, application: QApplication, choice: LanguageChoice = LanguageChoice.SYSTEM) -> None:
        super().__init__(application)
        self._application = application
        self._choice = choice
        self._translators: list[QTranslator] = []
        self._apply()

    @property
    def choice(self) -> LanguageChoice:
        """What the person chose."""
        return self._choice

    @property
    def in_force(self) -> LanguageChoice:
        """The language that is shown: never ``SYSTEM``."""
        if self._choice is not LanguageChoice.SYSTEM:
            return self._choice
        is_chinese = QLocale.system().language() is QLocale.Language.Chinese
        return LanguageChoice.CHINESE if is_chinese else LanguageChoice.ENGLISH

    def choose(self, choice: LanguageChoice) -> None:
        """Change the language."""
        before = self.in_force
        self._choice = choice
        if self.in_force is not before:
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        for translator in self._translators:
            self._application.removeTranslator(translator)
            translator.deleteLater()
        self._translators = []
        language = self.in_force
        # Dates are written as the texts around them.
        QLocale.setDefault(QLocale(language.value))
        if language is LanguageChoice.ENGLISH:
            return
        ours = str(asset_root("resources") / "translations")
        qts = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for name, folder in (("qtbase", qts), ("opstudio", ours)):
            translator = QTranslator(self)
            if translator.load(f"{name}_{language.value}", folder):
                self._application.installTranslator(translator)
                self._translators.append(translator)
