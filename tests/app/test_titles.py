import pytest

from app.chat_message import ChatMessage
from app.scripts import same_script, script_of
from app.titles import MOST_READ, title_prompt, title_settings, usable_title

WHY = "Why is the sky blue?"
LAKE = "用三句话介绍一下杭州的西湖。"


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Blue skies", "Blue skies"),
        ('"Blue skies."\n\nI chose this', "Blue skies"),
        ("“Blue skies”", "Blue skies"),
        ("'Blue skies'", "Blue skies"),
        ("**Blue** skies", "Blue skies"),
        ("# Blue skies", "Blue skies"),
        ("### **Blue skies**", "Blue skies"),
        ("`Blue skies`", "Blue skies"),
        ("- Blue skies\n- Red skies", "Blue skies"),
        ("1. Blue skies\n2. Red skies", "Blue skies"),
        ("<think>\nHm.\n</think>\n\nBlue skies", "Blue skies"),
        ("Title: Blue skies", "Blue skies"),
        ("title : Blue skies", "Blue skies"),
        ('Title: "Blue skies"', "Blue skies"),
        ('"Title: Blue skies"', "Blue skies"),
        ("**Title:** Blue skies", "Blue skies"),
        ("**Title: Blue skies**", "Blue skies"),
        ("Conversation Title: Blue skies", "Blue skies"),
        ("Assistant: Blue skies", "Blue skies"),
        ('The title of this conversation is "Blue skies".', "Blue skies"),
        ('Sure! Here is a title: "Blue skies"', "Blue skies"),
        ('Here is a title for the conversation:\n\n"Blue skies"', "Blue skies"),
        ("Here's a title: Blue skies", "Blue skies"),
        ('"Blue skies" - a conversation about light', "Blue skies"),
        ('"Blue" and "red" skies', '"Blue" and "red" skies'),
        ("Node.js basics", "Node.js basics"),
        ("Version 2.5 of the sky", "Version 2.5 of the sky"),
        ("Choosing a book title", ""),
        ('"Blue skies', "Blue skies"),
        ("Two to six words in its own language: 2.5 x 4", ""),
        ("Why is the sky blue?", "Why is the sky blue?"),
        ("Translating 你好", "Translating 你好"),
        ("天空为什么是蓝色的", ""),
        ("Небо", ""),
        ("The code to merge two lists is:\n\ndef merge", ""),
        ("Title:", ""),
        ("Title", ""),
        ("Conversation title", ""),
        ("Untitled", ""),
        ("Sure, here is one", ""),
        ("I'm sorry, I cannot", ""),
        ("As an AI language model", ""),
        ("Give this conversation a title of two to six words", ""),
        ("The sky is blue. It scatters light.", ""),
        ("def merge(a, b)", ""),
        ("```python\ndef merge", ""),
        ("colour = blue", ""),
        ("x" * 61, ""),
        ("12", ""),
        ("", ""),
        ("\n\n", ""),
        ("a", ""),
    ],
)
def test_only_what_reads_as_a_title_is_taken(written: str, title: str) -> None:
    assert usable_title(written, WHY) == title


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("西湖美景", "西湖美景"),
        ("《西湖美景》", "西湖美景"),
        ("“西湖美景”", "西湖美景"),
        ("「西湖美景」", "西湖美景"),
        ("**西湖美景**。", "西湖美景"),
        ("标题：西湖美景", "西湖美景"),
        ("**标题：** 西湖美景", "西湖美景"),
        ("标题：《西湖美景》", "西湖美景"),
        ("对话标题是：西湖美景", "西湖美景"),
        ("这段对话的标题可以是“西湖美景”。", "西湖美景"),
        ("以下是标题：\n\n西湖美景", "西湖美景"),
        ("1、西湖美景", "西湖美景"),
        ('"对话：西湖美景"', "西湖美景"),
        ("你可以在这段对话中使用标题", ""),
        ("西湖与 UNESCO 名录", "西湖与 UNESCO 名录"),
        ("JavaScript 闭包", "JavaScript 闭包"),
        ("West Lake in Hangzhou", ""),
        ("The West Lake of 杭州", ""),
        ("対話のタイトル", ""),
        ("西湖位于杭州。它很美。", ""),
        ("好的，我来起标题", ""),
        ("对不起，我不能", ""),
        ("标题", ""),
        ("西" * 31, ""),
    ],
)
def test_a_chinese_question_gets_a_chinese_title(written: str, title: str) -> None:
    assert usable_title(written, LAKE) == title


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Blue skies\n\nThis title was chosen", "Blue skies"),
        ("The Art of Blue Skies: A", ""),
        ('Here is a title:\n\n"The Art of Blue', ""),
        ("", ""),
    ],
)
def test_a_title_that_was_cut_is_none(written: str, title: str) -> None:
    assert usable_title(written, WHY, cut=True) == title


@pytest.mark.parametrize(
    ("text", "script"),
    [
        (WHY, "LATIN"),
        (LAKE, "CJK"),
        ("解释一下这段 Python 代码", "CJK"),
        ("Translate 你好 into English, please", "LATIN"),
        ("Почему небо голубое?", "CYRILLIC"),
        ("日本の首都はどこですか", "KANA"),
        ("1 + 1 = ?", ""),
    ],
)
def test_the_script_of_most_words_counts(text: str, script: str) -> None:
    assert script_of(text) == script


@pytest.mark.parametrize(
    ("title", "question", "same"),
    [
        ("Merging lists", "把这段代码翻译成英文: def merge two sorted lists into one list", True),  # it is in both
        ("合并列表", "把这段代码翻译成英文: def merge two sorted lists into one list", True),
        ("日本の首都", "日本の首都はどこですか", True),
        ("日本首都", "日本の首都はどこですか", True),
        ("Japan's capital", "日本の首都はどこですか", False),
        ("Why the sky is blue", "Почему небо голубое?", False),
        ("Anything", "1 + 1 = ?", True),
    ],
)
def test_a_title_is_in_a_script_of_its_question(title: str, question: str, same: bool) -> None:
    assert same_script(title, question) == same


def test_the_model_reads_little_and_writes_less() -> None:
    messages = [ChatMessage("user", "Why? " * 1000), ChatMessage("assistant", "<think>\nHm.\n</think>\n\nBecause.")]
    prompt = title_prompt(messages)
    assert [message.role for message in prompt] == ["user", "assistant", "user"]
    assert len(prompt[0].content) == MOST_READ and prompt[1].content == "Because."
    assert "title" in prompt[2].content
    settings = title_settings()
    assert settings.sampling.greedy and settings.max_tokens < 50


def test_a_chinese_question_is_asked_about_in_chinese() -> None:
    prompt = title_prompt([ChatMessage("user", LAKE), ChatMessage("assistant", "西湖在杭州。")])
    assert script_of(prompt[2].content) == "CJK"
