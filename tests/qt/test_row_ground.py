"""Rows of lists: flat grounds in the colours of the theme, whatever the style would paint."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem, QTableView

from opstudio.qt.theme.theme import Theme, ThemeChoice
from opstudio.qt.widgets.detail_delegate import DetailDelegate
from opstudio.qt.widgets.number_delegate import NumberDelegate
from opstudio.qt.widgets.row_delegate import RowDelegate

FLAGS = QStyle.StateFlag
AREA = QRect(0, 0, 160, 26)
Delegate = RowDelegate | NumberDelegate


def colours(view: QListView | QTableView, delegate: Delegate, state: QStyle.StateFlag) -> list[set[str]]:
    """Return the colours within a painted row of an empty text, and those of its edge."""
    model = QStandardItemModel(view)
    model.appendRow([QStandardItem("")])
    view.setModel(model)
    option = QStyleOptionViewItem()
    option.rect, option.state, option.palette, option.widget = AREA, FLAGS.State_Enabled | state, view.palette(), view
    image = QImage(AREA.size(), QImage.Format.Format_RGB32)
    image.fill(view.palette().base().color())
    with QPainter(image) as painter:
        delegate.paint(painter, option, model.index(0, 0))
    edge = {(x, y) for x in range(AREA.width()) for y in (0, AREA.height() - 1)}
    everywhere = {(x, y) for x in range(1, AREA.width() - 1) for y in range(1, AREA.height() - 1)}
    return [{image.pixelColor(x, y).name().upper() for x, y in points} for points in (everywhere, edge)]


@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
@pytest.mark.parametrize("kind", [RowDelegate, NumberDelegate, DetailDelegate])
def test_that_rows_are_flat(choice: ThemeChoice, kind: type[Delegate], theme: Theme) -> None:
    theme.choose(choice)
    view = QListView()
    delegate = DetailDelegate(theme, view, padding=8) if kind is DetailDelegate else kind(view)  # type: ignore[arg-type]
    tokens = theme.tokens
    assert colours(view, delegate, FLAGS.State_None) == [{tokens.surface}] * 2
    assert colours(view, delegate, FLAGS.State_MouseOver) == [{tokens.hover}] * 2
    selected = FLAGS.State_Selected | FLAGS.State_HasFocus | FLAGS.State_Active | FLAGS.State_MouseOver
    assert colours(view, delegate, selected) == [{tokens.selection}] * 2
    # With the keyboard on a row that is not selected there is a frame to see.
    assert colours(view, delegate, FLAGS.State_HasFocus) == [{tokens.surface}, {tokens.accent}]
    view.deleteLater()


def test_that_no_single_cell_of_a_table_lights_up(theme: Theme) -> None:
    view = QTableView()
    assert colours(view, RowDelegate(view), FLAGS.State_MouseOver) == [{theme.tokens.surface}] * 2
    view.deleteLater()
