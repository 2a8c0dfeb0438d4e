"""Evidence as widgets: sections of tables, names and values, sources, and commands to copy, one below another."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QSortFilterProxyModel, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from opstudio.qt.editor.code_editor import CodeEditor
from opstudio.qt.evidence.fitting_table import FittingTable
from opstudio.qt.models.evidence_titles import evidence_title, evidence_value
from opstudio.qt.models.table_model import SORT_ROLE, TableModel
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.wrapped_text import WrappedText
from opstudio.workflows.evidence_sections import CommandLines, KeyValues, Section, SourceText, Table

_ROW_HEIGHT = 22
_MOST_ROWS_SHOWN = 12
_MOST_LINES_SHOWN = 24
_FILTER_FROM = 10
"""How many rows it takes for a filter to be of use."""
_SUFFIXES = {"cpp": ".cpp", "python": ".py", "toml": ".toml"}


class SectionList(QScrollArea):
    """Shows sections; they are replaced as a whole."""

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.show_sections(())

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show these sections."""
        content = QWidget()
        content.setAutoFillBackground(True)
        content.setBackgroundRole(content.palette().ColorRole.Base)
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(4)
        for section in sections:
            title = QLabel(evidence_title(section.title))
            title.setFont(ui_font(SMALL_PIXELS, semibold=True))
            title.setProperty("tone", "quiet")
            column.addWidget(title)
            column.addWidget(self._widget(section))
            column.addSpacing(10)
        column.addStretch(1)
        # The old content goes with the scroll area's ownership of it.
        self.setWidget(content)

    def _widget(self, section: Section) -> QWidget:
        match section.content:
            case Table():
                return TableSection(section.content, self._theme)
            case KeyValues():
                return _ValuesSection(section.content)
            case SourceText():
                return _SourceSection(section.content, self._theme, self._icons)
            case CommandLines():
                return _CommandsSection(section.content, self._icons)


class TableSection(QWidget):
    """A table that can be sorted, filtered where it is long, and copied with tabs between the cells."""

    def __init__(self, table: Table, theme: Theme) -> None:
        super().__init__()
        self._model = TableModel(table, theme, self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self._model)
        self._proxy.setSortRole(SORT_ROLE)
        self._proxy.setFilterKeyColumn(-1)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.view = FittingTable([column.is_number for column in table.columns])
        _fill_table(self.view, self._proxy, len(table.rows))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Filter rows"))
        self.filter.setClearButtonEnabled(True)
        if len(table.rows) < _FILTER_FROM:
            self.filter.hide()  # never the other way about: shown before it stands anywhere, it would be a window
        self.filter.textChanged.connect(self._proxy.setFilterFixedString)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.filter)
        column.addWidget(self.view)
        if table.left_out:
            more = QLabel(self.tr("{0} more rows; opstudio evidence --json has all").format(table.left_out))
            more.setProperty("tone", "quiet")
            column.addWidget(more)
        copy = QShortcut(QKeySequence.StandardKey.Copy, self.view)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_selected)

    def copy_selected(self) -> None:
        """Put the selected rows, or all of them, on the clipboard, the titles first."""
        columns = range(self._proxy.columnCount())
        selected = sorted({index.row() for index in self.view.selectedIndexes()})
        rows = selected or list(range(self._proxy.rowCount()))
        head = [str(self._model.headerData(column, Qt.Orientation.Horizontal)) for column in columns]
        lines = [head, *([str(self._proxy.index(row, column).data()) for column in columns] for row in rows)]
        QGuiApplication.clipboard().setText("\n".join("\t".join(line) for line in lines))


class _ValuesSection(QWidget):
    """Names on the left, values on the right."""

    def __init__(self, values: KeyValues) -> None:
        super().__init__()
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(3)
        # Otherwise a name stands in the middle of the first two lines of a long value.
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        for name, value in values.entries:
            label = QLabel(evidence_title(name))
            label.setProperty("tone", "quiet")
            form.addRow(label, WrappedText(evidence_value(name, value), mono_font(SMALL_PIXELS)))


class _SourceSection(QWidget):
    """A text in its colours, to read."""

    def __init__(self, source: SourceText, theme: Theme, icons: Icons) -> None:
        super().__init__()
        editor = CodeEditor(theme, icons, _SUFFIXES.get(source.language, ".txt"), self)
        editor.setPlainText(source.text)
        editor.setReadOnly(True)
        editor.setAccessibleName(source.path or self.tr("Source"))
        lines = min(source.text.count("\n") + 1, _MOST_LINES_SHOWN)
        editor.setFixedHeight(round((lines + 1) * editor.fontMetrics().lineSpacing() + 16))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        if source.path:
            path = QLabel(Path(source.path).name)
            path.setFont(mono_font(SMALL_PIXELS))
            path.setToolTip(source.path)
            column.addWidget(path)
        column.addWidget(editor)


class _CommandsSection(QWidget):
    """Commands, each with a button that copies it."""

    def __init__(self, commands: CommandLines, icons: Icons) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for command in commands.commands:
            text, button = WrappedText(command, mono_font(SMALL_PIXELS)), QPushButton(self.tr("Copy"))
            button.setIcon(icons.icon("copy"))
            button.clicked.connect(functools.partial(QGuiApplication.clipboard().setText, command))
            row = QHBoxLayout()
            row.addWidget(text, 1)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            column.addLayout(row)


def _fill_table(view: FittingTable, model: QSortFilterProxyModel, rows: int) -> None:
    view.setModel(model)
    view.setShowGrid(False)
    view.setSortingEnabled(True)
    model.sort(-1)
    view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    view.verticalHeader().hide()
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.verticalHeader().setMinimumSectionSize(_ROW_HEIGHT)
    view.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setTabKeyNavigation(False)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setWordWrap(False)
    view.measure()
    shown = min(rows, _MOST_ROWS_SHOWN)
    view.setFixedHeight(view.horizontalHeader().sizeHint().height() + max(shown, 1) * _ROW_HEIGHT + 14)
    view.selectionModel().clearSelection()
    view.selectionModel().setCurrentIndex(model.index(-1, -1), QItemSelectionModel.SelectionFlag.NoUpdate)
