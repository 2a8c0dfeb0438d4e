"""The menu that says what colours tell, and names each colour in words."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from opstudio.qt.graph.colouring import ColourBy, Tone
from opstudio.qt.graph.graph_view import GraphView
from opstudio.qt.graph.look import far_colours
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

_SWATCH = 12


class ColourButton(QToolButton):
    """Opens the menu. A line of the legend, when chosen, marks its nodes."""

    tone_chosen = Signal(int)

    def __init__(self, view: GraphView, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view, self._theme, self._icons = view, theme, icons
        self._menu = QMenu(self)
        self._group = QActionGroup(self)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu.aboutToShow.connect(self.fill)
        self._group.triggered.connect(self._choose)
        icons.changed.connect(self._refresh)
        self._refresh()

    def retranslate(self) -> None:
        """Set the texts; those of the menu are made when it opens."""
        self.setToolTip(self.tr("What colours tell"))
        self.setAccessibleName(self.tr("What colours tell"))

    def fill(self) -> None:
        """Write the menu."""
        self._menu.clear()
        for action in self._group.actions():
            self._group.removeAction(action)
        for by, text in (
            (ColourBy.FAMILY, self.tr("Colour by kind of operator")),
            (ColourBy.DOMAIN, self.tr("Colour by domain")),
            (ColourBy.PARTY, self.tr("Colour by who implements a node")),
        ):
            action = self._group.addAction(self._menu.addAction(text))
            action.setCheckable(True)
            action.setChecked(by is self._view.colour_by)
            action.setData(by)
        look = self._view.canvas.look
        if look is None:
            return
        self._menu.addSeparator()
        colours = far_colours(look.colouring, self._theme.tokens)
        for number, (tone, colour) in enumerate(zip(look.colouring.tones, colours, strict=True)):
            if tone.nodes or number in look.colouring.of_box:
                self._add_line(number, tone, colour)

    def _add_line(self, number: int, tone: Tone, colour: QColor) -> None:
        title = f"{tone.title}\t{tone.nodes:,}" if tone.nodes else tone.title
        line = QAction(self._swatch(colour), title, self._menu)
        line.setIconVisibleInMenu(True)
        line.setData(number)
        line.triggered.connect(self._choose_line)
        self._menu.addAction(line)

    def _choose(self, action: QAction) -> None:
        self._view.set_colour_by(action.data())

    def _choose_line(self) -> None:
        line = self.sender()
        if isinstance(line, QAction):
            self.tone_chosen.emit(int(line.data()))

    def _swatch(self, colour: QColor) -> QIcon:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(QSize(_SWATCH, _SWATCH) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(0, 0, _SWATCH, _SWATCH), 3, 3)
        return QIcon(pixmap)

    def _refresh(self) -> None:
        self.setIcon(self._icons.icon("colours"))
