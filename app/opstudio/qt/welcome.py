"""The page for the first minutes: three things to try, and the workspaces that were opened last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from opstudio.base.assets import asset_root
from opstudio.qt.preferences import Preferences
from opstudio.qt.theme.fonts import SMALL_PIXELS, ui_font
from opstudio.qt.theme.icons import Icons
from opstudio.qt.theme.theme import Theme
from opstudio.qt.widgets.translated import TranslatedWidget

_WIDTH = 760
_TITLE_PIXELS = 22.0
_MOST_RECENT = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Something to try. The texts are English, marked with ``QT_TRANSLATE_NOOP("Welcome", …)``."""

    icon: str
    title: str
    text: str
    button: str
    run: Callable[[], None]


class WelcomePage(TranslatedWidget):
    """Stands in the middle of the window until something is opened."""

    workspace_chosen = Signal(Path)
    left = Signal()
    """The person wants to go on with what they had."""

    def __init__(
        self,
        suggestions: Sequence[Suggestion],
        preferences: Preferences,
        theme: Theme,
        icons: Icons,
        *,
        can_leave: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._suggestions, self._preferences, self._theme, self._icons = suggestions, preferences, theme, icons
        self._title, self._text, self._recent_title = QLabel(), QLabel(), QLabel()
        self._cards = [_Card(suggestion, icons) for suggestion in suggestions]
        self._recent = QVBoxLayout()
        self._leave = QPushButton()
        self._leave.setVisible(can_leave)
        self._leave.clicked.connect(self.left)
        self.setAutoFillBackground(True)
        self._lay_out()
        self.retranslate()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """What starts each suggestion."""
        return tuple(card.button for card in self._cards)

    def retranslate(self) -> None:
        """Set the texts."""
        self._title.setText(self.tr("OpStudio"))
        self._text.setText(
            self.tr(
                "Save a kernel, and within a second one verdict says whether it compiles, registers, differentiates, "
                "loads and computes the same everywhere – and if not, why."
            )
        )
        self._recent_title.setText(self.tr("Recent workspaces"))
        self._leave.setText(self.tr("Go on to the editor"))
        for card in self._cards:
            card.retranslate()
        self.refresh()

    def refresh(self) -> None:
        """List the workspaces that were opened last."""
        while item := self._recent.takeAt(0):
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        roots = self._preferences.recent[:_MOST_RECENT]
        self._recent_title.setVisible(bool(roots))
        for root in roots:
            self._recent.addWidget(self._recent_row(root))

    def _recent_row(self, root: Path) -> QPushButton:
        button = QPushButton(f"{root.name}    {root.parent}")
        button.setProperty("look", "row")
        button.setIcon(self._icons.icon("folder"))
        button.setToolTip(str(root))
        button.clicked.connect(partial(self.workspace_chosen.emit, root))
        return button

    def _lay_out(self) -> None:
        content = QWidget()
        content.setMaximumWidth(_WIDTH)
        logo = QLabel()
        logo.setPixmap(QPixmap(str(asset_root("resources") / "icons" / "opstudio.svg")).scaledToHeight(40))
        self._title.setFont(ui_font(_TITLE_PIXELS, semibold=True))
        self._text.setWordWrap(True)
        self._text.setProperty("tone", "quiet")
        self._recent_title.setFont(ui_font(SMALL_PIXELS, semibold=True))
        self._recent.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(logo)
        head.addWidget(self._title, 1)
        column = QVBoxLayout(content)
        column.setContentsMargins(32, 40, 32, 32)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._text)
        column.addSpacing(16)
        for card in self._cards:
            column.addWidget(card)
        column.addSpacing(16)
        column.addWidget(self._recent_title)
        column.addLayout(self._recent)
        column.addSpacing(16)
        column.addWidget(self._leave, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(content, 100)
        row.addStretch(1)
        scroll.setWidget(holder)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)


class _Card(QFrame):
    """One suggestion: icon, title, text, button."""

    def __init__(self, suggestion: Suggestion, icons: Icons) -> None:
        super().__init__()
        self._suggestion, self._icons = suggestion, icons
        self.button = QPushButton()
        self._icon, self._title, self._text = QLabel(), QLabel(), QLabel()
        self._title.setFont(ui_font(semibold=True))
        self._text.setWordWrap(True)
        self._text.setProperty("tone", "quiet")
        self.setProperty("look", "card")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._text)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 12)
        row.setSpacing(16)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.button.clicked.connect(suggestion.run)
        icons.changed.connect(self._refresh)
        self._refresh()

    def retranslate(self) -> None:
        self._title.setText(QCoreApplication.translate("Welcome", self._suggestion.title))
        self._text.setText(QCoreApplication.translate("Welcome", self._suggestion.text))
        self.button.setText(QCoreApplication.translate("Welcome", self._suggestion.button))

    def _refresh(self) -> None:
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(self._icons.pixmap(self._suggestion.icon, "accent", size=20, ratio=ratio))
