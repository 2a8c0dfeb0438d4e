"""A file in the editor: loaded, saved, and watched for changes from outside."""

from __future__ import annotations

import contextlib
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from opstudio.base.errors import InputError, StudioError
from opstudio.base.finding import Finding
from opstudio.qt.editor.code_editor import CodeEditor
from opstudio.qt.editor.find_bar import FindBar
from opstudio.qt.editor.text_file import TextFile, read_signature, read_text_file, write_text_file
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.notice_bar import Notice, NoticeBar
from opstudio.workspace.unsaved_texts import UnsavedText, UnsavedTexts

_PAUSE_MILLISECONDS = 700
"""From the last key to a copy of the text that survives the studio."""


class EditorPage(QWidget):
    """The text of a file, a bar above it for what has to be asked, and one below it that searches."""

    state_changed = Signal()
    """The page was modified, saved or loaded."""
    content_replaced = Signal()
    """Another version of the file was loaded or saved."""
    paused = Signal()
    """Something was typed, and then nothing for a while."""

    def __init__(
        self,
        path: Path,
        theme: Theme,
        icons: Icons,
        *,
        editable: bool = True,
        unsaved: UnsavedTexts | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.path = path
        self._unsaved = unsaved
        self._found: UnsavedText | None = None
        self.notice = NoticeBar(theme, icons, self)
        self.editor = CodeEditor(theme, icons, path.suffix, self)
        self.find_bar = FindBar(self.editor, self)
        self._file: TextFile | None = None
        self._editable = editable
        self._is_gone = False
        self._was_modified = False
        """Before the file went away."""
        self._refusal: Finding | None = None
        """Why the last save failed."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice)
        layout.addWidget(self.editor, 1)
        layout.addWidget(self.find_bar)
        self.setFocusProxy(self.editor)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MILLISECONDS)
        self._timer.timeout.connect(self._take_pause)
        self._load_first()
        self._offer_unsaved()
        self.editor.document().modificationChanged.connect(self._tell_state)
        self.editor.document().contentsChanged.connect(self._timer.start)

    @property
    def file(self) -> TextFile | None:
        """The file as it was read or written last; ``None`` where it could not be read."""
        return self._file

    @property
    def is_modified(self) -> bool:
        """Whether there is something to save."""
        return self.editor.document().isModified()

    @property
    def position(self) -> tuple[int, int]:
        """The place of the cursor in characters, and the first line shown."""
        return self.editor.textCursor().position(), self.editor.verticalScrollBar().value()

    @position.setter
    def position(self, position: tuple[int, int]) -> None:
        cursor = self.editor.textCursor()
        cursor.setPosition(min(position[0], self.editor.document().characterCount() - 1))
        self.editor.setTextCursor(cursor)
        self.editor.verticalScrollBar().setValue(position[1])

    def save(self, *, by_itself: bool = False) -> bool:
        """Write the file; return whether it is written. What was changed outside is not overwritten unasked.

        A save ``by_itself``, after a pause, leaves the keyboard alone and says nothing twice.
        """
        if self._file is None or self.editor.isReadOnly():
            return False
        if self._differs_outside():
            self._ask_about_change()
            if not by_itself:
                self.notice.call()
            return False
        try:
            self._file = write_text_file(self._file, self.editor.file_text())
        except StudioError as error:
            finding, known = error.findings[0], self._refusal
            self._refusal = finding
            if not by_itself or finding != known:
                self._tell_refusal(finding, icon="bad", tone="bad")
            if not by_itself and finding == known:
                self.notice.call()
            return False
        self._is_gone, self._refusal = False, None
        self._settle_notice()
        self.editor.document().setModified(False)
        self.content_replaced.emit()
        return True

    def forget_unsaved(self) -> None:
        """Give up what was typed and not saved: the person chose so."""
        self._timer.stop()
        if self._unsaved is not None:
            self._unsaved.forget(self.path)

    def look_outside(self) -> None:
        """Load the file again if it was changed by another program; ask first where that would lose something."""
        if self._file is None:
            return
        signature = read_signature(self.path)
        if signature is None:
            self._tell_gone()
        elif self._is_gone:
            self._take_back()
        elif signature == self._file.signature:
            return
        elif self.is_modified:
            if self._differs_outside():
                self._ask_about_change()
        else:
            self._load_again()

    def _load_first(self) -> None:
        try:
            self._file = read_text_file(self.path)
        except InputError as error:
            self.editor.setReadOnly(True)
            self._tell_refusal(error.findings[0])
            return
        self.editor.setPlainText(self._file.text)
        self.editor.document().setModified(False)
        if self.editor.file_text() != self._file.text:
            self._editable = False
            self.notice.say(self._read_only_notice)
        self.editor.setReadOnly(not self._editable)

    def _offer_unsaved(self) -> None:
        """Ask what becomes of a text that was typed before the studio was killed."""
        found = self._unsaved.find(self.path) if self._unsaved is not None else None
        if found is None or self._file is None or self.editor.isReadOnly():
            return
        if found.text == self._file.text:
            self._discard_found()
            return
        self._found = found
        self.notice.say(self._unsaved_notice)

    def _restore_unsaved(self) -> None:
        if self._found is not None:
            self.editor.replace_text(self._found.text)
            self._keep_unsaved()
            self._discard_found()

    def _discard_found(self) -> None:
        """What was found has been taken up or given up."""
        self._found = None
        if self._unsaved is not None:
            self._unsaved.discard(self.path)

    def _keep_unsaved(self) -> None:
        # Where nothing can be written, saving tells why; typing goes on.
        if self._unsaved is not None:
            with contextlib.suppress(StudioError):
                self._unsaved.keep(self.path, self.editor.file_text())

    def _take_pause(self) -> None:
        if self.is_modified:
            self._keep_unsaved()
            # To save by itself is not to answer for the person: what was found is still offered.
            if self._found is None:
                self.paused.emit()

    def _load_again(self) -> None:
        """Take over the version of another program. The cursor stays, and the change can be undone."""
        try:
            self._file = read_text_file(self.path)
        except InputError:
            return  # it is being written; the next look finds it whole
        self._is_gone = False
        self._settle_notice()
        self.editor.replace_text(self._file.text)
        self.editor.document().setModified(False)
        self.content_replaced.emit()

    def _take_back(self) -> None:
        """The file is there again: as it was, with other content, or while the person typed on."""
        differs = self._differs_outside()
        if differs and not self._was_modified:
            self._load_again()
            return
        self._is_gone = False
        self._settle_notice()
        if differs:
            self._ask_about_change()
        elif not self._was_modified and self._file is not None and self.editor.file_text() == self._file.text:
            self.editor.document().setModified(False)

    def _settle_notice(self) -> None:
        """Take away what was said, except for an offer that still stands."""
        if self._found is not None:
            self.notice.say(self._unsaved_notice)
        else:
            self.notice.forget()

    def _differs_outside(self) -> bool:
        """Whether another program wrote something else than this page knows. A file that is gone does not differ."""
        if self._file is None or read_signature(self.path) in (None, self._file.signature):
            return False
        try:
            return read_text_file(self.path).data != self._file.data
        except InputError:
            return True

    def _ask_about_change(self) -> None:
        if not self.notice.is_saying(self._change_notice):
            self.notice.say(self._change_notice)

    def _keep_mine(self) -> None:
        """Take the version on disk for known; the next save replaces it."""
        try:
            self._file = read_text_file(self.path)
        except InputError:
            return
        self.editor.document().setModified(True)

    def _tell_gone(self) -> None:
        if not self._is_gone:
            self._is_gone = True
            self._was_modified = self.is_modified
            self.editor.document().setModified(True)
            self.notice.say(self._gone_notice)

    def _tell_refusal(self, finding: Finding, *, icon: str = "warning", tone: str = "warn") -> None:
        notice = Notice(text=f"{finding.title}: {finding.cause}. {finding.fix}.", icon=icon, tone=tone)
        self.notice.say(lambda: notice)

    def _read_only_notice(self) -> Notice:
        return Notice(text=self.tr("Read only: the file holds characters that the editor cannot keep."))

    def _unsaved_notice(self) -> Notice:
        seconds = int(self._found.at) if self._found is not None else 0
        form = self.tr("d MMM yyyy, HH:mm", "a date and a time, as Qt writes them")
        at = QLocale().toString(QDateTime.fromSecsSinceEpoch(seconds), form)
        return Notice(
            text=self.tr("There is unsaved text of {0}.").format(at),
            choices=((self.tr("Restore it"), self._restore_unsaved), (self.tr("Discard it"), self._discard_found)),
        )

    def _change_notice(self) -> Notice:
        return Notice(
            text=self.tr("{0} was changed by another program, and you have changes of your own.").format(
                self.path.name
            ),
            choices=((self.tr("Load that version"), self._load_again), (self.tr("Keep mine"), self._keep_mine)),
        )

    def _gone_notice(self) -> Notice:
        return Notice(
            text=self.tr("{0} was deleted or moved by another program. The text is still here.").format(self.path.name),
            choices=((self.tr("Save it again"), self._save_again),),
        )

    def _save_again(self) -> None:
        # With its folder, where that is gone as well; what keeps it from being made, saving says.
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        self.save()

    def _tell_state(self, modified: bool) -> None:  # noqa: FBT001 - Qt's signal
        if not modified:
            self.forget_unsaved()
        self.state_changed.emit()
