"""Lists with headings among their lines: a key that leads to a heading goes to the line beside it. Qt goes nowhere."""

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView

Move = QAbstractItemView.CursorAction
_BACK = {Move.MoveHome: 1, Move.MovePageUp: 1, Move.MoveEnd: -1, Move.MovePageDown: -1}


def beside_heading(index: QModelIndex, move: Move) -> QModelIndex:
    """index: where Qt's own `moveCursor` would go."""
    while index.isValid() and not index.flags() & Qt.ItemFlag.ItemIsEnabled and move in _BACK:
        index = index.siblingAtRow(index.row() + _BACK[move])
    return index
