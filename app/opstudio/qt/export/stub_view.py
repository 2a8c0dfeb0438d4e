"""Code to paste: what it registers, what is left to do, and the text with a button that copies it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from opstudio.model.export_debugging.records import Stub
from opstudio.qt.editor.code_editor import CodeEditor
from opstudio.qt.export.words import stub_title
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.row_delegate import RowDelegate
from opstudio.qt.widgets.state_page import StatePage
from opstudio.qt.widgets.translated import TranslatedWidget

_LIST_WIDTH = 248
_PADDING = 8
_SAID_MS = 1500


class StubView(TranslatedWidget):
    """A list of stubs at the left, the selected one at the right."""

    def __init__(self, theme: Theme, icons: Icons) -> None:
        super().__init__()
        self._icons = icons
        self._stubs: tuple[Stub, ...] = ()
        self._titles = QStringListModel(self)
        self.list = QListView()
        self.editor = CodeEditor(theme, icons, ".py", self)
        self.todo, self.copy_button = QLabel(), QPushButton()
        self._empty = StatePage(icons)
        self._pages = self._lay_out()
        self._said = QTimer(self)
        self._said.setSingleShot(True)
        self._said.setInterval(_SAID_MS)
        self._said.timeout.connect(self._show_button)
        self.copy_button.clicked.connect(self.copy)
        self.list.selectionModel().currentChanged.connect(self._show_stub)
        icons.changed.connect(self._show_button)
        self.setFocusProxy(self.list)
        self.retranslate()

    @property
    def current(self) -> Stub | None:
        """The stub that is shown."""
        row = self.list.currentIndex().row()
        return self._stubs[row] if 0 <= row < len(self._stubs) else None

    def show_stubs(self, stubs: Sequence[Stub]) -> None:
        """Show these; of the same kind and operators as before, the selected one stays selected."""
        before = self.current
        self._stubs = tuple(stubs)
        self._show_titles()
        alike = [
            number
            for number, stub in enumerate(self._stubs)
            if before is not None and (stub.kind, stub.operators) == (before.kind, before.operators)
        ]
        if self._stubs:
            self.list.setCurrentIndex(self._titles.index(alike[0] if alike else 0, 0))
        self._show_stub()
        self._pages.setCurrentIndex(0 if self._stubs else 1)

    def copy(self) -> None:
        """Put the selected stub on the clipboard."""
        stub = self.current
        if stub is not None:
            QGuiApplication.clipboard().setText(stub.text)
            self.copy_button.setText(self.tr("Copied"))
            self._said.start()

    def retranslate(self) -> None:
        """Set the texts."""
        self.list.setAccessibleName(self.tr("Code to paste"))
        self.editor.setAccessibleName(self.tr("The selected code"))
        self._empty.show_state(
            icon="note",
            title=self.tr("No code to paste"),
            text=self.tr("Where an operator lacks a translation or a Meta kernel, a draft of it appears here."),
        )
        row = self.list.currentIndex().row()
        self._show_titles()
        if row >= 0:
            self.list.setCurrentIndex(self._titles.index(row, 0))
        self._show_stub()
        self._show_button()

    def _lay_out(self) -> QStackedLayout:
        self.list.setModel(self._titles)
        self.list.setItemDelegate(RowDelegate(self.list, padding=_PADDING))
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.editor.setReadOnly(True)
        self.todo.setWordWrap(True)
        self.todo.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        head = QHBoxLayout()
        head.setContentsMargins(10, 4, 8, 4)
        head.addWidget(self.todo, 1)
        head.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.editor, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([_LIST_WIDTH, 3 * _LIST_WIDTH])
        pages = QStackedLayout(self)
        pages.addWidget(splitter)
        pages.addWidget(self._empty)
        return pages

    def _show_titles(self) -> None:
        self._titles.setStringList([f"{stub_title(stub.kind)}: {', '.join(stub.operators)}" for stub in self._stubs])

    def _show_stub(self, *_indexes: object) -> None:
        stub = self.current
        text = "" if stub is None else stub.text
        if text != self.editor.toPlainText():
            self.editor.setPlainText(text)
        self.copy_button.setEnabled(stub is not None)
        if stub is not None:
            self.todo.setText(
                self.tr("Left to do: {0}").format(stub.todo) if stub.todo else self.tr("To be pasted as it is.")
            )

    def _show_button(self) -> None:
        self.copy_button.setText(self.tr("Copy"))
        self.copy_button.setIcon(self._icons.icon("copy"))
