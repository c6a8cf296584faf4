import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inference.errors import UserError
from inference.tokenizer import Tokenizer
from tests import tiny_tokenizers
from tests.inference.conftest import TinyFactory

KINDS = {"byte_level": tiny_tokenizers.byte_level(), "sentencepiece": tiny_tokenizers.sentencepiece(),
         "gemma": tiny_tokenizers.gemma()}  # fmt: skip
KIND = pytest.mark.parametrize("kind", KINDS)


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with nothing but a tokenizer."""
    tiny_tokenizers.byte_level()._backend.save_pretrained(str(tmp_path))
    return tmp_path


def test_loads_a_model_folder(tiny: TinyFactory) -> None:
    tokenizer = Tokenizer.load(tiny("llama"))
    assert tokenizer.vocabulary["<|im_end|>"] == 2
    assert tokenizer.chat_template is not None
    assert tokenizer.decode(tokenizer.encode("hello world")) == "hello world"
    assert tokenizer.end_tokens() == {0, 2}


def test_chinese_path(folder: Path, tmp_path: Path) -> None:
    moved = folder.rename(tmp_path.parent / "模型 文件夹")
    assert Tokenizer.load(moved).encode("a") == tiny_tokenizers.byte_level().encode("a")


def test_missing_tokenizer(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no tokenizer in"):
        Tokenizer.load(tmp_path)
    with pytest.raises(UserError, match="There is no tokenizer in"):
        Tokenizer.load(tmp_path / "nowhere")


def test_class_without_its_files_is_not_an_empty_tokenizer(tmp_path: Path) -> None:
    write_json(tmp_path / "tokenizer_config.json", {"tokenizer_class": "LlamaTokenizer"})
    write_json(tmp_path / "config.json", {"model_type": "llama"})
    with pytest.raises(UserError, match="There is no tokenizer in"):
        Tokenizer.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("tokenizer.json", lambda data: data[: len(data) // 2]),
        ("tokenizer.json", lambda data: b"\xff\xfe\x00" * 50),
        ("tokenizer.json", lambda data: b'{"version": "1.0", "added_tokens": [], "model": {"type": "None such"}}'),
        ("tokenizer.json", lambda data: b"[]"),
        ("tokenizer_config.json", lambda data: b"{"),
        ("tokenizer_config.json", lambda data: b"[]"),
    ],
)
def test_damaged_files_are_told(folder: Path, name: str, damage: object) -> None:
    path = folder / name
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(UserError, match="cannot be read") as caught:
        Tokenizer.load(folder)
    assert "download the model again" in caught.value.remedy


def test_own_code_is_not_run_unasked(folder: Path) -> None:
    ran = folder / "ran"
    code = f"from pathlib import Path\nPath({str(ran)!r}).touch()\n\n\nclass Own:\n    pass\n"
    (folder / "own.py").write_text(code, encoding="utf-8")
    write_json(
        folder / "tokenizer_config.json", {"tokenizer_class": "Own", "auto_map": {"AutoTokenizer": ["own.Own", None]}}
    )
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("a\n", encoding="utf-8")
    with pytest.raises(UserError, match="switched off"):
        Tokenizer.load(folder)
    assert not ran.exists()


@KIND
def test_no_beginning_token_unless_written(kind: str) -> None:
    tokenizer = KINDS[kind]
    ids = tokenizer.encode("hello")
    assert not tokenizer.special_ids.intersection(ids)
    assert tokenizer.encode("") == []


def test_opening_tokens() -> None:
    assert KINDS["sentencepiece"].opening_tokens == (1,)
    assert KINDS["byte_level"].opening_tokens == ()


@KIND
def test_control_tokens_only_where_allowed(kind: str) -> None:
    tokenizer = KINDS[kind]
    name = tokenizer.special_tokens[-1]
    number = tokenizer.vocabulary[name]
    assert tokenizer.encode(name) == [number]
    text = f"the {name} thing{name}{name}"
    ids = tokenizer.encode(text, special=False)
    assert not tokenizer.special_ids.intersection(ids)
    assert tokenizer.decode(ids) == text


@KIND
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_text_never_makes_control_tokens(kind: str, data: st.DataObject) -> None:
    tokenizer = KINDS[kind]
    part = st.sampled_from([*tokenizer.special_tokens, "<", "|", ">", "<|im_", "end|>", "</", "s>", " ", "the"])
    text = "".join(data.draw(st.lists(part | st.text(max_size=3), max_size=8)))
    ids = tokenizer.encode(text, special=False)
    assert not tokenizer.special_ids.intersection(ids)
    if not text.startswith(" ") and "▁" not in text:
        assert tokenizer.decode(ids) == text


@KIND
@given(text=st.text(alphabet=st.characters(blacklist_characters="<", blacklist_categories=("Cs",))))
@settings(max_examples=100, deadline=None)
def test_ordinary_text_is_tokenized_the_same_either_way(kind: str, text: str) -> None:
    assert KINDS[kind].encode(text, special=False) == KINDS[kind].encode(text)


def test_overlapping_control_tokens_are_all_broken() -> None:
    backend = tiny_tokenizers.byte_level()._backend
    backend.add_special_tokens({"additional_special_tokens": ["<<a>>", "<a>", "a>>b"]})
    tokenizer = Tokenizer(backend)
    for text in ("<<a>>", "<<a>>b", "<a>>b", "<<<a>>>b"):
        ids = tokenizer.encode(text, special=False)
        assert not tokenizer.special_ids.intersection(ids)
        assert tokenizer.decode(ids) == text


def test_half_a_surrogate_pair_is_no_error() -> None:
    tokenizer = KINDS["byte_level"]
    assert tokenizer.decode(tokenizer.encode("a\ud83db")) == "a\ufffdb"
    assert tokenizer.decode(tokenizer.encode("a\ud83d\ude42b")) == "a🙂b"


def test_token_text() -> None:
    tokenizer = KINDS["byte_level"]
    assert tokenizer.token_text(tokenizer.vocabulary["Ġ"]) == " "
    assert tokenizer.token_text(2) == "<|im_end|>"
    assert tokenizer.token_text(10**6) == "[1000000]"
    assert KINDS["sentencepiece"].token_text(KINDS["sentencepiece"].vocabulary["▁the"]) == " the"
    assert tiny_tokenizers.metaspace().token_text(4) == "<0x01>"


def test_vocabulary_has_added_tokens() -> None:
    tokenizer = KINDS["byte_level"]
    assert {"<think>", "<|im_end|>"} <= tokenizer.added_tokens
    assert tokenizer.added_tokens <= tokenizer.vocabulary.keys()
    assert "<think>" not in tokenizer.special_tokens


@pytest.mark.parametrize(
    ("generation", "config", "given", "expected"),
    [
        (None, None, None, {2}),
        ({"eos_token_id": [0, 7]}, None, None, {0, 2, 7}),
        ({"eos_token_id": 0}, {"eos_token_id": 9}, {"eos_token_id": 11}, {0, 2, 9, 11}),
        ({"eos_token_id": None}, {"text_config": {"eos_token_id": [5]}}, {}, {2, 5}),
        ({"eos_token_id": [-1, "x", 1.5]}, {"eos_token_id": {}}, None, {2}),
    ],
)
def test_end_tokens_are_a_union(
    folder: Path, generation: object, config: object, given: object, expected: set[int]
) -> None:
    for name, value in (("generation_config.json", generation), ("config.json", config)):
        if value is not None:
            write_json(folder / name, value)
    assert Tokenizer.load(folder).end_tokens(given) == expected  # type: ignore[arg-type]


def test_damaged_generation_config_does_not_hide_the_other_ends(folder: Path) -> None:
    (folder / "generation_config.json").write_text("{", encoding="utf-8")
    assert Tokenizer.load(folder).end_tokens() == {2}


def test_end_of_turn_of_the_template_is_an_end_token() -> None:
    # eos_token is another one, as in many instruction-tuned models.
    tokenizer = tiny_tokenizers.byte_level()
    tokenizer._backend.eos_token = "<|endoftext|>"
    assert tokenizer.end_tokens() == {0, 2}


def test_named_template_default_is_taken() -> None:
    backend = tiny_tokenizers.byte_level()._backend
    backend.chat_template = {"tool_use": "tools", "default": "{{ messages[0].content }}"}
    assert Tokenizer(backend).chat_template == "{{ messages[0].content }}"
    backend.chat_template = {"tool_use": "tools"}
    assert Tokenizer(backend).chat_template is None
