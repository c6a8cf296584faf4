"""How a token came about, for whoever points at it."""

from app.language import tr
from app.token_runs import Mark


def mark_words(mark: Mark) -> str:
    """The origin of the mark's tokens, and their round."""
    names = {
        "accepted": tr("Accepted: the draft wrote it, the target agreed"),
        "recalled": tr("Accepted: it was copied from an earlier chat, and the target agreed"),
        "recovered": tr("Recovered: the target wrote it instead of a rejected draft token"),
        "bonus": tr("Bonus: the target added it after a draft it accepted whole"),
    }
    return tr("{origin} (round {round})").format(origin=names[mark.run.origin], round=mark.run.round)
