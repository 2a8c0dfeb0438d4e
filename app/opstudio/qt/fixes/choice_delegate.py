"""Rows of fixes: a sentence that loses its end where there is no room, and ids at the right."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QStyleOptionViewItem

from opstudio.qt.widgets.detail_delegate import DetailDelegate


class ChoiceDelegate(DetailDelegate):
    """Leaves out the end of a sentence, also where ids stand beside it."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Say what is left out."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideRight
