"""Text to tokens and back, over whatever tokenizer a model folder holds."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from inference.chat_template import ChatTemplate, unused_character
from inference.errors import UserError
from inference.manager.trusted_code import ALLOW
from inference.spelling import Spelling, spelling_of

# One of these must be there: without any, transformers makes up an empty tokenizer for some classes.
_FILES = ("tokenizer.json", "*.model", "vocab.*", "tekken.json", "*.tiktoken")


class Tokenizer:
    """A thin wrapper around a transformers tokenizer. Never adds a beginning or an end token by itself."""

    def __init__(self, backend: Any, folder: Path | None = None) -> None:
        """backend: a tokenizer of transformers. folder: where generation_config.json and config.json stand, if any."""
        self._backend = backend
        self._folder = folder
        self._bytes: dict[int, bytes] = {}

    @classmethod
    def load(cls, folder: Path, trust_remote_code: bool = False) -> "Tokenizer":
        """Raises UserError when the folder has no tokenizer, or one that cannot be read."""
        if not any(any(folder.glob(pattern)) for pattern in _FILES):
            raise UserError(
                f"There is no tokenizer in {folder}.",
                "Open the folder that holds the model's config.json and tokenizer.json.",
            )
        from transformers import AutoTokenizer

        try:
            backend = AutoTokenizer.from_pretrained(
                str(folder.resolve()), local_files_only=True, trust_remote_code=trust_remote_code
            )
        except Exception as fault:  # the Rust part raises a bare Exception for a file it cannot read
            if "trust_remote_code" in str(fault):
                raise UserError(
                    "This model's tokenizer is a program of its own, and running such programs is switched off.",
                    ALLOW,
                ) from fault
            raise UserError(
                f"The tokenizer in {folder} cannot be read ({type(fault).__name__}: {str(fault)[:200]}).",
                "Its files may be damaged or incomplete: download the model again.",
            ) from fault
        return cls(backend, folder)

    # --- vocabulary

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """Token -> id, added tokens included. Ids may have gaps, and the model may have rows beyond them."""
        return {str(token): int(index) for token, index in self._backend.get_vocab().items()}

    @cached_property
    def added_tokens(self) -> frozenset[str]:
        """Tokens that stand beside the trained vocabulary: control tokens, tool marks, fillers."""
        return frozenset(str(token) for token in self._backend.added_tokens_decoder.values())

    @cached_property
    def special_ids(self) -> frozenset[int]:
        """Tokens that are never shown: the added tokens that are marked as special."""
        return frozenset(int(i) for i, token in self._backend.added_tokens_decoder.items() if token.special)

    @cached_property
    def special_tokens(self) -> tuple[str, ...]:
        return tuple(str(self._backend.added_tokens_decoder[i]) for i in sorted(self.special_ids))

    def token_text(self, token: int) -> str:
        """What a token stands for, for people: half a character shows as U+FFFD, an unknown id as its number."""
        name = self._backend.convert_ids_to_tokens(token) if token >= 0 else None
        if name is None:
            return f"[{token}]"
        if token in self.special_ids or self.spelling is None:
            return str(name)
        return self.spelling.bytes_of(str(name)).decode("utf-8", "replace")

    # --- text to tokens

    def encode(self, text: str, special: bool = True) -> list[int]:
        """special: control tokens written in the text become those tokens, as templates need; else they stay text."""
        if special:
            return self._encode(text)
        mark = unused_character(text)
        return self.encode_marked(self.mark_control_tokens(text, mark), mark)

    def mark_control_tokens(self, text: str, mark: str) -> str:
        """Put `mark` after the first character of every control token in `text`, for `encode_marked`."""
        return self._control.sub(rf"\g<0>{mark}", text) if self._control is not None else text

    def encode_marked(self, text: str, mark: str) -> list[int]:
        """Tokenize `text` in parts cut at each `mark`, so that no token spans one; whole when there is none."""
        first, *others = text.split(mark)
        return [*self._encode(first), *(token for part in others if part for token in self._encode_inner(part))]

    def continuation(self, text: str) -> list[int]:
        """Tokens of a text that goes on after another one; control tokens written in it stay text."""
        mark = unused_character(text)
        return self.encode_marked(mark + self.mark_control_tokens(text, mark), mark) if text else []

    def _encode_inner(self, text: str) -> list[int]:
        # After a new line, so that SentencePiece does not put the space there that it puts before a text.
        line, both = self._encode("\n"), self._encode("\n" + text)
        return both[len(line) :] if both[: len(line)] == line else self._encode(text)

    def _encode(self, text: str) -> list[int]:
        if not text:
            return []
        # Half a surrogate pair, as a paste may leave it, has no UTF-8 and would be an error.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return [int(token) for token in self._backend.encode(text, add_special_tokens=False, verbose=False)]

    @cached_property
    def _control(self) -> re.Pattern[str] | None:
        """The first character of each control token, wherever one begins. One of a single character cannot be cut."""
        ends = {name for name in self.added_tokens if self.vocabulary.get(name) in self.end_tokens()}
        names = [re.escape(name) for name in sorted({*self.special_tokens, *ends}) if len(name) > 1]
        return re.compile(f"(?={'|'.join(names)}).", re.DOTALL) if names else None

    @cached_property
    def opening_tokens(self) -> tuple[int, ...]:
        """What the tokenizer itself puts before a text (BOS, or nothing); templates write it themselves."""
        bare, whole = self._encode("a"), [int(token) for token in self._backend.encode("a")]
        starts = (at for at in range(len(whole)) if whole[at : at + len(bare)] == bare)
        return tuple(whole[: next(starts, 0)])

    # --- tokens to text

    def decode(self, tokens: Sequence[int]) -> str:
        """The whole text at once, without special tokens. `inference.detokenizer` does the same token by token."""
        return str(self._backend.decode(list(tokens), skip_special_tokens=True, clean_up_tokenization_spaces=False))

    @cached_property
    def spelling(self) -> Spelling | None:
        """How tokens spell text; None when this tokenizer is of a rare kind and only `decode` knows."""
        decoder = getattr(getattr(self._backend, "backend_tokenizer", None), "decoder", None)
        return None if decoder is None else spelling_of(json.loads(decoder.__getstate__()))

    def token_bytes(self, token: int) -> bytes:
        """The bytes a token adds to a text; none for special and unknown tokens. Needs `spelling`."""
        known = self._bytes.get(token)
        if known is None:
            assert self.spelling is not None
            name = None if token in self.special_ids or token < 0 else self._backend.convert_ids_to_tokens(token)
            known = self._bytes[token] = b"" if name is None else self.spelling.bytes_of(str(name))
        return known

    # --- templates and ends

    @property
    def chat_template(self) -> str | None:
        """The source of the model's chat template. Of several, the one named "default"."""
        source = getattr(self._backend, "chat_template", None)
        if isinstance(source, Mapping):
            source = source.get("default")
        return str(source) if source else None

    @cached_property
    def template(self) -> ChatTemplate:
        names = self._backend.special_tokens_map
        return ChatTemplate(self.chat_template, {n: str(t) for n, t in names.items() if not isinstance(t, list)})

    def end_tokens(self, generation_config: Mapping[str, Any] | None = None) -> frozenset[int]:
        """Every token that ends a reply.

        The union of `generation_config`, the folder's generation_config.json and config.json, the tokenizer's own end
        token, and what the template writes after the assistant's words.
        """
        configs = [generation_config or {}]
        configs += [_json(self._folder / name) for name in ("generation_config.json", "config.json") if self._folder]
        configs += [part for config in configs if isinstance(part := config.get("text_config"), Mapping)]
        ends: set[int] = set()
        for config in configs:
            value = config.get("eos_token_id")
            values = value if isinstance(value, list | tuple) else [value]
            ends.update(token for token in values if isinstance(token, int) and token >= 0)
        names = (self._backend.eos_token, self.template.end_of_turn(self.special_tokens))
        ends.update(self.vocabulary[name] for name in names if name in self.vocabulary)
        return frozenset(ends)


def _json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; empty when there is none. A damaged one is reported by who loads the weights."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
