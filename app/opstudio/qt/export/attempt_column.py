"""One exporter's column: how it ended, with figures, and below why."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QTextBrowser, QToolButton

from opstudio.base.units import render_bytes, render_seconds
from opstudio.model.export_debugging.records import Attempt
from opstudio.qt.export.attempt_html import FILE_LINK, AttemptText
from opstudio.qt.export.words import attempt_mark, exporter_name, nodes_text
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget

_HEIGHT = 30
_GAP = 8
_AROUND = 16 + 16 + 2 * _GAP
"""What the icon, the margins and the gaps take of a line."""
_WIDE = 560
"""In less, the button at the end of the line goes without its name."""


class AttemptHead(TranslatedWidget):
    """A line: icon, exporter, word, nodes, size and time; at its end what opens the file in the perspective Graph."""

    graph_requested = Signal()

    def __init__(self, theme: Theme, icons: Icons) -> None:
        super().__init__()
        self._icons = icons
        self._attempt: Attempt | None = None
        self._is_doubtful = False
        self._figures = ""
        self._icon, self._name, self._state = QLabel(), QLabel(), QLabel()
        self.open_button = QToolButton()
        self.open_button.clicked.connect(self.graph_requested)
        self._name.setFont(ui_font(SMALL_PIXELS, semibold=True))
        self._state.setFont(ui_font(SMALL_PIXELS))
        self._state.setProperty("tone", "quiet")
        self._state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._state.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 6, 0)
        row.setSpacing(_GAP)
        row.addWidget(self._icon)
        row.addWidget(self._name)
        row.addWidget(self._state, 1)
        row.addWidget(self.open_button)
        self.setFixedHeight(_HEIGHT)
        icons.changed.connect(self.retranslate)
        theme.changed.connect(self.retranslate)

    @property
    def text(self) -> str:
        """What the line says, whatever there is room for."""
        return f"{self._name.text()} {self._figures}"

    def show_attempt(self, attempt: Attempt, *, is_doubtful: bool) -> None:
        """Show how an export ended; ``is_doubtful`` says that a finding speaks against its file."""
        self._attempt, self._is_doubtful = attempt, is_doubtful
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Name the button where there is room, and say what fits."""
        super().resizeEvent(event)
        is_wide = self.width() >= _WIDE
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if is_wide else Qt.ToolButtonStyle.ToolButtonIconOnly
        self.open_button.setToolButtonStyle(style)
        self._show_figures()

    def retranslate(self) -> None:
        """Set the texts."""
        attempt = self._attempt
        if attempt is None:
            return
        mark = attempt_mark(attempt, is_doubtful=self._is_doubtful)
        self._icon.setPixmap(self._icons.pixmap(mark.icon, mark.token, ratio=self.devicePixelRatioF()))
        self._name.setText(exporter_name(attempt.exporter))
        figures = [mark.word]
        if attempt.has_file:
            figures += [nodes_text(len(attempt.origins)), render_bytes(attempt.bytes)]
        if attempt.seconds:
            figures.append(render_seconds(attempt.seconds))
        self._figures = " · ".join(figures)
        self._state.setToolTip(self._figures)
        self.open_button.setText(self.tr("Open in Graph"))
        self.open_button.setToolTip(self.tr("Open the file of this exporter in the perspective Graph"))
        self.open_button.setIcon(self._icons.icon("graph"))
        self.open_button.setVisible(bool(attempt.file))
        self._show_figures()

    def _show_figures(self) -> None:
        button = self.open_button.sizeHint().width() + _GAP if not self.open_button.isHidden() else 0
        room = self.width() - self._name.sizeHint().width() - button - _AROUND
        self._state.setText(self._state.fontMetrics().elidedText(self._figures, Qt.TextElideMode.ElideRight, room))


class AttemptBody(QTextBrowser):
    """Why an export failed and where, or what its file holds."""

    place_chosen = Signal(object)
    graph_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._attempt: Attempt | None = None
        self._text: AttemptText | None = None
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(10)
        self.anchorClicked.connect(self._take_link)
        theme.changed.connect(self.refresh)

    def show_attempt(self, attempt: Attempt) -> None:
        """Show an export."""
        place = self.verticalScrollBar().value() if self._attempt is not None else 0
        self._attempt = attempt
        self.refresh()
        self.verticalScrollBar().setValue(place)

    def refresh(self) -> None:
        """Render again: in another theme, or in another language."""
        if self._attempt is not None:
            self._text = AttemptText(self._attempt, self._theme.tokens)
            self.setAccessibleName(exporter_name(self._attempt.exporter))
            self.setHtml(self._text.html)

    def _take_link(self, link: QUrl) -> None:
        if link.toString() == FILE_LINK:
            self.graph_requested.emit()
        elif self._text is not None:
            self.place_chosen.emit(self._text.places[int(link.toString())])
