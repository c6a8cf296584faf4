"""Past texts: found as a scan finds them, held to their bound, and gone when they are to go."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inference.drafters.history_index as history_index
from inference.drafters.history_index import HistoryIndex, parts
from inference.drafters.history_shelf import ENDING, HistoryShelf
from inference.drafters.ngram import HISTORY_SOURCES, SOURCES, NgramDrafter

NAME, OTHER = "0a" * 32, "0b" * 32
texts = st.lists(st.text("abc", max_size=30), max_size=6)


def encode(text: str) -> list[int]:
    return [ord(character) for character in text]


def taught(newest_first: Iterable[str], index: HistoryIndex | None = None) -> HistoryIndex:
    index = index or HistoryIndex(NAME)
    for _ in index.learn(newest_first, encode):
        pass
    return index


def scan(newest_first: list[str], present: str, most: int) -> tuple[int, str]:
    """By definition: of the latest places with the same three letters in front, that which agrees longest."""
    best = (0, "")
    looked = 0
    for text in dict.fromkeys(newest_first):
        for place in range(len(text) - 1, 2, -1):
            if len(present) < 3 or text[place - 3 : place] != present[-3:] or looked == history_index.LOOKED_AT:
                continue
            looked += 1
            length = 3
            while length < min(place, len(present), history_index.LONGEST):
                if text[place - length - 1] != present[-length - 1]:
                    break
                length += 1
            if length > best[0]:
                best = (length, text[place : place + min(most, length)])
    return best


@given(texts, st.text("abc", max_size=12), st.integers(1, 9))
def test_finds_what_a_scan_finds(past: list[str], present: str, most: int) -> None:
    found = taught(past).find(encode(present), most)
    assert (found.length, "".join(map(chr, found.tokens))) == scan(past, present, most)


@given(texts, texts, st.text("abc", min_size=3, max_size=12))
def test_what_is_no_longer_there_has_left_the_index(first: list[str], then: list[str], present: str) -> None:
    index = taught(then, taught(first))
    assert index.find(encode(present), 5) == taught(then).find(encode(present), 5)
    again = HistoryIndex.unpack(index.pack())
    assert again.digests == taught(then).digests
    assert again.find(encode(present), 5) == index.find(encode(present), 5)


def test_the_oldest_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_index, "MOST_TOKENS", 25)
    index = taught(["newest text", "middle text", "oldest text"])
    assert index.texts == 2 and index.tokens == 22
    assert index.find(encode("middle"), 3).tokens == tuple(encode(" te"))
    assert index.find(encode("oldes"), 3).tokens == ()


def test_long_texts_are_cut_at_lines() -> None:
    text = "".join(f"line {number} of a long file\n" for number in range(1000))
    cut = list(parts(text))
    assert "".join(cut) == text and len(cut) > 3
    assert all(part.endswith("\n") and len(part) <= history_index.PART for part in cut)
    assert "".join(parts("x" * 9000)) == "x" * 9000


def test_given_up_halfway_nothing_has_changed_and_little_is_done_twice() -> None:
    index = taught(["what there was"])
    learning = index.learn(["first new", "second new"], encode)
    next(learning)
    learning.close()
    assert index.digests == taught(["what there was"]).digests
    encoded: list[str] = []

    def noting(text: str) -> list[int]:
        encoded.append(text)
        return encode(text)

    for _ in index.learn(["first new", "second new"], noting):
        pass
    assert encoded == ["second new"]
    assert index.digests == taught(["first new", "second new"]).digests


@pytest.mark.parametrize("damage", ["cut", "changed", "other", "empty"])
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: str) -> None:
    shelf = HistoryShelf(tmp_path)
    learn(shelf, ["some text that was said"], shelf.open(NAME, 1000))
    path = tmp_path / f"{NAME}{ENDING}"
    content = path.read_bytes()
    bad = {"cut": content[:-3], "changed": content[:-1] + b"!", "other": b"GGUF" + content[4:], "empty": b""}
    path.write_bytes(bad[damage])
    assert shelf.open(NAME, 1000).texts == 0
    path.write_bytes(content)
    assert shelf.open(NAME, 1000).texts == 1
    assert shelf.open(NAME, 100).texts == 0, "its tokens must be tokens of the model"


def learn(shelf: HistoryShelf, past: list[str], index: HistoryIndex | None) -> None:
    for _ in shelf.learn(past, index, encode):
        pass


def test_what_was_deleted_leaves_every_file(tmp_path: Path) -> None:
    shelf = HistoryShelf(tmp_path / "past")
    for name in (NAME, OTHER):
        learn(shelf, ["to stay", "to go away"], shelf.open(name, 1000))
    learn(shelf, ["to stay"], shelf.open(NAME, 1000))
    assert [shelf.open(name, 1000).texts for name in (NAME, OTHER)] == [1, 1]
    learn(shelf, [], None)  # no model is loaded
    assert [shelf.open(name, 1000).texts for name in (NAME, OTHER)] == [0, 0]
    shelf.forget()
    assert list((tmp_path / "past").iterdir()) == []


def drafter(past: list[str], present: str) -> NgramDrafter:
    made = NgramDrafter(taught(past))
    made.commit(encode(present))
    return made


def drafted(made: NgramDrafter, k: int) -> str:
    return "".join(map(chr, made.propose(k, None).tokens))  # type: ignore[arg-type]  # chance plays no part


def test_a_longer_match_proposes_a_longer_run() -> None:
    past = ["the quick brown fox jumps over the lazy dog"]
    assert drafter(past, "xx brown").source() == HISTORY_SOURCES[5]
    assert drafted(drafter(past, "xx brown"), 16) == " fox j"
    assert drafted(drafter(past, "a quick brown"), 16) == " fox jumps o"
    assert drafted(drafter(past, "a quick brown"), 4) == " fox"
    assert drafter(past, "nothing of it").source() is None


def test_the_conversation_comes_first_where_it_matches_as_long() -> None:
    past = ["abcdefghiXYZ"]
    own = drafter(past, "abcdefghi-own abcdefghi")
    assert own.source() == SOURCES[8] and drafted(own, 3) == "-ow"
    weak = drafter(past, "ghi-own abcdefghi")
    assert weak.source() == HISTORY_SOURCES[8] and drafted(weak, 3) == "XYZ"
    assert weak.match() == 5
    weak.rewind(weak.length - 1)
    assert weak.source() == HISTORY_SOURCES[8] and drafted(weak, 3) == "iXY"


def test_it_counts_what_stood() -> None:
    index = taught(["abcdefghi"])
    made = NgramDrafter(index)
    made.commit(encode("abcd"))
    assert drafted(made, 3) == "efg"
    made.commit(encode("ef-"))
    assert (index.proposed, index.accepted) == (3, 2)
    assert made.source() is None
    made.commit(encode("x"))
    assert (index.proposed, index.accepted) == (3, 2)
