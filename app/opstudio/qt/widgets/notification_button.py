"""The bell at the foot of the window: what was told lately, in a menu."""

from __future__ import annotations

import time
from functools import partial

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QMenu, QToolButton

from opstudio.qt.notifications import Notification, Notifications
from opstudio.qt.theme.icons import Icons


class NotificationButton(QToolButton):
    """Opens the list of notifications."""

    chosen = Signal(str)
    """The operator of a notification was chosen."""

    def __init__(self, notifications: Notifications, icons: Icons) -> None:
        super().__init__()
        self._notifications, self._icons = notifications, icons
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setIconSize(QSize(14, 14))
        icons.changed.connect(self._refresh)
        notifications.told.connect(self._take)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts."""
        self.setToolTip(self.tr("Notifications"))
        self.setAccessibleName(self.tr("Notifications"))
        self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def _take(self, _notification: Notification) -> None:
        self._refresh()

    def _refresh(self) -> None:
        self.setIcon(self._icons.icon("bell"))
        self.setVisible(bool(self._notifications.kept))

    def _fill(self) -> None:
        self._menu.clear()
        for item in self._notifications.kept:
            stamp = time.strftime("%H:%M", time.localtime(item.at))
            action = self._menu.addAction(self._icons.icon(item.icon, item.tone), f"{stamp}  {item.text}")
            if item.operator:
                action.triggered.connect(partial(self.chosen.emit, item.operator))
