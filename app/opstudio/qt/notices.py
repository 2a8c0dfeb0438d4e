"""What the window asks and tells above its middle: trust, unsaved text, refusals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from opstudio.base.finding import Finding
from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.widgets.notice_bar import Notice, NoticeBar


class Notices(QObject):
    """Says one thing at a time."""

    def __init__(self, bar: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar

    def tell_refusal(self, finding: Finding) -> None:
        """Say why something could not be done."""
        self._bar.say(partial(_refusal, finding))

    def ask_for_trust(self, trust: Callable[[], None]) -> None:
        """Ask whether the workspace may be built and run."""
        self._bar.say(partial(self._trust, trust))

    def ask_about_unsaved(
        self, editors: EditorArea, save: Callable[[], None], close_without_saving: Callable[[], None]
    ) -> None:
        """Ask what becomes of text that was not saved."""
        self._bar.say(partial(self._unsaved, editors, save, close_without_saving))

    def _trust(self, trust: Callable[[], None]) -> Notice:
        return Notice(
            text=self.tr(
                "This workspace comes from elsewhere. To check its operators their code is built and run as you. "
                "Until you trust it, everything can be read and nothing is built or run."
            ),
            choices=((self.tr("Trust and check"), trust), (self.tr("Only read"), self._bar.forget)),
            icon="trust",
        )

    def _unsaved(
        self, editors: EditorArea, save: Callable[[], None], close_without_saving: Callable[[], None]
    ) -> Notice:
        names = ", ".join(editors.title_of(page) for page in editors.modified)
        return Notice(
            text=self.tr("Not saved: {0}").format(names),
            choices=(
                (self.tr("Save and close"), save),
                (self.tr("Close without saving"), close_without_saving),
                (self.tr("Stay"), self._bar.forget),
            ),
        )


def _refusal(finding: Finding) -> Notice:
    return Notice(text=f"{finding.title}: {finding.cause}. {finding.fix}.", icon="bad", tone="bad")
