"""Several sentences at once, such as why each of some files is refused: a line for each, and no more than fit."""

from collections.abc import Sequence

from app.language import tr

MOST_SAID = 4


def in_lines(said: Sequence[str]) -> str:
    lines = list(dict.fromkeys(said))
    if len(lines) > MOST_SAID:
        lines[MOST_SAID:] = [tr("And {count} more.").format(count=len(lines) - MOST_SAID)]
    return "\n".join(lines)
