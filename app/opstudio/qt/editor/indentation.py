"""What Enter, Tab and Backtab do to a text: the usual courtesies of a plain editor."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor, QTextDocument

_LOOKED_AT = 400


def indent_unit(document: QTextDocument, suffix: str) -> str:
    """Return what one level is indented by: as the file does it, else as is usual for its kind."""
    block = document.firstBlock()
    for _ in range(min(document.blockCount(), _LOOKED_AT)):
        text = block.text()
        if text.startswith("\t"):
            return "\t"
        if text.startswith("  ") and text.strip() and not text.lstrip().startswith("*"):
            return "    " if text.startswith("    ") else "  "
        block = block.next()
    return "    " if suffix == ".py" else "  "


def break_line(cursor: QTextCursor) -> None:
    """Begin a new line that starts as deep as this one."""
    before = cursor.block().text()[: cursor.positionInBlock()]
    depth = before[: len(before) - len(before.lstrip())]
    cursor.insertText("\n" + depth)


def shift_lines(cursor: QTextCursor, unit: str, *, outwards: bool) -> None:
    """Indent the lines of a selection by one level, or take one level away."""
    document = cursor.document()
    first = document.findBlock(cursor.selectionStart()).blockNumber()
    last_block = document.findBlock(cursor.selectionEnd())
    # A selection that ends before the first character of a line does not mean that line.
    ends_before = cursor.hasSelection() and last_block.position() == cursor.selectionEnd()
    last = last_block.blockNumber() - (1 if ends_before and last_block.blockNumber() > first else 0)
    cursor.beginEditBlock()
    for number in range(first, last + 1):
        block = document.findBlockByNumber(number)
        edit = QTextCursor(block)
        if not outwards:
            if block.text().strip():
                edit.insertText(unit)
            continue
        text = block.text()
        depth = 1 if text.startswith("\t") else min(len(text) - len(text.lstrip(" ")), len(unit))
        edit.setPosition(block.position() + depth, QTextCursor.MoveMode.KeepAnchor)
        edit.removeSelectedText()
    cursor.endEditBlock()
