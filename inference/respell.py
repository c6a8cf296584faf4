"""A reply read back keeps the tokens it was written in.

Text can be spelled in tokens in several ways, and a sampled reply is now and then not spelled as the tokenizer would.
Rendered into the next prompt it would differ from what the caches hold, and be read again from there. So where prompt
and held text say the same in other tokens, the held ones are taken.
"""

from collections.abc import Sequence

from inference.common_prefix import common_prefix
from inference.tokenizer import Tokenizer


def respelled(prompt: Sequence[int], held: Sequence[int], tokenizer: Tokenizer) -> list[int]:
    """`prompt` with the tokens of `held` wherever a stretch between two control tokens reads the same, byte for byte.

    Goes on from the beginning until the texts really differ. Unchanged for tokenizers whose spelling is not known.
    """
    spelled = list(prompt)
    if tokenizer.spelling is None:
        return spelled
    while True:
        start = common_prefix(held, spelled)
        ours, theirs = _stretch(held, start, tokenizer), _stretch(spelled, start, tokenizer)
        if not ours or _bytes(ours, tokenizer) != _bytes(theirs, tokenizer):
            return spelled
        spelled[start : start + len(theirs)] = ours


def _stretch(tokens: Sequence[int], start: int, tokenizer: Tokenizer) -> list[int]:
    """The tokens from `start` to before the next control token."""
    end = start
    while end < len(tokens) and tokens[end] not in tokenizer.special_ids:
        end += 1
    return list(tokens[start:end])


def _bytes(tokens: Sequence[int], tokenizer: Tokenizer) -> bytes:
    return b"".join(tokenizer.token_bytes(token) for token in tokens)
