"""The middle of the window: a page for each perspective, and the welcome page before them."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.pipeline.strip import PipelineStrip
from opstudio.qt.widgets.notice_bar import NoticeBar


class Center(QWidget):
    """A bar for what has to be asked stands above the pages, whichever is shown."""

    def __init__(self, strip: PipelineStrip, editors: EditorArea, notice: NoticeBar) -> None:
        super().__init__()
        self._pages = QStackedWidget()
        self._by_perspective: dict[str, QWidget] = {}
        self._editor_page = QWidget()
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

    def show_perspective(self, perspective: str) -> None:
        """Show the page of a perspective."""
        self._pages.setCurrentWidget(self._by_perspective[perspective])

    def add_page(self, page: QWidget) -> None:
        """Take in a page that belongs to no perspective."""
        self._pages.addWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Show a page that belongs to no perspective."""
        self._pages.setCurrentWidget(page)
        page.setFocus()

    @property
    def shown(self) -> QWidget | None:
        """The page that is shown."""
        return self._pages.currentWidget()
