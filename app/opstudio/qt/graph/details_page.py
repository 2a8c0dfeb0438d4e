"""The details of one thing as widgets: a title, then sections, one below another, each with a button that copies it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget

from opstudio.qt.graph.details_histogram import Histogram
from opstudio.qt.graph.details_html import section_html
from opstudio.qt.graph.details_records import Details, Section, Target
from opstudio.qt.graph.details_text import DetailsText
from opstudio.qt.theme.fonts import SMALL_PIXELS, TITLE_PIXELS, mono_font, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget
from opstudio.qt.widgets.wrapped_text import WrappedText


class DetailsPage(QScrollArea):
    """Shows details. Widgets are kept from one thing to the next, so that nothing flickers and nothing jumps."""

    target_chosen = Signal(object)
    """Where a link of a text leads."""

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self._details: Details | None = None
        self._sections: list[SectionView] = []
        # Names come from files of others: none is rich text, and some are longer than any panel is wide.
        self._title = WrappedText("", ui_font(TITLE_PIXELS, semibold=True))
        self._name = WrappedText("", mono_font(SMALL_PIXELS))
        content = QWidget()
        content.setAutoFillBackground(True)
        content.setBackgroundRole(content.palette().ColorRole.Base)
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(12, 10, 8, 12)
        self._column.setSpacing(2)
        self._column.addWidget(self._title)
        self._column.addWidget(self._name)
        self._column.addStretch(1)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(content)
        theme.changed.connect(self._recolour)

    @property
    def details(self) -> Details | None:
        """What is shown."""
        return self._details

    @property
    def sections(self) -> tuple[SectionView, ...]:
        """The sections that are shown."""
        return tuple(view for view in self._sections if not view.isHidden())

    def show_details(self, details: Details) -> None:
        """Show these; of another thing from its top."""
        is_same = self._details is not None and (self._details.title, self._details.name) == (
            details.title,
            details.name,
        )
        self._details = details
        self._title.setPlainText(details.title)
        self._title.updateGeometry()
        self._title.setStyleSheet(f"color: {getattr(self._theme.tokens, details.tone)}")
        self._name.setPlainText(details.name)
        self._name.setVisible(bool(details.name))
        while len(self._sections) < len(details.sections):
            self._add_section()
        for view, section in zip(self._sections, details.sections, strict=False):
            view.show_section(section)
        for view in self._sections[len(details.sections) :]:
            view.hide()
        if not is_same:
            self.verticalScrollBar().setValue(0)

    def _add_section(self) -> None:
        view = SectionView(self._theme, self._icons)
        view.target_chosen.connect(self.target_chosen)
        self._sections.append(view)
        self._column.insertWidget(self._column.count() - 1, view)

    def _recolour(self) -> None:
        if self._details is not None:
            self.show_details(self._details)


class SectionView(TranslatedWidget):
    """A section: its title, its button, its text, and the picture of a distribution."""

    target_chosen = Signal(object)

    def __init__(self, theme: Theme, icons: Icons) -> None:
        super().__init__()
        self._theme, self._icons = theme, icons
        self._section: Section | None = None
        self._targets: tuple[Target, ...] = ()
        self._title, self._copy = QLabel(), QToolButton()
        self._text, self._histogram = DetailsText(), Histogram(theme)
        self._title.setFont(ui_font(SMALL_PIXELS, semibold=True))
        self._title.setProperty("tone", "quiet")
        self._copy.setAutoRaise(True)
        self._copy.clicked.connect(self.copy)
        self._text.link_chosen.connect(self._take_link)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self._title, 1)
        head.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self._text)
        column.addWidget(self._histogram)
        self._histogram.hide()
        icons.changed.connect(self.retranslate)
        self.retranslate()

    @property
    def section(self) -> Section | None:
        """What is shown."""
        return self._section

    @property
    def text(self) -> DetailsText:
        """The widget of the text."""
        return self._text

    @property
    def histogram(self) -> Histogram:
        """The widget of the distribution."""
        return self._histogram

    def retranslate(self) -> None:
        """Set the texts."""
        self._copy.setIcon(self._icons.icon("copy"))
        self._copy.setToolTip(self.tr("Copy this section"))
        self._copy.setAccessibleName(self.tr("Copy this section"))

    def show_section(self, section: Section) -> None:
        """Show another section."""
        self._section = section
        text, self._targets = section_html(section, self._theme.tokens)
        self._title.setText(section.title)
        self._text.show_html(text)
        self._text.setAccessibleName(section.title)
        self._histogram.show_statistics(section.statistics, is_whole=section.is_whole)
        self.show()

    def copy(self) -> None:
        """Put the section on the clipboard, with tabs between names and values."""
        if self._section is not None:
            QGuiApplication.clipboard().setText(self._section.text)

    def _take_link(self, number: int) -> None:
        self.target_chosen.emit(self._targets[number])
