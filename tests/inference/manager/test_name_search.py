import pytest

from inference.manager.name_search import is_meant, words_of

CODER = "Qwen/Qwen2.5-Coder-0.5B-Instruct"


@pytest.mark.parametrize(
    "search",
    [
        "", "  ", "qwen 0.5b coder", "CODER qwen", "qwen2.5-coder", "qwen 2.5", "Qwen2.5 coder 0.5b instruct",
        "coder-0.5b",
        "qwen/qwen2.5", "qwen25", "instruct_qwen", "ｑｗｅｎ", "0.5b, coder", "-", "_coder_",
    ],
)  # fmt: skip
def test_words_in_any_order_case_and_separation(search: str) -> None:
    assert is_meant(CODER, search)
    assert is_meant("qwen_qwen2.5_coder 0.5b instruct", search)


@pytest.mark.parametrize("search", ["llama", "qwen 1.5b coder", "coder math", "0.5b qwen3"])
def test_every_word_must_be_there(search: str) -> None:
    assert not is_meant(CODER, search)


def test_chinese_names() -> None:
    assert is_meant("通义千问-Qwen 模型", "模型 qwen") and not is_meant("通义千问", "模型")


def test_the_words_of_a_search() -> None:
    assert words_of(" Qwen 0.5b-coder / - . ") == ["Qwen", "0.5b", "coder"]
