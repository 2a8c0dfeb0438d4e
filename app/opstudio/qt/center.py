"""The middle of the window: a page for each perspective, and the welcome page before them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.pipeline.strip import PipelineStrip
from opstudio.qt.widgets.notice_bar import NoticeBar


class Center(QWidget):
    """A bar for what has to be asked stands above the pages, whichever is shown."""

    shown_changed = Signal()
    """Another page is shown."""

    def __init__(self, strip: PipelineStrip, editors: EditorArea, notice: NoticeBar) -> None:
        super().__init__()
        self._pages = QStackedWidget()
        self._pages.currentChanged.connect(self.shown_changed)
        self._by_perspective: dict[str, QWidget] = {}
        self._before: QWidget | None = None
        self._editor_page = QWidget()
        self._editor_page.setFocusProxy(editors)
        inner = QVBoxLayout(self._editor_page)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(strip)
        inner.addWidget(editors, 1)
        self._pages.addWidget(self._editor_page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(notice)
        column.addWidget(self._pages, 1)

    def add_perspective(self, perspective: str, page: QWidget | None) -> None:
        """Say what stands in the middle of a perspective; ``None`` is the editor."""
        self._by_perspective[perspective] = page or self._editor_page
        if page is not None:
            self._pages.addWidget(page)

    def page(self, perspective: str) -> QWidget:
        """Return what stands in the middle of a perspective."""
        return self._by_perspective[perspective]

    def show_perspective(self, perspective: str) -> None:
        """Show the page of a perspective."""
        self._pages.setCurrentWidget(self._by_perspective[perspective])

    def focus_shown(self) -> None:
        """Take the keyboard to the page that is shown."""
        page = self._pages.currentWidget()
        if page is not None:
            page.setFocus()

    def add_page(self, page: QWidget) -> None:
        """Take in a page that belongs to no perspective."""
        self._pages.addWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Show a page that belongs to no perspective."""
        if self._pages.currentWidget() is not page:
            self._before = self._pages.currentWidget()
        self._pages.setCurrentWidget(page)
        page.setFocus()

    def leave_page(self) -> None:
        """Show again what stood there before a page that belongs to no perspective."""
        if self._before is not None:
            self._pages.setCurrentWidget(self._before)
            self._before.setFocus()

    @property
    def shows_editor(self) -> bool:
        """Whether the editor is in the middle."""
        return self._pages.currentWidget() is self._editor_page

    @property
    def shown(self) -> QWidget | None:
        """The page that is shown."""
        return self._pages.currentWidget()
