"""The blocks of a text, one below the other. Blocks that are sealed are never drawn or even looked at again."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.blocks import Block, Code, Formula, Prose, Rule, Table, spans_of
from app.token_runs import TokenRuns
from app.views.block_view import BlockView, RuleView, gap_between, shared_levels
from app.views.code_block import CodeBlock
from app.views.formula_block import FormulaBlock
from app.views.reading_style import ReadingStyle
from app.views.table_block import TableBlock
from app.views.text_block import TextBlock
from app.views.text_surface import BLEED, TextSurface

VIEWS: dict[type[Block], type[BlockView]] = {
    Prose: TextBlock,
    Code: CodeBlock,
    Formula: FormulaBlock,
    Table: TableBlock,
    Rule: RuleView,
}


class BlockColumn(QWidget):
    """Stands BLEED to the left of its text, so that grounds of letters have room."""

    refitted = Signal()  # the person made a block higher or lower

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self._style = style
        self.views: list[BlockView] = []
        self.blocks: list[Block] = []
        self._sealed = 0
        self._width = 0
        self._caret: TextSurface | None = None

    def show_blocks(self, blocks: list[Block], sealed: int) -> int:
        """Bring the views in line with the blocks; the first of them that is another now."""
        shown = list(blocks)
        first = self._sealed
        while first < min(len(shown), len(self.blocks)) and shown[first] == self.blocks[first]:
            first += 1
        for index in range(first, len(shown)):
            self._show_one(index, shown)
        while len(self.views) > len(shown):
            self._discard(self.views.pop())
        self.blocks = shown
        for view in self.views[self._sealed : sealed]:
            view.seal()
        self._sealed = min(sealed, len(shown))
        return first

    @property
    def links(self) -> list[str]:
        """Every address in the blocks, once."""
        spans = [span for block in self.blocks for span in spans_of(block)]
        return list(dict.fromkeys(span.link for span in spans if span.link))

    def clear(self) -> None:
        self._sealed = 0
        self.show_blocks([], 0)

    def set_caret(self, shown: bool) -> None:
        """A bar where the next word will stand."""
        surfaces = self.views[-1].surfaces if shown and self.views else []
        caret = surfaces[-1] if surfaces else None
        if caret is not self._caret:
            if self._caret is not None:
                self._caret.set_caret(False)
            if caret is not None:
                caret.set_caret(True)
            self._caret = caret

    def mark(self, runs: TokenRuns | None, first: int = 0, *, fresh: bool) -> None:
        for view in self.views[first:]:
            view.mark(runs, fresh)

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        for view in self.views:
            view.set_style(style)

    def lay_out(self, width: int, first: int = 0) -> int:
        """Arrange the blocks from `first` on for text of this width; the whole height."""
        first = 0 if width != self._width else first
        self._width = width
        y = self.views[first - 1].geometry().bottom() + 1 if first else 0
        for view in self.views[first:]:
            height = view.lay_out(width)
            view.move(0, y)
            y += height
        self.resize(width + 2 * BLEED, y)
        return y

    def _show_one(self, index: int, blocks: list[Block]) -> None:
        block = blocks[index]
        before = blocks[index - 1] if index else None
        kind = VIEWS[type(block)]
        if index == len(self.views) or type(self.views[index]) is not kind:
            view = kind(self._style, self)
            if index < len(self.views):
                self._discard(self.views[index])
                self.views[index] = view
            else:
                self.views.append(view)
            view.refitted.connect(self.refitted)
            view.show_block(block)
            view.show()
        elif block != self.blocks[index]:
            self.views[index].show_block(block)
        self.views[index].set_gap(gap_between(before, block), shared_levels(before, block))

    def _discard(self, view: BlockView) -> None:
        if self._caret in view.surfaces:
            self._caret = None
        view.hide()
        view.deleteLater()
