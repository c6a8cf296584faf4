"""The speeds as a picture: a panel for each group, a bar for each arm, the ratio beside it."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from inference.bench.figures import Row
from inference.errors import UserError

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

WIDTH, MARGIN, LABEL, ROOM = 1200, 40, 200, 200  # pixels; ROOM to the right of the longest bar for its figures
BAR, STEP, HEADING, TITLE = 24, 34, 48, 76
INK, QUIET, PAPER, RULE = "#1d2129", "#5b6472", "#ffffff", "#d9dde3"
# Okabe and Ito's colours, told apart with every kind of colour vision.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f", "#a08a00")


def available() -> bool:
    try:
        import PIL  # noqa: F401
    except ImportError:
        return False
    return True


def require() -> None:
    """Raises UserError before anything is measured in vain."""
    if not available():
        raise UserError("A chart needs the package Pillow.", "Install it with: pip install pillow")


def draw(rows: Sequence[Row], title: str, caption: str) -> bytes:
    """A PNG. Text that the built-in typeface lacks shows as question marks."""
    from PIL import Image, ImageDraw, ImageFont

    groups = list(dict.fromkeys(row.group for row in rows))
    arms = list(dict.fromkeys(row.arm for row in rows))
    height = TITLE + len(groups) * HEADING + len(rows) * STEP + MARGIN
    image = Image.new("RGB", (WIDTH, height), PAPER)
    pen = ImageDraw.Draw(image)
    large, plain, small = (ImageFont.load_default(size) for size in (24, 17, 14))
    _write(pen, (MARGIN, 20), title, large, INK)
    _write(pen, (MARGIN, 50), caption, small, QUIET)
    scale = (WIDTH - 2 * MARGIN - LABEL - ROOM) / max([row.tok_s for row in rows] + [1e-9])
    y = TITLE
    for group in groups:
        _write(pen, (MARGIN, y + 20), group, plain, INK)
        pen.line((MARGIN, y + HEADING - 10, WIDTH - MARGIN, y + HEADING - 10), fill=RULE)
        y += HEADING
        for row in (row for row in rows if row.group == group):
            left, middle = MARGIN + LABEL, y + BAR / 2
            end = left + max(row.tok_s * scale, 1)
            pen.rectangle((left, y, end, y + BAR), fill=COLOURS[arms.index(row.arm) % len(COLOURS)])
            _write(pen, (MARGIN, middle), row.arm, plain, INK)
            ratio = f"   {row.ratio.median:.2f} x" if row.ratio else ""
            _write(pen, (end + 8, middle), f"{row.tok_s:.1f} tok/s{ratio}", small, QUIET)
            y += STEP
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _write(
    pen: "ImageDraw",
    place: tuple[float, float],
    text: str,
    font: "FreeTypeFont | ImageFont",
    colour: str,
) -> None:
    """`place`: the left end of the line, half-way up."""
    pen.text(place, text.encode("latin-1", "replace").decode("latin-1"), fill=colour, font=font, anchor="lm")
