"""The middle of the perspective Graph: the picture of the open model, the line above it, and what stands there else."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLabel, QStackedLayout, QVBoxLayout, QWidget

from opstudio.base.errors import StudioError
from opstudio.qt.graph.canvas_menu import CanvasMenu
from opstudio.qt.graph.graph_actions import GraphActions
from opstudio.qt.graph.graph_bar import GraphBar
from opstudio.qt.graph.graph_search import GraphSearch
from opstudio.qt.graph.graph_session import GraphState
from opstudio.qt.graph.graph_view import GraphView
from opstudio.qt.graph.picture_files import draw_image, save_png, save_svg
from opstudio.qt.graph.zoom_bar import ZoomBar
from opstudio.qt.panel import Panel, PanelContext, PanelState
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.widgets.state_page import StatePage
from opstudio.qt.widgets.veil import Veil

_BUSY_MS = 300
"""What takes no longer is done without a word."""
_TICK_MS = 500
_MARGIN = 12
_SVG, _PNG = ".svg", ".png"


class GraphPage(Panel):
    """Shows the graph, or why there is none."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context, self._session = context, context.graph
        self.view = GraphView(context.graph, context.theme, context.icons)
        self.actions_ = GraphActions(context.actions, self.view.canvas)
        self.bar = GraphBar(context.graph, self.view, self.actions_, context.theme, context.icons)
        self.search = GraphSearch(context.graph, self.view, self.bar.search)
        self._veil = Veil(self.view.canvas, context.theme)
        self.zoom = ZoomBar(self.view.canvas, self.actions_)
        self._busy = QLabel(self.view.canvas)
        self._busy.setFont(ui_font(SMALL_PIXELS))
        self._busy.setProperty("look", "card")
        self._busy.setContentsMargins(10, 6, 10, 6)
        self._busy.move(_MARGIN, _MARGIN)
        self._busy.hide()
        self._state_page = StatePage(context.icons)
        self._menu = CanvasMenu(context.graph, self.actions_, self._go_to_box)
        self._tick = QTimer(self)
        self._tick.timeout.connect(self._show_busy)
        self._pages = self._lay_out()
        self.setFocusProxy(self.view.canvas)
        self._connect()
        self.retranslate()

    @property
    def panel_state(self) -> PanelState:
        """What the page shows now."""
        if self._session.state is GraphState.FAILING:
            return PanelState.FAILING
        if self._session.state is GraphState.READING or self._session.is_placing:
            return PanelState.BUSY
        return PanelState.EMPTY if self._session.state is GraphState.EMPTY else PanelState.READY

    @property
    def busy_text(self) -> str:
        """What is said while the picture is not ready; empty for the first moments."""
        return "" if self._busy.isHidden() else self._busy.text()

    def retranslate(self) -> None:
        """Set the texts."""
        self.view.canvas.setAccessibleName(self.tr("Graph of the model"))
        self._show_state()

    def focus_content(self) -> None:
        """Take the keyboard."""
        self.view.canvas.setFocus()

    def focus_search(self) -> None:
        """Take the keyboard to the search."""
        self.bar.search.field.setFocus()
        self.bar.search.field.selectAll()

    def choose_model(self) -> None:
        """Ask for a model file and open it."""
        folder = self._session.path.parent if self._session.path is not None else self._context.workspace.root
        models, everything = self.tr("Models"), self.tr("All files")
        kinds = f"{models} (*.onnx *.ort);;{everything} (*)"
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Open a model"), str(folder), kinds)
        if chosen:
            self._session.open(Path(chosen))

    def choose_picture_file(self) -> None:
        """Ask where the picture is to be saved, and save it."""
        path = self._session.path
        if path is None:
            return
        drawing, image = self.tr("Drawing"), self.tr("Image")
        kinds = f"{drawing} (*{_SVG});;{image} (*{_PNG})"
        wanted = str(path.with_suffix(_SVG))
        chosen, kind = QFileDialog.getSaveFileName(self, self.tr("Save the picture of the graph"), wanted, kinds)
        if chosen:
            named = Path(chosen)
            is_named = named.suffix.lower() in (_SVG, _PNG)
            self.save_picture(named if is_named else named.with_name(named.name + (_PNG if _PNG in kind else _SVG)))

    def save_picture(self, path: Path) -> None:
        """Save the picture; the end of the name says how."""
        picture, look = self.view.canvas.picture, self.view.canvas.look
        if picture is None or look is None:
            return
        try:
            if path.suffix.lower() == _PNG:
                save_png(path, picture, look, self.view.canvas.painter)
            else:
                save_svg(path, picture, self._session.marks(), self._context.theme, self.view.canvas.painter)
        except StudioError as error:
            self._context.tell_refusal(error.findings[0])

    def copy_picture(self) -> None:
        """Put the picture on the clipboard."""
        picture, look = self.view.canvas.picture, self.view.canvas.look
        if picture is not None and look is not None:
            QGuiApplication.clipboard().setImage(draw_image(picture, look, self.view.canvas.painter))

    def _connect(self) -> None:
        session, canvas, actions = self._session, self.view.canvas, self.actions_
        for signal in (session.state_changed, session.placed_changed, session.scope_changed):
            signal.connect(self._show_state)
        self.view.shown_changed.connect(self._update_actions)
        canvas.menu_requested.connect(self._open_menu)
        self.bar.crumbs.chosen.connect(session.enter)
        self.bar.search.left.connect(self.focus_content)
        self.bar.colours.tone_chosen.connect(self._mark_tone)
        self._context.actions.open_model.triggered.connect(self.choose_model)
        for action, slot in (
            (actions.leave, session.leave),
            (actions.fit, canvas.fit),
            (actions.full_size, partial(canvas.set_zoom, 1.0)),
            (actions.zoom_in, partial(canvas.zoom_by, 1)),
            (actions.zoom_out, partial(canvas.zoom_by, -1)),
            (actions.next_unresolved, partial(self._step_unresolved, 1)),
            (actions.previous_unresolved, partial(self._step_unresolved, -1)),
            (actions.open_all, partial(session.set_collapsed, frozenset())),
            (actions.close_again, session.collapse_as_first),
            (actions.save_picture, self.choose_picture_file),
            (actions.copy_picture, self.copy_picture),
        ):
            action.triggered.connect(slot)

    def _show_state(self) -> None:
        session = self._session
        name = session.path.name if session.path is not None else ""
        is_busy = session.state is GraphState.READING or session.is_placing
        match session.state:
            case GraphState.EMPTY:
                self._state_page.show_state(
                    icon="graph",
                    title=self.tr("The graph of a model"),
                    text=self.tr(
                        "What its nodes are, how values flow between them, and who implements each. "
                        "Open an ONNX file, or drop one here; operator libraries can be dropped as well."
                    ),
                    action=self._context.actions.open_model,
                )
            case GraphState.FAILING:
                first = session.findings[0]
                self._state_page.show_state(
                    icon="bad",
                    tone="bad",
                    title=first.title if name in first.title else f"{name}: {first.title}",
                    text=f"{first.cause}. {first.fix}.  ({first.id})",
                    action=self._context.actions.open_model,
                )
            case _:
                pass
        has_page = session.state in (GraphState.EMPTY, GraphState.FAILING)
        self._pages.setCurrentIndex(1 if has_page else 0)
        self.bar.setVisible(session.state is not GraphState.EMPTY)
        if is_busy and not self._tick.isActive():
            self._tick.start(_BUSY_MS)
        elif not is_busy:
            self._tick.stop()
            self._busy.hide()
            self._veil.cover(covered=False)
        self._update_actions()

    def _show_busy(self) -> None:
        session = self._session
        seconds = int(time.monotonic() - session.busy_since)
        name = session.path.name if session.path is not None else ""
        is_reading = session.state is GraphState.READING
        text = self.tr("Reading {0}").format(name) if is_reading else self.tr("Drawing {0}").format(name)
        self._busy.setText(f"{text} · {seconds} s" if seconds else text)
        self._busy.adjustSize()
        self._tick.setInterval(_TICK_MS)
        self._veil.cover(covered=True)
        self._busy.show()
        self._busy.raise_()

    def _update_actions(self) -> None:
        look = self.view.canvas.look
        has_picture = look is not None and self._session.state is GraphState.READY
        has_unresolved = look is not None and bool(look.unresolved.any())
        self.actions_.enable(picture=has_picture, unresolved=has_unresolved, inner=bool(self._session.scope))

    def _open_menu(self, at: QPoint, box: int | None, edge: int | None) -> None:
        picture = self.view.canvas.picture
        if picture is not None and self._session.state is GraphState.READY:
            self._menu.open(self.view.canvas, at, picture, box, edge)

    def _go_to_box(self, box: int) -> None:
        self.view.canvas.box_chosen.emit(box)
        self.view.canvas.reveal(box)

    def _step_unresolved(self, by: int) -> None:
        self.view.step_unresolved(by)
        self.focus_content()

    def _mark_tone(self, tone: int) -> None:
        """Mark the boxes of a colour, as if they had been searched."""
        look = self.view.canvas.look
        if look is not None:
            self.view.set_found_boxes(np.flatnonzero(look.colouring.of_box == tone))
            self.search.show_count()

    def _lay_out(self) -> QStackedLayout:
        pages = QStackedLayout()
        pages.addWidget(self.view)
        pages.addWidget(self._state_page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        holder = QWidget()
        holder.setLayout(pages)
        column.addWidget(holder, 1)
        return pages
