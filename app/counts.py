"""How many, in words: in English one is said in another way."""

from app.language import tr


def tokens(count: int) -> str:
    return tr("1 token") if count == 1 else tr("{count:,} tokens").format(count=count)


def past_texts(count: int) -> str:
    return tr("1 past text") if count == 1 else tr("{count:,} past texts").format(count=count)


def characters(count: int) -> str:
    return tr("1 character") if count == 1 else tr("{count:,} characters").format(count=count)


def downloads(count: int) -> str:
    return tr("1 download on the hub") if count == 1 else tr("{count:,} downloads on the hub").format(count=count)
