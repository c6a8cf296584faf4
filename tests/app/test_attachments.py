from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.attachments import MOST_BYTES, Attachment, is_long_paste, read_attachment, with_attachments
from app.views.attachment_chip import lines_of
from inference.errors import UserError


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\r\nb", "a\nb"),
        ("\ufeff天空".encode(), "天空"),
        ("天空".encode("gb18030"), "天空"),
        ("天空".encode("utf-16"), "天空"),
        (b"", ""),
    ],
)
def test_text_is_read_whatever_its_encoding(tmp_path: Path, content: bytes, text: str) -> None:
    (tmp_path / "文.py").write_bytes(content)
    assert read_attachment(tmp_path / "文.py") == Attachment("文.py", text)


def test_what_is_no_text_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "b.txt").write_bytes(b"x" * (MOST_BYTES + 1))
    (tmp_path / "c").mkdir()
    for name, why in (("a.png", "not a text"), ("b.txt", "4.0 MB"), ("c", "folder"), ("d", "cannot be read")):
        with pytest.raises(UserError, match=why):
            read_attachment(tmp_path / name)
    (tmp_path / "e.txt").write_bytes("déjà vu, naïve".encode("latin-1"))
    with pytest.raises(UserError) as refused:
        read_attachment(tmp_path / "e.txt")
    assert "UTF-8" in refused.value.remedy


def test_a_long_paste() -> None:
    assert not is_long_paste("x\n" * 199)
    assert is_long_paste("x\n" * 200)


@given(st.text(alphabet="`~ ab\n", max_size=60), st.text(alphabet="ab", max_size=5))
def test_no_file_breaks_out_of_its_fence(text: str, question: str) -> None:
    content = with_attachments(question, [Attachment("a.py", text)])
    fences = [token for token in MarkdownIt().parse(content) if token.type == "fence"]
    assert len(fences) == 1 and fences[0].info == "py"
    assert fences[0].content == (
        text.removesuffix("\n") + "\n" if text.removesuffix("\n") else "\n"[: len(fences[0].content)]
    )


def test_one_endless_line_is_a_long_paste_as_well() -> None:
    assert is_long_paste("x" * 20_001) and not is_long_paste("x" * 20_000)


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "0 lines"), ("a", "1 line"), ("a\n", "1 line"), ("a\nb", "2 lines"), ("\n" * 1234, "1,234 lines")],
)
def test_lines_are_counted_in_words(text: str, words: str) -> None:
    assert lines_of(text) == words
