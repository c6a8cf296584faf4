"""From tokens to text, one token at a time, never half a character."""

from codecs import getincrementaldecoder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inference.tokenizer import Tokenizer

_Utf8 = getincrementaldecoder("utf-8")
_UNFINISHED = "\ufffd"
_LONGEST_CHARACTER = 4  # tokens that one character may be spread over, a byte each
_WINDOW = 12


class Detokenizer:
    """The text of one reply. Everything pushed, put together, is `tokenizer.decode` of all tokens.

    Bytes that can never become a character show as U+FFFD as soon as that is certain; a character that is unfinished at
    the end of the reply is left out. continuing: the reply continues text before it, so that a space it begins with
    is kept where the tokenizer drops the first space of a text.
    """

    def __init__(self, tokenizer: "Tokenizer", continuing: bool = False) -> None:
        self._tokenizer = tokenizer
        self._spelling = tokenizer.spelling
        self._utf8 = _Utf8("replace")
        self._strip = self._spelling is not None and self._spelling.strips_first_space and not continuing
        # Without a spelling: the last tokens, their text so far, and how many tokens of them were held back.
        self._window: list[int] = []
        self._shown = ""
        self._held = 0

    def push(self, token: int) -> str:
        """The text that this token made whole; often nothing."""
        if self._spelling is None:
            return self._push_window(token)
        text = self._utf8.decode(self._tokenizer.token_bytes(token))
        if self._strip and text:
            self._strip = False
            return text.removeprefix(" ")
        return text

    def flush(self) -> str:
        """What was still held back when the reply ended, without an unfinished character."""
        self._utf8.reset()
        return self._release().rstrip(_UNFINISHED)

    def _push_window(self, token: int) -> str:
        """Decode the last few tokens again and show what they have become longer by."""
        if token in self._tokenizer.special_ids:
            return ""
        self._window.append(token)
        self._held += 1
        if self._tokenizer.decode(self._window).endswith(_UNFINISHED) and self._held < _LONGEST_CHARACTER:
            return ""
        return self._release()

    def _release(self) -> str:
        if not self._held:
            return ""
        text = self._tokenizer.decode(self._window)
        new = text[len(self._shown) :]
        self._shown, self._held = text, 0
        if len(self._window) > _WINDOW:
            self._window = self._window[-_LONGEST_CHARACTER:]
            self._shown = self._tokenizer.decode(self._window)
        return new
