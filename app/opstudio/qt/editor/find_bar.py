"""The bar that searches the text above it and replaces what is found."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from opstudio.qt.editor.code_editor import CodeEditor
from opstudio.qt.editor.text_search import SearchQuery, SearchResult, replacement_of, search
from opstudio.qt.widgets.translated import TranslatedWidget

_DELAY_MILLISECONDS = 120
"""From a key in the editor to new matches."""
_LONGEST_SUGGESTION = 200


class FindBar(TranslatedWidget):
    """Hidden until it is asked for. The matches are shown in the editor as long as the bar is there."""

    def __init__(self, editor: CodeEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._result = SearchResult()
        self._needle, self._replacement = QLineEdit(), QLineEdit()
        self._count = QLabel()
        self._case, self._words, self._pattern = QCheckBox(), QCheckBox(), QCheckBox()
        self._previous, self._next, self._close = QPushButton(), QPushButton(), QPushButton()
        self._replace, self._replace_all = QPushButton(), QPushButton()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DELAY_MILLISECONDS)
        self._lay_out()
        self._connect()
        self.setFocusProxy(self._needle)
        self.retranslate()
        self.hide()

    def retranslate(self) -> None:
        """Set the texts."""
        self._needle.setPlaceholderText(self.tr("Find"))
        self._replacement.setPlaceholderText(self.tr("Replace with"))
        self._case.setText(self.tr("Match case"))
        self._words.setText(self.tr("Whole words"))
        self._pattern.setText(self.tr("Regular expression"))
        self._previous.setText(self.tr("Previous"))
        self._next.setText(self.tr("Next"))
        self._replace.setText(self.tr("Replace"))
        self._replace_all.setText(self.tr("Replace all"))
        self._close.setText(self.tr("Close"))
        self._tell()

    @property
    def count_text(self) -> str:
        """What is said of the matches."""
        return self._count.text()

    def open(self, *, replace: bool = False) -> None:
        """Show the bar with what is selected, and take the keyboard."""
        selected = self._editor.textCursor().selectedText()
        if selected and len(selected) <= _LONGEST_SUGGESTION and "\u2029" not in selected:
            self._pattern.setChecked(False)
            self._needle.setText(selected)
        for widget in (self._replacement, self._replace, self._replace_all):
            widget.setVisible(replace and not self._editor.isReadOnly())
        self.show()
        self._needle.selectAll()
        self._needle.setFocus()
        self._search()

    def dismiss(self) -> None:
        """Hide the bar and give the keyboard back to the text."""
        self.hide()
        self._timer.stop()
        self._editor.set_matches([])
        self._editor.setFocus()

    def find_next(self) -> None:
        """Select the next match behind the cursor; from the last it goes on with the first."""
        self._step(forward=True)

    def find_previous(self) -> None:
        """Select the match before the cursor; from the first it goes on with the last."""
        self._step(forward=False)

    def replace(self) -> None:
        """Replace the selected match and select the next one; where none is selected, only select one."""
        index = self._selected()
        if index is not None and not self._editor.isReadOnly():
            cursor = self._editor.textCursor()
            cursor.insertText(replacement_of(self._result.matches[index], self._query(), self._replacement.text()))
        self.find_next()

    def replace_all(self) -> None:
        """Replace every match, as one step of the history."""
        if self._editor.isReadOnly():
            return
        query = self._query()
        self._result = search(self._editor.file_text(), query, most=self._editor.document().characterCount())
        cursor = QTextCursor(self._editor.document())
        cursor.beginEditBlock()
        # From the end, so that the places of what is still to come stay.
        for match in reversed(self._result.matches):
            cursor.setPosition(match.capturedStart())
            cursor.setPosition(match.capturedEnd(), QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(replacement_of(match, query, self._replacement.text()))
        cursor.endEditBlock()
        replaced = len(self._result.matches)
        self._search()
        self._count.setText(self.tr("{0} replaced").format(replaced))

    def event(self, event: QEvent) -> bool:
        """Keep Escape, which elsewhere in the window cancels what runs."""
        if event.type() is QEvent.Type.ShortcutOverride and _is_escape(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes; Enter goes on, with Shift back."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._step(forward=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        options = QHBoxLayout()
        options.setSpacing(12)
        for box in (self._case, self._words, self._pattern):
            options.addWidget(box)
        options.addStretch()
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 6, 8, 6)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.addWidget(self._needle, 0, 0)
        grid.addWidget(self._count, 0, 1)
        for column, button in enumerate((self._previous, self._next, self._close), start=2):
            grid.addWidget(button, 0, column)
        grid.addWidget(self._replacement, 1, 0)
        grid.addWidget(self._replace, 1, 2)
        grid.addWidget(self._replace_all, 1, 3)
        grid.addLayout(options, 2, 0, 1, 5)
        grid.setColumnStretch(0, 1)
        self._count.setMinimumWidth(self.fontMetrics().horizontalAdvance("10000+ of 10000+"))
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for first, second in ((self._needle, self._replacement), (self._replacement, self._previous)):
            QWidget.setTabOrder(first, second)

    def _connect(self) -> None:
        self._needle.textChanged.connect(self._search)
        for box in (self._case, self._words, self._pattern):
            box.toggled.connect(self._search)
        self._previous.clicked.connect(self.find_previous)
        self._next.clicked.connect(self.find_next)
        self._replace.clicked.connect(self.replace)
        self._replace_all.clicked.connect(self.replace_all)
        self._close.clicked.connect(self.dismiss)
        self._timer.timeout.connect(self._search)
        self._editor.document().contentsChanged.connect(self._text_changed)
        self._editor.selectionChanged.connect(self._tell)

    def _query(self) -> SearchQuery:
        return SearchQuery(
            text=self._needle.text(),
            match_case=self._case.isChecked(),
            whole_words=self._words.isChecked(),
            is_pattern=self._pattern.isChecked(),
        )

    def _text_changed(self) -> None:
        if self.isVisible():
            self._timer.start()

    def _search(self) -> None:
        self._timer.stop()
        self._result = search(self._editor.file_text(), self._query())
        self._editor.set_matches(self._result.stretches)
        self._tell()

    def _step(self, *, forward: bool) -> None:
        self._search()
        stretches = self._result.stretches
        if not stretches:
            return
        cursor = self._editor.textCursor()
        if forward:
            index = bisect_left(stretches, (cursor.selectionEnd(), 0)) % len(stretches)
        else:
            index = bisect_right(stretches, (cursor.selectionStart(), 0)) - 1
        start, end = stretches[index]
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._editor.centerCursor()

    def _selected(self) -> int | None:
        """Return the number of the match that is selected."""
        cursor = self._editor.textCursor()
        stretch = (cursor.selectionStart(), cursor.selectionEnd())
        stretches = self._result.stretches
        index = bisect_left(stretches, stretch)
        return index if index < len(stretches) and stretches[index] == stretch else None

    def _tell(self) -> None:
        if not self.isVisible():
            return
        found = len(self._result.matches)
        total = f"{found}+" if self._result.is_cut else str(found)
        selected = self._selected()
        if self._result.error:
            text = self.tr("Not an expression: {0}").format(self._result.error)
        elif not self._needle.text():
            text = ""
        elif not found:
            text = self.tr("No matches")
        elif selected is None:
            text = self.tr("{0} matches").format(total)
        else:
            text = self.tr("{0} of {1}").format(selected + 1, total)
        self._count.setText(text)
        for button in (self._previous, self._next, self._replace, self._replace_all):
            button.setEnabled(found > 0)


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
