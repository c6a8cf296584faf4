"""Small tokenizers of the kinds that real models have, made in memory."""

from functools import lru_cache
from typing import Any

from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers import Tokenizer as Backend
from transformers import PreTrainedTokenizerFast

from inference.tokenizer import Tokenizer
from tests.tiny_models import CHATML

WORDS = [
    "the",
    "thing",
    "there",
    "other",
    "another",
    "hello",
    "world",
    "system",
    "user",
    "assistant",
    "Straße",
    "naïve",
]
FOREIGN = ["世界", "世界", "你好", "🙂🙂", "مرحبا"]


def _wrapped(backend: Backend, template: str | None, bos: str, eos: str, **options: Any) -> Tokenizer:
    fast = PreTrainedTokenizerFast(tokenizer_object=backend, bos_token=bos, eos_token=eos, **options)
    fast.chat_template = template
    return Tokenizer(fast)


@lru_cache(maxsize=1)
def _byte_level_backend() -> str:
    backend = Backend(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=340,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        show_progress=False,
    )
    backend.train_from_iterator([" ".join(WORDS + FOREIGN)] * 4, trainer)
    backend.add_tokens(["<think>", "</think>"])
    return str(backend.to_str())


def byte_level(template: str | None = CHATML) -> Tokenizer:
    """As GPT-2, SmolLM2 and Qwen: no beginning token, `<think>` is an added token that is not special."""
    return _wrapped(Backend.from_str(_byte_level_backend()), template, "<|im_start|>", "<|im_end|>")


def _pieces() -> tuple[dict[str, int], list[tuple[str, str]]]:
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁"]
    tokens += sorted({character for word in WORDS[:8] for character in word} | set("<>/|_[]!?.:"))
    merges = [("t", "h"), ("th", "e"), ("▁", "the"), ("l", "l"), ("▁", "▁"), ("▁", "h")]
    tokens += [first + second for first, second in merges]
    return {token: index for index, token in enumerate(tokens)}, merges


def sentencepiece(template: str | None = None) -> Tokenizer:
    """As Llama 2: a space is put before a text and taken away again; other characters are spelt in bytes; adds BOS."""
    tokens, merges = _pieces()
    backend = Backend(models.BPE(vocab=tokens, merges=merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    backend.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="first", split=False)
    backend.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    backend.add_special_tokens(
        [AddedToken(token, special=True, normalized=False) for token in ("<unk>", "<s>", "</s>")]
    )
    backend.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return _wrapped(backend, template, "<s>", "</s>", unk_token="<unk>")


def gemma(template: str | None = None) -> Tokenizer:
    """As Gemma: spaces are pieces of their own, nothing is put before a text."""
    tokens, merges = _pieces()
    backend = Backend(models.BPE(vocab=tokens, merges=merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    backend.normalizer = normalizers.Replace(" ", "▁")
    backend.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    backend.add_special_tokens(
        [AddedToken(token, special=True, normalized=False) for token in ("<unk>", "<s>", "</s>")]
    )
    return _wrapped(backend, template, "<s>", "</s>", unk_token="<unk>")


def metaspace(template: str | None = None) -> Tokenizer:
    """Of a rare kind, whose decoder Foreword knows nothing about."""
    tokens, merges = _pieces()
    backend = Backend(models.BPE(vocab=tokens, merges=merges, unk_token="<unk>", byte_fallback=False))
    backend.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    backend.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    backend.add_special_tokens(
        [AddedToken(token, special=True, normalized=False) for token in ("<unk>", "<s>", "</s>")]
    )
    return _wrapped(backend, template, "<s>", "</s>", unk_token="<unk>")
