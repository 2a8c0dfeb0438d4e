"""Files that are dropped on a window: models and operator libraries, several at once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

MODEL_ENDS = (".onnx", ".ort")
LIBRARY_ENDS = (".so", ".dll", ".dylib")
_EVENTS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class FileDrops(QObject):
    """Tells what was dropped. Other files are left to whoever wants them."""

    models_dropped = Signal(tuple)
    """Paths."""
    libraries_dropped = Signal(tuple)
    """Paths; told before the models that were dropped with them."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what can be opened."""
        if event.type() not in _EVENTS or not isinstance(event, QDropEvent):
            return super().eventFilter(watched, event)
        models, libraries = _wanted(event.mimeData())
        if not models and not libraries:
            return super().eventFilter(watched, event)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() is QEvent.Type.Drop:
            if libraries:
                self.libraries_dropped.emit(libraries)
            if models:
                self.models_dropped.emit(models)
        return True


def _wanted(data: QMimeData) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return the models and the libraries among what is dragged."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    models = tuple(path for path in paths if path.suffix.lower() in MODEL_ENDS)
    libraries = tuple(path for path in paths if path.suffix.lower() in LIBRARY_ENDS or ".so." in path.name)
    return models, libraries
