"""The graph on the screen: one painted widget, moved by mouse, touchpad and keys. It knows boxes, not models."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QInputDevice,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from opstudio.model.diagram.text_metrics import TextMetrics
from opstudio.qt.graph.areas import Area
from opstudio.qt.graph.camera import Camera
from opstudio.qt.graph.look import Look
from opstudio.qt.graph.picture import Picture
from opstudio.qt.graph.picture_painter import PicturePainter
from opstudio.qt.graph.walking import Direction, Trail, step
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme

_WHEEL_FACTOR = 1.0015
"""The zoom for each eighth of a degree that a wheel turns: a quarter more for a notch."""
_KEY_FACTOR = 1.25
_KEY_PIXELS = 80.0
_REACH = 5.0
"""How far from a line the pointer is still on it, in pixels of the screen."""
_ARROWS = {
    Qt.Key.Key_Up: Direction.UP,
    Qt.Key.Key_Down: Direction.DOWN,
    Qt.Key.Key_Left: Direction.LEFT,
    Qt.Key.Key_Right: Direction.RIGHT,
}
_MOVES = {Direction.UP: (0, 1), Direction.DOWN: (0, -1), Direction.LEFT: (1, 0), Direction.RIGHT: (-1, 0)}


class GraphCanvas(QWidget):
    """Shows a picture and says what the person does with it."""

    box_chosen = Signal(object)
    """The number of a box, or ``None`` for none."""
    edge_chosen = Signal(int)
    box_opened = Signal(int)
    """A double click, or Enter."""
    leave_requested = Signal()
    pointed_changed = Signal(object, object)
    """The box and the edge that the pointer is on, each perhaps ``None``."""
    camera_changed = Signal()
    menu_requested = Signal(QPoint, object, object)
    """Where on the screen, and the box and the edge there."""

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._painter = PicturePainter(theme, icons)
        self.camera = Camera()
        self._picture: Picture | None = None
        self._look: Look | None = None
        self._pressed: QPointF | None = None
        self._is_dragging = False
        self._pointed: tuple[int | None, int | None] = (None, None)
        self._trail = Trail()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)

    @property
    def metrics(self) -> TextMetrics:
        """The widths of the letters that boxes are painted with."""
        return self._painter.metrics

    @property
    def painter(self) -> PicturePainter:
        """What paints the picture; files are painted by it as well."""
        return self._painter

    @property
    def picture(self) -> Picture | None:
        """What is shown."""
        return self._picture

    @property
    def look(self) -> Look | None:
        """How it looks; call :meth:`update` behind a change."""
        return self._look

    def set_picture(self, picture: Picture | None, look: Look | None) -> None:
        """Show another picture; where the person looks at stays, see :attr:`camera`."""
        self._picture, self._look = picture, look
        self._trail = Trail()
        self.camera.set_picture(*(picture.size if picture is not None else (0.0, 0.0)))
        self._point_at(None, None)
        self._moved()

    def set_look(self, look: Look) -> None:
        """Show the same picture in another way."""
        self._look = look
        self.update()

    def show_start(self) -> None:
        """Look at the upper end, or at all where that can be read."""
        self.camera.show_start()
        if (
            self._picture is not None
            and self._picture.boxes.count
            and not self._picture.boxes_in(self.camera.seen).size
        ):
            # Parts of different size stand beside one another, so that nothing need stand above the middle.
            self.reveal(self._picture.nearest_box(self.camera.x, 0.0))
        self._moved()

    def fit(self) -> None:
        """See all."""
        self.camera.fit()
        self._moved()

    def set_zoom(self, zoom: float) -> None:
        """Zoom; what is in the middle stays there."""
        self.camera.set_zoom(zoom)
        self._moved()

    def zoom_by(self, steps: int) -> None:
        """Zoom in, or out for negative steps."""
        self.set_zoom(self.camera.zoom * _KEY_FACTOR**steps)

    def reveal(self, box: int) -> None:
        """Bring a box into view."""
        if self._picture is not None:
            self.camera.reveal(self._picture.box_area(box))
            self._moved()

    def center_on(self, x: float, y: float) -> None:
        """Look at a point of the picture."""
        self.camera.center_on(x, y)
        self._moved()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is seen."""
        with QPainter(self) as painter:
            self._painter.paint_ground(painter, QRectF(event.rect()))
            if self._picture is not None and self._look is not None:
                painter.setTransform(self.camera.transform())
                self._painter.paint(painter, self._picture, self._look, self._seen(event))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep what is in the middle there."""
        super().resizeEvent(event)
        self.camera.view = QSizeF(self.size())
        self._moved()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; two fingers on a touchpad move the picture, and zoom together with Ctrl."""
        is_touchpad = event.device().type() is QInputDevice.DeviceType.TouchPad or not event.pixelDelta().isNull()
        is_zoom = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        angle = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.camera.pan(float(angle.y() or angle.x()) / 2, 0.0)
        elif is_touchpad and not is_zoom:
            pixels = event.pixelDelta() if not event.pixelDelta().isNull() else angle / 2
            self.camera.pan(float(pixels.x()), float(pixels.y()))
        else:
            self.camera.zoom_at(event.position(), _WHEEL_FACTOR ** angle.y())
        event.accept()
        self._moved()
        self._look_under(event.position())

    def event(self, event: QEvent) -> bool:
        """Follow pinching fingers; claim the keys that would otherwise do something elsewhere in the window."""
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
                self.camera.zoom_at(event.position(), 1.0 + event.value())
                self._moved()
                return True
        elif event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._claims(event):
            event.accept()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to move the picture, or to click."""
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._pressed, self._is_dragging = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the picture, or light what the pointer is on."""
        if self._pressed is None:
            self._look_under(event.position())
            return
        moved = event.position() - self._pressed
        if not self._is_dragging and moved.manhattanLength() < QApplication.startDragDistance():
            return
        if not self._is_dragging:
            self._is_dragging = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._point_at(None, None)
        self._pressed = event.position()
        self.camera.pan(moved.x(), moved.y())
        self._moved()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose what was clicked."""
        was_click = self._pressed is not None and not self._is_dragging
        self._pressed, self._is_dragging = None, False
        self.unsetCursor()
        if was_click and event.button() is Qt.MouseButton.LeftButton:
            box, edge = self.things_at(event.position())
            self._trail = Trail()
            if box is None and edge is not None:
                self.edge_chosen.emit(edge)
            else:
                self.box_chosen.emit(box)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open what was clicked."""
        box, _ = self.things_at(event.position())
        if box is not None and event.button() is Qt.MouseButton.LeftButton:
            self.box_opened.emit(box)

    def leaveEvent(self, event: QEvent) -> None:
        """Light nothing any more."""
        super().leaveEvent(event)
        self._point_at(None, None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of what is there; called by key, of what is selected."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard and self._look is not None and self._picture is not None:
            box = self._look.selected
            at = QPointF(self.rect().center()) if box is None else self._middle_of(self._picture, box)
            self.menu_requested.emit(self.mapToGlobal(at.toPoint()), box, None)
            return
        box, edge = self.things_at(QPointF(event.pos()))
        self.menu_requested.emit(event.globalPos(), box, None if box is not None else edge)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk along the lines, open, leave; with Ctrl, or where nothing is selected, move the picture."""
        key, look = Qt.Key(event.key()), self._look
        if key in _ARROWS:
            direction = _ARROWS[key]
            is_move = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if is_move or look is None or look.selected is None:
                right, down = _MOVES[direction]
                self.camera.pan(right * _KEY_PIXELS, down * _KEY_PIXELS)
                self._moved()
            else:
                self._walk(look.selected, direction)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if look is not None and look.selected is not None:
                self.box_opened.emit(look.selected)
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_Back):
            self.leave_requested.emit()
        elif key == Qt.Key.Key_Escape:
            self.box_chosen.emit(None)
        else:
            super().keyPressEvent(event)

    def things_at(self, point: QPointF) -> tuple[int | None, int | None]:
        """Return the box and the edge at a point of the widget; where there is a box, no edge."""
        if self._picture is None:
            return None, None
        at = self.camera.to_picture(point)
        box = self._picture.box_at(at.x(), at.y())
        edge = None if box is not None else self._picture.edge_at(at.x(), at.y(), _REACH / self.camera.zoom)
        return box, edge

    def _walk(self, box: int, direction: Direction) -> None:
        if self._picture is None:
            return
        reached = step(self._picture, box, direction, self._trail.came_from(direction))
        if reached is not None:
            self.box_chosen.emit(reached)
            self.reveal(reached)
            self._trail.went(direction, box)

    def _claims(self, event: QKeyEvent) -> bool:
        """Whether a key is ours: Escape cancels a check only where nothing is selected here."""
        selects = self._look is not None and self._look.selected is not None
        return event.key() == Qt.Key.Key_Escape and selects

    def _look_under(self, point: QPointF) -> None:
        self._point_at(*self.things_at(point))

    def _point_at(self, box: int | None, edge: int | None) -> None:
        if (box, edge) != self._pointed:
            self._pointed = (box, edge)
            self.pointed_changed.emit(box, edge)

    def _seen(self, event: QPaintEvent) -> Area:
        """Return the part of the picture that must be painted."""
        rect = event.rect()
        upper, lower = (
            self.camera.to_picture(QPointF(rect.topLeft())),
            self.camera.to_picture(QPointF(rect.bottomRight() + QPoint(1, 1))),
        )
        return Area(left=upper.x(), top=upper.y(), right=lower.x(), bottom=lower.y())

    def _middle_of(self, picture: Picture, box: int) -> QPointF:
        area = picture.box_area(box)
        return self.camera.to_screen((area.left + area.right) / 2, (area.top + area.bottom) / 2)

    def _moved(self) -> None:
        self.update()
        self.camera_changed.emit()
