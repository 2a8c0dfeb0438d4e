"""The tokens as Qt's palette, and the few rules that a palette cannot express."""

from __future__ import annotations

from string import Template

from PySide6.QtGui import QColor, QPalette

from opstudio.base.assets import asset_root
from opstudio.base.colours import Tokens


def make_palette(tokens: Tokens) -> QPalette:
    """Return the palette of a theme."""
    palette = QPalette()
    role = QPalette.ColorRole
    for target, colour in {
        role.Window: tokens.ground,
        role.WindowText: tokens.text,
        role.Base: tokens.surface,
        role.AlternateBase: tokens.raised,
        role.Text: tokens.text,
        role.Button: tokens.raised,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.bad,
        role.Highlight: tokens.selection,
        role.HighlightedText: tokens.text,
        role.Accent: tokens.accent,
        role.Link: tokens.accent,
        role.LinkVisited: tokens.accent,
        role.ToolTipBase: tokens.raised,
        role.ToolTipText: tokens.text,
        role.PlaceholderText: tokens.text_3,
        role.Light: tokens.raised,
        role.Midlight: tokens.hover,  # of rows: see widgets.row_ground
        role.Mid: tokens.line,
        role.Dark: tokens.line,
        role.Shadow: tokens.ground,
    }.items():
        palette.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, QColor(tokens.text_3))
    return palette


def make_style_sheet(tokens: Tokens) -> str:
    """Return the style rules of a theme. They touch accents only; everything else is the palette's."""
    return Template(_RULES).substitute(
        ground=tokens.ground,
        surface=tokens.surface,
        raised=tokens.raised,
        line=tokens.line,
        text=tokens.text,
        text2=tokens.text_2,
        text3=tokens.text_3,
        accent=tokens.accent,
        selection=tokens.selection,
        hover=tokens.hover,
        tick=_drawing("tick", tokens),
        down=_drawing("down", tokens),
    )


def _drawing(name: str, tokens: Tokens) -> str:
    """Return a drawing that style rules name, which cannot be coloured: there is one for each theme."""
    return (asset_root("resources") / "icons" / f"{name}_{tokens.name}.svg").as_posix()


_RULES = """
QLabel[tone="quiet"] { color: $text2; }
QMainWindow::separator { background: $ground; width: 4px; height: 4px; }
QMainWindow::separator:hover { background: $line; }
QMenuBar { background: $ground; padding: 2px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; color: $text2; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $raised; color: $text; }
QMenu { background: $surface; border: 1px solid $line; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: $selection; }
QMenu::item:disabled { color: $text3; background: transparent; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QMenu::icon { left: 6px; }
QStatusBar { background: $ground; color: $text2; }
QStatusBar::item { border: none; }
QSplitter::handle { background: $line; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QToolTip { background: $raised; color: $text; border: 1px solid $line; padding: 5px 7px; }
QLineEdit { background: $ground; border: 1px solid $line; border-radius: 6px; padding: 2px 7px;
  selection-background-color: $selection; selection-color: $text; }
QLineEdit:focus { border-color: $accent; }
QPushButton { background: $raised; border: 1px solid $line; border-radius: 6px; padding: 4px 12px; }
QPushButton:hover { background: $hover; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $text3; }
QComboBox { background: $raised; border: 1px solid $line; border-radius: 6px; padding: 3px 10px; }
QComboBox:hover { background: $hover; }
QComboBox:focus { border-color: $accent; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url("$down"); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $line; selection-background-color: $selection; }
QPushButton[look="row"] { background: transparent; border: 1px solid transparent; text-align: left; padding: 5px 8px; }
QPushButton[look="row"]:hover { background: $hover; }
QPushButton[look="row"]:focus { border-color: $accent; }
QPushButton[look="field"] { background: $surface; color: $text2; text-align: left; padding: 3px 10px; }
QPushButton[look="field"]:hover { background: $hover; }
QCheckBox { spacing: 6px; }
QCheckBox::indicator, QListView::indicator { width: 14px; height: 14px;
  border: 1px solid $text3; border-radius: 3px; background: $ground; }
QCheckBox::indicator:hover, QListView::indicator:hover { border-color: $text2; }
QCheckBox::indicator:focus { border-color: $accent; }
QCheckBox::indicator:checked, QListView::indicator:checked { border-color: $accent;
  background: $accent; image: url("$tick"); }
QFrame[look="card"] { background: $surface; border: 1px solid $line; border-radius: 6px; }
QToolBar#rail { background: $ground; border: none; spacing: 4px; padding: 6px 4px; }
QToolBar#rail QToolButton { padding: 7px; border-left: 2px solid transparent; border-radius: 0; }
QToolBar#rail QToolButton:checked { border-left-color: $accent; background: $raised; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 3px; }
QToolButton:hover { background: $raised; }
QToolButton:focus { border-color: $accent; }
QToolButton::menu-indicator { image: none; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section { background: $surface; color: $text2; border: none; border-bottom: 1px solid $line;
  padding: 3px 10px 3px 3px; }
QTreeView QHeaderView::section:first, QTableView[look="panel"] QHeaderView::section:first { padding-left: 12px; }
QTabBar { background: $ground; qproperty-drawBase: 0; }
QTabBar::tab { background: $ground; color: $text2; border: none; border-top: 2px solid transparent;
  padding: 5px 14px 6px 12px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { background: $surface; color: $text; border-top-color: $accent; }
QTabBar::tab:bottom { border-top: none; border-bottom: 2px solid transparent; padding: 6px 14px 5px 12px; }
QTabBar::tab:bottom:selected { border-bottom-color: $accent; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $text3; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""
