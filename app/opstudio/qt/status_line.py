"""The line at the foot of the window: what results depend on, what runs, messages, and where the cursor is."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from opstudio.qt.editor.editor_page import EditorPage
from opstudio.qt.models.loop_state import LoopState
from opstudio.qt.models.operator_view import Activity
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font

_MESSAGE_MS = 4000
_TITLES = {"torch": "torch", "onnx": "onnx", "onnxruntime": "ORT"}
_RELEASE = re.compile(r"\d+\.\d+")


class StatusLine(QObject):
    """Fills a status bar."""

    def __init__(self, bar: QStatusBar, state: LoopState) -> None:
        super().__init__(bar)
        self._bar, self._state = bar, state
        self._versions: tuple[tuple[str, str], ...] = ()
        self._refusal = ""
        self._page: EditorPage | None = None
        self._environment, self._work, self._position = QLabel(), QLabel(), QLabel()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(10, 0, 10, 0)
        bar.setFont(ui_font(SMALL_PIXELS))
        for label in (self._environment, self._work, self._position):
            label.setFont(ui_font(SMALL_PIXELS))
            label.setProperty("tone", "quiet")
        bar.addWidget(self._environment)
        bar.addWidget(self._work)
        bar.addPermanentWidget(self._position)
        state.operators_updated.connect(self._show_work)
        state.membership_changed.connect(self._show_work)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts."""
        self._show_environment()
        self._show_work()
        self.show_page(self._page)

    def add(self, widget: QWidget) -> None:
        """Put something at the right end."""
        self._bar.addPermanentWidget(widget)

    def say(self, text: str) -> None:
        """Show a message for a while."""
        self._bar.showMessage(text, _MESSAGE_MS)

    def show_environment(self, versions: tuple[tuple[str, str], ...]) -> None:
        """Show the releases that results depend on."""
        self._versions = versions
        self._show_environment()

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """The releases that results depend on; none before they are known."""
        return self._versions

    def show_refusal(self, title: str) -> None:
        """Say why nothing can be checked."""
        self._refusal = title
        self._show_environment()

    def show_page(self, page: EditorPage | None) -> None:
        """Show where the cursor is, and how the file is written."""
        self._page = page
        if page is None or page.file is None:
            self._position.clear()
            return
        cursor = page.editor.textCursor()
        position = self.tr("Line {0}, column {1}").format(cursor.blockNumber() + 1, cursor.positionInBlock() + 1)
        parts = [position, page.file.encoding_title, page.file.line_end_title]
        if page.editor.isReadOnly():
            parts.append(self.tr("read only"))
        self._position.setText("  ·  ".join(parts))

    def _show_environment(self) -> None:
        shown = [f"{_TITLES[name]} {_release(version)}" for name, version in self._versions if name in _TITLES]
        shown += [f"{text.split()[0]} {_release(text)}" for name, text in self._versions if name == "compiler"]
        self._environment.setText(self._refusal or "  ·  ".join(shown) or self.tr("Starting the worker…"))
        self._environment.setToolTip("\n".join(f"{name} {version}" for name, version in self._versions))

    def _show_work(self, *_names: object) -> None:
        views = [self._state.view(name) for name in self._state.names]
        running = [view.name for view in views if view.activity is Activity.RUNNING]
        waiting = sum(view.activity is Activity.WAITING for view in views)
        parts = [self.tr("checking {0}").format(", ".join(running))] if running else []
        parts += [self.tr("{0} waiting").format(waiting)] if waiting else []
        self._work.setText("".join(f"  ·  {part}" for part in parts))


def _release(text: str) -> str:
    """Return the first two numbers of a release, as people call it."""
    found = _RELEASE.search(text)
    return text if found is None else found[0]
