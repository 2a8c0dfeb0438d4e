"""What the window asks and tells above its middle: trust, unsaved text, refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from opstudio.base.finding import Finding
from opstudio.qt.editor.editor_area import EditorArea
from opstudio.qt.widgets.notice_bar import Notice, NoticeBar


class Notices(QObject):
    """Says one thing at a time."""

    def __init__(self, bar: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar
        self._of_settings: Callable[[], Notice] | None = None

    def tell_refusal(self, finding: Finding) -> None:
        """Say why something could not be done."""
        self._bar.say(partial(_refusal, finding))

    def ask_for_trust(self, trust: Callable[[], None]) -> None:
        """Ask whether the workspace may be built and run."""
        self._bar.say(partial(self._trust, trust))

    def tell_broken_settings(self, findings: Sequence[Finding], show: Callable[[], None]) -> None:
        """Say that the settings of the workspace cannot be used any more, and offer the line."""
        self._say_of_settings(partial(self._broken_settings, findings, show))

    def tell_changed_settings(self, open_again: Callable[[], None]) -> None:
        """Say that the settings of the workspace changed, and offer to open it with them."""
        self._say_of_settings(partial(self._changed_settings, open_again))

    def forget_settings(self) -> None:
        """The settings are those in force again."""
        if self._of_settings is not None and self._bar.is_saying(self._of_settings):
            self._bar.forget()
        self._of_settings = None

    def ask_about_libraries(self, paths: Sequence[Path], run: Callable[[], None]) -> None:
        """Ask whether the code of operator libraries may run."""
        self._bar.say(partial(self._libraries, paths, run))

    def ask_about_unsaved(
        self, editors: EditorArea, save: Callable[[], None], close_without_saving: Callable[[], None]
    ) -> None:
        """Ask what becomes of text that was not saved."""
        self._bar.say(partial(self._unsaved, editors, save, close_without_saving))

    def _say_of_settings(self, make: Callable[[], Notice]) -> None:
        self._of_settings = make
        self._bar.say(make)

    def _broken_settings(self, findings: Sequence[Finding], show: Callable[[], None]) -> Notice:
        first = findings[0]
        place = str(first.places[0]) if first.places else ""
        more = self.tr(" There are {0} more.").format(len(findings) - 1) if len(findings) > 1 else ""
        stays = self.tr("The studio goes on with the settings from before.")
        return Notice(
            text=f"{Path(place).name}: {first.title}: {first.cause}. {first.fix}.{more} {stays}",
            choices=((self.tr("Show the line"), show),),
            tone="bad",
            icon="bad",
            can_close=True,
        )

    def _changed_settings(self, open_again: Callable[[], None]) -> Notice:
        return Notice(
            text=self.tr("opstudio.toml was changed. The new settings hold once the workspace is opened again."),
            choices=((self.tr("Open it again"), open_again),),
            icon="note",
            tone="info",
            can_close=True,
        )

    def _trust(self, trust: Callable[[], None]) -> Notice:
        return Notice(
            text=self.tr(
                "This workspace comes from elsewhere. To check its operators their code is built and run as you. "
                "Until you trust it, everything can be read and nothing is built or run."
            ),
            choices=((self.tr("Trust and check"), trust), (self.tr("Only read"), self._bar.forget)),
            icon="trust",
        )

    def _libraries(self, paths: Sequence[Path], run: Callable[[], None]) -> Notice:
        names = ", ".join(path.name for path in paths)
        text = self.tr(
            "To know which operators {0} brings, its code is run as you, in a process of its own. "
            "This workspace is not trusted: run it only where you know where it comes from."
        )
        return Notice(
            text=text.format(names),
            choices=((self.tr("Run its code"), run), (self.tr("Do without it"), self._bar.forget)),
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
