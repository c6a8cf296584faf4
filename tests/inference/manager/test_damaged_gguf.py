"""A damaged GGUF file is told in one sentence with its name and a remedy, and nothing of it is left behind."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager.store import Store
from tests.inference.manager import tiny_gguf

Change = Callable[[bytes], bytes]
COUNT, ALIGNMENT = b"llama.block_count", b"general.alignment"  # of the same length
QUERY = b"blk.0.attn_q.weight"
TYPE, PLACE = 4 + 2 * 8, 4 + 2 * 8 + 4  # bytes after a matrix's name: its dimensions, then type and place


def after(name: bytes, skip: int, form: str, value: float) -> Change:
    """Another number so many bytes after a name."""

    def change(raw: bytes) -> bytes:
        start = raw.index(name) + len(name) + skip
        new = struct.pack(form, value)
        return raw[:start] + new + raw[start + len(new) :]

    return change


def setting(key: str, form: str, value: float) -> Change:
    return after(f"llama.{key}".encode(), 4, form, value)


DAMAGED: list[tuple[str, Change, str]] = [
    ("empty", lambda raw: b"", "not a GGUF file|could not be read"),
    ("another magic", lambda raw: b"GGML" + raw[4:], "t.gguf is not a GGUF file"),
    ("cut in its head", lambda raw: raw[:200], "t.gguf is damaged or cut off"),
    ("cut at its end", lambda raw: raw[:-64], "t.gguf is damaged or cut off.*tensor"),
    ("version of the future", lambda raw: raw[:4] + struct.pack("<I", 9) + raw[8:], "GGUF version 9"),
    ("unknown architecture", lambda raw: raw.replace(b"llama", b"camel"), "t.gguf.*the camel architecture"),
    ("unknown quantization", after(QUERY, TYPE, "<I", 250), "t.gguf.*quantization.*250"),
    ("tensor past the end", after(QUERY, PLACE, "<Q", 1 << 40), "t.gguf.*attn_q.* ends after the file"),
    ("tensor at an odd place", after(QUERY, PLACE, "<Q", (1 << 64) - 1), "t.gguf"),
    ("tensor of terabytes", after(QUERY, 4, "<Q", 1 << 44), "t.gguf.*attn_q"),
    ("shape of another model", setting("embedding_length", "<I", 128), "t.gguf.*shape"),
    ("layers without end", setting("block_count", "<I", 1 << 30), "t.gguf tells of .* layers"),
    ("no heads", setting("attention.head_count", "<I", 0), "t.gguf.*attention.head_count"),
    ("negative heads", setting("attention.head_count_kv", "<i", -1), "t.gguf.*attention.head_count_kv"),
    ("epsilon NaN", setting("attention.layer_norm_rms_epsilon", "<f", float("nan")), "t.gguf.*epsilon"),
    ("a weight of another name", lambda raw: raw.replace(QUERY, b"blk.0.attn_x.weight"), "t.gguf.*attn_[qx]"),
    ("text without end", after(b"tokenizer.ggml.model", 4, "<Q", 1 << 60), "t.gguf is damaged"),
    ("array without end", after(b"tokenizer.ggml.tokens", 8, "<Q", 1 << 60), "t.gguf is damaged.*an array ends after"),
    ("unknown type", after(COUNT, 0, "<I", 77), "t.gguf is damaged.*unknown type 77"),
    ("tensor of nothing", after(QUERY, 4, "<Q", 0), "t.gguf is damaged.*attn_q.*impossible shape"),
    ("tensor of nine dimensions", after(QUERY, 0, "<I", 9), "t.gguf is damaged.*attn_q.* has 9 dimensions"),
    ("no alignment", lambda raw: after(ALIGNMENT, 4, "<I", 0)(raw.replace(COUNT, ALIGNMENT)), "an alignment of 0"),
    ("name of many lines", lambda raw: raw[: raw.index(QUERY)] + b"\n" * 19 + raw[raw.index(QUERY) + 19 :], "t.gguf"),
    ("no words", lambda raw: raw.replace(b"tokenizer.ggml.tokens", b"tokenizer.ggml.tokenz"), "t.gguf.*no tokenizer"),
    ("unknown tokenizer", lambda raw: raw.replace(b"gpt2", b"abcd"), "t.gguf.*tokenizer.*abcd"),
    ("unknown split", lambda raw: raw.replace(b"\x05\0\0\0\0\0\0\0qwen2", b"\x05\0\0\0\0\0\0\0quark"), "t.gguf.*quark"),
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "t.gguf"
    tiny_gguf.write_tiny_llama(path)
    return path.read_bytes()


@pytest.mark.parametrize(("change", "told"), [pytest.param(*rest, id=name) for name, *rest in DAMAGED])
def test_a_damaged_gguf_file(change: Change, told: str, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "模型" / "t.gguf"
    path.parent.mkdir()
    path.write_bytes(change(whole))
    assert path.read_bytes() != whole
    store = Store(tmp_path / "models")
    with pytest.raises(UserError, match=told) as raised:
        store.open_folder(path)
    message = raised.value.message
    assert raised.value.remedy and message.endswith(".") and "\n" not in message
    assert store.specs() == []
    assert [one.name for one in tmp_path.glob("models/*") if not one.name.startswith(".")] == []
