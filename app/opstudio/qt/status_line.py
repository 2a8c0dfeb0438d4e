"""The line at the foot of the window: what results depend on, messages, and where the cursor is."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QStatusBar

from opstudio.qt.editor.editor_page import EditorPage
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font

_MESSAGE_MS = 4000
_TITLES = {"torch": "torch", "onnx": "onnx", "onnxruntime": "ORT"}
_RELEASE = re.compile(r"\d+\.\d+")


class StatusLine(QObject):
    """Fills a status bar."""

    def __init__(self, bar: QStatusBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._environment, self._position = QLabel(), QLabel()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(10, 0, 10, 0)
        bar.setFont(ui_font(SMALL_PIXELS))
        for label in (self._environment, self._position):
            label.setFont(ui_font(SMALL_PIXELS))
            label.setProperty("tone", "quiet")
        bar.addWidget(self._environment)
        bar.addPermanentWidget(self._position)
        self._environment.setText(self.tr("Starting the worker…"))

    def say(self, text: str) -> None:
        """Show a message for a while."""
        self._bar.showMessage(text, _MESSAGE_MS)

    def show_environment(self, versions: tuple[tuple[str, str], ...]) -> None:
        """Show the releases that results depend on."""
        shown = [f"{_TITLES[name]} {_release(version)}" for name, version in versions if name in _TITLES]
        shown += [f"{text.split()[0]} {_release(text)}" for name, text in versions if name == "compiler"]
        self._environment.setText("  ·  ".join(shown))
        self._environment.setToolTip("\n".join(f"{name} {version}" for name, version in versions))

    def show_refusal(self, title: str) -> None:
        """Say why nothing can be checked."""
        self._environment.setText(title)

    def show_page(self, page: EditorPage | None) -> None:
        """Show where the cursor is, and how the file is written."""
        if page is None or page.file is None:
            self._position.clear()
            return
        cursor = page.editor.textCursor()
        position = self.tr("Line {0}, column {1}").format(cursor.blockNumber() + 1, cursor.positionInBlock() + 1)
        parts = [position, page.file.encoding_title, page.file.line_end_title]
        if page.editor.isReadOnly():
            parts.append(self.tr("read only"))
        self._position.setText("  ·  ".join(parts))


def _release(text: str) -> str:
    """Return the first two numbers of a release, as people call it."""
    found = _RELEASE.search(text)
    return text if found is None else found[0]
