"""What one fix changes: the parameters, which can be altered, what to know before, and lines before and after."""

from __future__ import annotations

import difflib
import html
from collections.abc import Iterator

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from opstudio.model.fixes.fix import Edit
from opstudio.qt.difference_view import DifferenceView
from opstudio.qt.fixes.choices import FixChoice, FixPreview
from opstudio.qt.fixes.fix_session import FixSession
from opstudio.qt.theme.fonts import SMALL_PIXELS, mono_font, ui_font
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget
from opstudio.workflows.source_difference import DiffLine, LineKind

_MOST_EDITS = 200
"""Changes of one fix that are shown; the others are counted."""
_TYPING_MS = 120
_KINDS = {" ": LineKind.SAME, "-": LineKind.REMOVED, "+": LineKind.ADDED}


class PreviewView(TranslatedWidget):
    """Follows the choice that is looked at."""

    def __init__(self, session: FixSession, theme: Theme) -> None:
        super().__init__()
        self._session, self._theme = session, theme
        self._key = ""
        self.form, self.field, self.notes = QLabel(), QLineEdit(), QLabel()
        self.difference = DifferenceView(theme)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._parameters = QWidget()
        self._lay_out()
        self._typing.timeout.connect(self._take_parameters)
        self.field.textEdited.connect(self._typing.start)
        self.field.returnPressed.connect(self._take_parameters)
        session.choices_changed.connect(self._show_choice)
        session.preview_changed.connect(self._show_choice)
        theme.changed.connect(self._show_choice)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts."""
        self.field.setAccessibleName(self.tr("Parameters of the fix"))
        self.difference.setAccessibleName(self.tr("What the fix changes"))
        self._show_choice()

    def take_parameters(self) -> None:
        """Take what was typed last, without waiting for a pause."""
        if self._typing.isActive():
            self._take_parameters()

    def _take_parameters(self) -> None:
        self._typing.stop()
        choice = self._session.choice(self._key)
        typed = self.field.text().strip()
        if choice is not None and typed != choice.parameters:
            self._session.set_parameters(choice.key, typed)

    def _show_choice(self) -> None:
        session = self._session
        choice, preview = session.choice(session.current), session.preview
        self._parameters.setVisible(choice is not None and bool(choice.fix.form))
        if choice is not None:
            self.form.setText(choice.fix.form)
            self.form.setToolTip(choice.fix.title)
            self._show_parameters(choice)
        self._key = "" if choice is None else choice.key
        if choice is None:
            self.notes.hide()
            self.difference.show_parts([])
        elif preview is not None and preview.choice == choice:
            self._show_preview(preview)

    def _show_parameters(self, choice: FixChoice) -> None:
        # What is being typed stays, also while the sentence before it is worked out.
        if choice.key != self._key:
            self._typing.stop()
        if choice.key != self._key or not self.field.hasFocus():
            self.field.setText(choice.parameters)

    def _show_preview(self, preview: FixPreview) -> None:
        bad = self._theme.tokens.bad
        said = [
            f"<span style='color:{bad}'>{html.escape(f'{item.title}: {item.cause}. {item.fix}.')}</span>"
            for item in preview.failure
        ]
        said += [html.escape(_sentence(note)) for note in preview.notes]
        self.notes.setText("<br>".join(said))
        self.notes.setVisible(bool(said))
        parts = [(_title(edit), list(_lines(edit))) for edit in preview.edits[:_MOST_EDITS]]
        if (more := len(preview.edits) - _MOST_EDITS) > 0:
            parts.append((self.tr("{0} more changes").format(f"{more:,}"), []))
        self.difference.show_parts(parts)

    def _lay_out(self) -> None:
        for label in (self.form, self.notes):
            label.setProperty("tone", "quiet")
        self.form.setFont(mono_font(SMALL_PIXELS))
        self.field.setFont(mono_font(SMALL_PIXELS))
        self.notes.setFont(ui_font(SMALL_PIXELS))
        self.notes.setWordWrap(True)
        self.notes.setTextFormat(Qt.TextFormat.RichText)
        self.notes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notes.setContentsMargins(12, 4, 12, 4)
        self.notes.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self._parameters)
        row.setContentsMargins(12, 6, 12, 4)
        row.setSpacing(8)
        row.addWidget(self.form)
        row.addWidget(self.field, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._parameters)
        column.addWidget(self.notes)
        column.addWidget(self.difference, 1)


def _title(edit: Edit) -> str:
    return edit.words if edit.words.startswith(edit.part) else f"{edit.part}    {edit.words}"


def _lines(edit: Edit) -> Iterator[DiffLine]:
    for line in difflib.ndiff(edit.before, edit.after):
        if kind := _KINDS.get(line[:1]):
            yield DiffLine(kind=kind, text=line[2:])


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:]}."
