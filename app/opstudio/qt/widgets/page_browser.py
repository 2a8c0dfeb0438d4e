"""A page of Markdown in the colours and faces of the theme."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
    QTextTableFormat,
)
from PySide6.QtWidgets import QTextBrowser

from opstudio.base.colours import Tokens
from opstudio.qt.theme.fonts import SMALL_PIXELS, TITLE_PIXELS, UI_PIXELS, mono_font, ui_font
from opstudio.qt.theme.theme import Theme

_MARGIN = 14
_HEADING_PIXELS = {1: TITLE_PIXELS + 3, 2: TITLE_PIXELS}
_CELL_PADDING = 4
_CODE_INDENT = 8
_LINE_PERCENT = 118.0
_PARAGRAPH_GAP = 8
_Range = tuple[int, int]
"""First and behind the last character of a document."""


class PageBrowser(QTextBrowser):
    """Links are told, never followed. Qt's Markdown knows no style sheet, so that its marks are dressed here."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._markdown = ""
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(_MARGIN)
        theme.changed.connect(self._dress_again)

    @property
    def markdown(self) -> str:
        """The page that is shown."""
        return self._markdown

    def show_markdown(self, text: str) -> None:
        """Show another page from its beginning."""
        self._markdown = text
        self._fill()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    def go_to_text(self, text: str) -> None:
        """Select the first place of a text and scroll there, if it is on the page."""
        self.moveCursor(QTextCursor.MoveOperation.Start)
        if text:
            self.find(text)

    def _fill(self) -> None:
        document = self.document()
        document.setMarkdown(self._markdown, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        dress(document, self._theme.tokens)

    def _dress_again(self) -> None:
        place = self.verticalScrollBar().value()
        self._fill()
        self.verticalScrollBar().setValue(place)


def dress(document: QTextDocument, tokens: Tokens) -> None:
    """Give headings, code, links and tables of a document their looks."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for table in _tables(document):
        _dress_table(table, tokens)
    for block in _blocks(document):
        _dress_block(block, tokens)
    cursor.endEditBlock()
    # Nobody typed this.
    document.clearUndoRedoStacks()
    document.setModified(False)


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _tables(document: QTextDocument) -> list[QTextTable]:
    return [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]


def _dress_table(table: QTextTable, tokens: Tokens) -> None:
    looks = QTextTableFormat(table.format())
    looks.setBorderCollapse(True)
    looks.setBorder(1.0)
    looks.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    looks.setBorderBrush(QBrush(QColor(tokens.line)))
    looks.setCellPadding(_CELL_PADDING)
    looks.setCellSpacing(0)
    looks.setTopMargin(2)
    looks.setBottomMargin(_PARAGRAPH_GAP)
    table.setFormat(looks)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        ground = cell.format()
        ground.setBackground(QColor(tokens.raised))
        cell.setFormat(ground)


def _dress_block(block: QTextBlock, tokens: Tokens) -> None:
    cursor = QTextCursor(block)
    looks = block.blockFormat()
    level, is_code = looks.headingLevel(), _is_code(block)
    gap = _PARAGRAPH_GAP if is_code and not _is_code(block.next()) else 0
    cursor.setBlockFormat(_block_format(looks, tokens, gap, is_code=is_code))
    if level or is_code:
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        font = mono_font(SMALL_PIXELS + 0.5) if is_code else _heading_font(level)
        # Not merged: Markdown makes headings so many steps larger than the text, whatever the size of their font.
        cursor.setCharFormat(_char_format(font, tokens.text))
        return
    for (start, end), is_link in _marked(block):
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        if is_link:
            cursor.mergeCharFormat(_link_format(tokens))
        else:
            code = _char_format(mono_font(UI_PIXELS - 1), tokens.text)
            code.setBackground(QColor(tokens.raised))
            cursor.mergeCharFormat(code)


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def _block_format(looks: QTextBlockFormat, tokens: Tokens, gap: int, *, is_code: bool) -> QTextBlockFormat:
    """Return the looks of a block; ``gap`` is what stands below code."""
    result = QTextBlockFormat(looks)
    if is_code:
        result.setBackground(QColor(tokens.raised))
        result.setLeftMargin(_CODE_INDENT)
        result.setTopMargin(0)
        result.setBottomMargin(gap)
        result.setNonBreakableLines(False)
    elif looks.headingLevel():
        result.setTopMargin(_PARAGRAPH_GAP if looks.headingLevel() == 1 else 2 * _PARAGRAPH_GAP)
        result.setBottomMargin(_PARAGRAPH_GAP // 2)
    else:
        result.setLineHeight(_LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return result


def _marked(block: QTextBlock) -> list[tuple[_Range, bool]]:
    """Return where code and links stand in a block, and which of them are links."""
    found: list[tuple[_Range, bool]] = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        looks = fragment.charFormat()
        place = (fragment.position(), fragment.position() + fragment.length())
        if looks.fontFixedPitch():
            found.append((place, False))
        if looks.isAnchor():
            found.append((place, True))
        iterator += 1
    return found


def _char_format(font: QFont, colour: str) -> QTextCharFormat:
    looks = QTextCharFormat()
    looks.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesSpecifiedOnly)
    looks.setFontPointSize(font.pointSizeF())
    looks.setForeground(QColor(colour))
    return looks


def _link_format(tokens: Tokens) -> QTextCharFormat:
    looks = QTextCharFormat()
    looks.setForeground(QColor(tokens.accent))
    looks.setFontUnderline(False)
    return looks


def _heading_font(level: int) -> QFont:
    return ui_font(_HEADING_PIXELS.get(level, UI_PIXELS), semibold=True)
