"""Makes a tokenizer in the `tokenizers` format from the vocabulary inside a GGUF file.

Two families: byte-level BPE with its merges in the file (`gpt2`), and SentencePiece BPE (`llama`), whose merges follow
from its scores. How text is split before merging is only named in the file; a name that is not in the table is refused,
because a wrong split gives a model that answers slightly worse for no visible reason.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from inference.errors import UserError
from inference.manager.gguf_file import GgufFile

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
_ANOTHER = "Get the model as a transformers folder (safetensors), or choose another model."
_PLACEHOLDER = re.compile(
    r"\[PAD\d+\]"
)  # rows that only pad the embedding matrix; the real tokenizer has no such token

_WORDS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_LLAMA3 = rf"{_WORDS}|\p{{N}}{{1,3}}|{_REST}"
_QWEN2 = rf"{_WORDS}|\p{{N}}|{_REST}"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_TEKKEN = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_SPLITS = {
    "llama-bpe": _LLAMA3, "llama3": _LLAMA3, "llama-v3": _LLAMA3, "smaug-bpe": _LLAMA3, "falcon3": _LLAMA3,
    "qwen2": _QWEN2, "deepseek-r1-qwen": _QWEN2,
    "tekken": _TEKKEN,
}  # fmt: skip
_SINGLE_DIGITS = {"smollm", "starcoder", "refact"}  # each digit alone, then the split of GPT-2
_WHOLE_WORDS = {
    "llama-bpe",
    "llama3",
    "llama-v3",
    "smaug-bpe",
    "falcon3",
    "tekken",
}  # a whole word in the vocabulary is not merged
_END_OF_TURN = (
    "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<end_of_turn>", "<|end|>",
)  # fmt: skip


class GgufVocabulary:
    """The tokenizer part of a GGUF file's metadata, checked. Raises UserError."""

    def __init__(self, file: GgufFile) -> None:
        self._name = file.path.name
        self._metadata = file.metadata
        self.architecture = file.architecture
        tokens = self._metadata.get("tokenizer.ggml.tokens")
        if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens) or not tokens:
            raise UserError(f"{self._name} holds no tokenizer.", "Get the file again.")
        types = self._metadata.get("tokenizer.ggml.token_type") or [NORMAL] * len(tokens)
        if len(types) != len(tokens):
            raise UserError(f"{self._name} has a damaged tokenizer.", "Get the file again.")
        while types[-1] in (UNUSED, UNKNOWN) and _PLACEHOLDER.fullmatch(tokens[-1]) and len(types) > 1:
            tokens, types = tokens[:-1], types[:-1]
        self.tokens = _distinct(tokens)
        self.types: list[int] = types

    @property
    def kind(self) -> str:
        return str(self._metadata.get("tokenizer.ggml.model", ""))

    def flag(self, key: str, default: bool) -> bool:
        return bool(self._metadata.get(f"tokenizer.ggml.{key}", default))

    def special(self, name: str) -> int | None:
        """The id of "bos", "eos", ... or None; an id outside the vocabulary counts as none."""
        value = self._metadata.get(f"tokenizer.ggml.{name}_token_id")
        return value if isinstance(value, int) and 0 <= value < len(self.tokens) else None

    @property
    def add_bos(self) -> bool:
        return self.special("bos") is not None and self.flag("add_bos_token", self.kind == "llama")

    @property
    def end_tokens(self) -> list[int]:
        """Every token after which a reply is over; the file's own first."""
        found = [self.special(name) for name in ("eos", "eot", "eom")]
        control = {token: i for i, token in enumerate(self.tokens) if self.types[i] == CONTROL}
        found += [control.get(token) for token in _END_OF_TURN]
        return list(dict.fromkeys(token for token in found if token is not None))

    @property
    def chat_template(self) -> str | None:
        template = self._metadata.get("tokenizer.chat_template")
        return template if isinstance(template, str) and template.strip() else None

    @property
    def split(self) -> str:
        """The name of the way in which text is split before merging."""
        name = self._metadata.get("tokenizer.ggml.pre")
        if name:
            return str(name)
        if self.architecture in ("qwen2", "qwen3"):
            return "qwen2"
        return "llama-bpe" if "<|begin_of_text|>" in self.tokens else "unnamed"

    def tokenizer(self) -> "Tokenizer":
        if self.kind == "gpt2":
            tokenizer = self._byte_level()
        elif self.kind == "llama":
            tokenizer = self._sentencepiece()
        else:
            raise UserError(
                f"{self._name} has a tokenizer of the kind {self.kind!r}, which Foreword cannot convert.", _ANOTHER
            )
        from tokenizers import AddedToken
        from tokenizers.processors import TemplateProcessing

        kinds = {CONTROL: True, UNKNOWN: True, USER_DEFINED: False}
        added = [(token, kinds[kind]) for token, kind in zip(self.tokens, self.types, strict=True) if kind in kinds]
        tokenizer.add_special_tokens(
            [AddedToken(token, special=True, normalized=False) for token, hide in added if hide]
        )
        tokenizer.add_tokens([AddedToken(token, normalized=False) for token, hide in added if not hide])
        if self.add_bos:
            bos = self.special("bos")
            assert bos is not None
            name = self.tokens[bos]
            tokenizer.post_processor = TemplateProcessing(
                single=[name, "$A"], pair=[name, "$A", name, "$B"], special_tokens=[(name, bos)]
            )
        return tokenizer

    def _byte_level(self) -> "Tokenizer":
        from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

        vocabulary = {token: i for i, token in enumerate(self.tokens)}
        pairs = [merge.split(" ") for merge in self._metadata.get("tokenizer.ggml.merges") or ()]
        merges = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2 and _known(pair, vocabulary)]
        if not merges:
            raise UserError(f"{self._name} holds a vocabulary without its merges.", "Get the file again.")
        name = self.split
        steps: list[Any]
        if name in _SPLITS:
            by_words = pre_tokenizers.Split(Regex(_SPLITS[name]), behavior="isolated")
            steps = [by_words, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
        elif name in _SINGLE_DIGITS:
            digits = pre_tokenizers.Digits(individual_digits=True)
            steps = [digits, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
        elif name == "gpt-2":
            steps = [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
        else:
            raise UserError(f"{self._name} splits text in a way that Foreword does not know ({name}).", _ANOTHER)
        tokenizer = Tokenizer(models.BPE(vocabulary, merges, ignore_merges=name in _WHOLE_WORDS))
        if name == "qwen2":
            tokenizer.normalizer = normalizers.NFC()
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
        tokenizer.decoder = decoders.ByteLevel()
        return tokenizer

    def _sentencepiece(self) -> "Tokenizer":
        from tokenizers import Tokenizer, decoders, models, normalizers

        gemma = self.architecture.startswith("gemma")
        if gemma:  # runs of blanks are written as blanks there, but looked up as ▁
            self.tokens = _distinct("▁" * len(t) if t and not t.strip(" ") else t for t in self.tokens)
        scores = self._metadata.get("tokenizer.ggml.scores") or []
        if not gemma and len(scores) < len(self.tokens):
            raise UserError(f"{self._name} holds a vocabulary without its scores.", "Get the file again.")
        vocabulary = {token: i for i, token in enumerate(self.tokens)}
        mergeable = {t: i for t, i in vocabulary.items() if self.types[i] in (NORMAL, USER_DEFINED)}
        # Gemma's scores do not follow the order of its merges; the order of its tokens does.
        rank = {t: (-float(i) if gemma else float(scores[i])) for t, i in mergeable.items()}
        unknown = self.special("unknown")
        if unknown is None and UNKNOWN in self.types:
            unknown = self.types.index(UNKNOWN)
        tokenizer = Tokenizer(
            models.BPE(
                vocabulary,
                _merges(rank),
                unk_token=None if unknown is None else self.tokens[unknown],
                fuse_unk=True,
                byte_fallback=True,
            )
        )
        steps: list[Any] = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
        underline = normalizers.Replace(" ", "▁")
        if self.flag("add_space_prefix", True):
            tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), underline])
            steps.append(decoders.Strip(" ", 1, 0))
        else:
            tokenizer.normalizer = underline
        tokenizer.decoder = decoders.Sequence(steps)
        return tokenizer

    def configuration(self) -> dict[str, Any]:
        """The contents of tokenizer_config.json."""
        config: dict[str, Any] = {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "clean_up_tokenization_spaces": False,
            "add_bos_token": self.add_bos,
        }
        for key, name in (("bos", "bos"), ("eos", "eos"), ("unk", "unknown"), ("pad", "padding")):
            token = self.special(name)
            if token is not None:
                config[f"{key}_token"] = self.tokens[token]
        if self.chat_template is not None:
            config["chat_template"] = self.chat_template
        return config


def _distinct(tokens: Iterable[str]) -> list[str]:
    """A vocabulary maps texts to ids one to one; a second token with the same text gets one that nobody types."""
    seen: set[str] = set()
    result = []
    for i, token in enumerate(tokens):
        result.append(f"<duplicate {i}>" if token in seen else token)
        seen.add(token)
    return result


def _known(pair: list[str], vocabulary: dict[str, int]) -> bool:
    return pair[0] in vocabulary and pair[1] in vocabulary and pair[0] + pair[1] in vocabulary


def _merges(rank: dict[str, float]) -> list[tuple[str, str]]:
    """Every way to join two tokens into a third, the best third first (SentencePiece joins by score)."""
    found = [
        (score, token[:cut], token[cut:])
        for token, score in rank.items()
        for cut in range(1, len(token))
        if token[:cut] in rank and token[cut:] in rank
    ]
    found.sort(key=lambda merge: (-merge[0], -len(merge[1])))
    return [(left, right) for _, left, right in found]
