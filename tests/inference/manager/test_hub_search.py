"""Searching a hub by name: a server on the loopback gives every kind of answer."""

import json
import threading

import pytest

from inference.errors import HubError, UserError
from inference.manager.download import DownloadCancelled, Patience
from inference.manager.hub_search import HubModel, HubSearch, identifier_of, is_repository
from tests.inference.manager.hub_server import HubServer

HASTY = Patience(contact_s=0.5, stall_s=0.5, attempts=2, retry_s=0.01)
CALM = Patience(contact_s=60, stall_s=60, attempts=2, retry_s=0.01)
FOUND = [
    {
        "id": "someone/Tiny-7B",
        "downloads": 1234,
        "tags": ["transformers", "safetensors", "license:apache-2.0"],
        "safetensors": {"parameters": {"BF16": 7_000_000_000}, "total": 7_000_000_000},
        "config": {"model_type": "qwen3"},
        "gated": False,
    },
    {"modelId": "someone/asked", "gated": "manual", "tags": ["safetensors"]},
    {"id": "someone/pickled", "tags": ["pytorch"]},
    {"id": "../../etc", "tags": []},
    {"id": "no-owner"},
    "nonsense",
]


def search(server: HubServer, patience: Patience = CALM) -> HubSearch:
    return HubSearch(server.address, patience)


def test_results_say_what_the_hub_knows() -> None:
    with HubServer() as server:
        server.pages["/api/models"] = json.dumps(FOUND).encode()
        found = search(server).find(" tiny ", threading.Event())
    assert [model.repository for model in found] == ["someone/Tiny-7B", "someone/asked", "someone/pickled"]
    tiny, asked, pickled = found
    assert tiny == HubModel("someone/Tiny-7B", 1234, 7_000_000_000, "apache-2.0", "qwen3")
    assert asked.gated and not asked.pickle and asked.parameters == 0
    assert pickled.pickle
    assert tiny.spec.identifier == "someone--Tiny-7B" and tiny.spec.sources[0].repository == "someone/Tiny-7B"
    assert tiny.spec.size_bytes == 14_000_000_000


def test_what_is_too_large_or_of_unknown_size_can_be_left_out() -> None:
    with HubServer() as server:
        server.pages["/api/models"] = json.dumps(FOUND).encode()
        assert search(server).find("tiny", threading.Event(), most_parameters=6_000_000_000) == []
        assert len(search(server).find("tiny", threading.Event(), most_parameters=8_000_000_000)) == 1
        assert len(search(server).find("tiny", threading.Event(), limit=1)) == 1


@pytest.mark.parametrize("answer", [b"{}", b"<html>", b"[[[", b'"text"', b"[" * 100_000])
def test_an_answer_that_makes_no_sense_is_said_so(answer: bytes) -> None:
    with HubServer() as server:
        server.pages["/api/models"] = answer
        with pytest.raises(UserError, match="makes no sense"):
            search(server).find("tiny", threading.Event())


@pytest.mark.parametrize(("fault", "said"), [(404, "no model hub"), (401, "refuses access"), (500, "fault of its own")])
def test_a_hub_that_refuses_is_said_so(fault: int, said: str) -> None:
    with HubServer() as server:
        server.pages["/api/models"] = b"[]"
        server.faults["/api/models"] = [fault, fault, fault]
        with pytest.raises(UserError, match=said) as caught:
            search(server).find("tiny", threading.Event())
        assert isinstance(caught.value, HubError)
        assert "address" in caught.value.remedy
        assert "network" not in caught.value.remedy, "it did answer"


def test_a_hub_that_stays_silent_is_given_up() -> None:
    with HubServer() as server:
        server.pages["/api/models"] = b"[]"
        server.faults["/api/models"] = ["silent"]
        with pytest.raises(UserError, match="no answer within"):
            search(server, HASTY).find("tiny", threading.Event())


def test_a_search_can_be_cancelled() -> None:
    cancel = threading.Event()
    cancel.set()
    with HubServer() as server, pytest.raises(DownloadCancelled):
        search(server).find("tiny", cancel)


def test_one_repository_and_its_configuration() -> None:
    with HubServer() as server:
        server.pages["/api/models/someone/Tiny-7B"] = json.dumps(FOUND[0]).encode()
        server.pages["/someone/Tiny-7B/resolve/main/config.json"] = b'{"model_type": "qwen3"}'
        assert search(server).model("someone/Tiny-7B", threading.Event()).parameters == 7_000_000_000
        assert search(server).config("someone/Tiny-7B", threading.Event()) == {"model_type": "qwen3"}
        server.pages["/someone/Tiny-7B/resolve/main/config.json"] = b"[]"
        with pytest.raises(UserError, match="holds no settings"):
            search(server).config("someone/Tiny-7B", threading.Event())
        server.pages["/api/models/someone/Tiny-7B"] = b"{}"
        with pytest.raises(UserError, match="does not know"):
            search(server).model("someone/Tiny-7B", threading.Event())


@pytest.mark.parametrize(("text", "right"), [("a/b", True), ("Qwen/Qwen3-0.6B", True), ("a", False), ("a/b/c", False)])
def test_names_of_repositories(text: str, right: bool) -> None:
    assert is_repository(text) is right


def test_identifiers_can_name_folders() -> None:
    assert identifier_of("Qwen/Qwen3-0.6B") == "Qwen--Qwen3-0.6B"
    assert identifier_of(".hidden/x") == "hidden--x"


NAMES = ["Qwen/Qwen2.5-Coder-0.5B-Instruct", "Qwen/Qwen2.5-Coder-1.5B", "Qwen/Qwen3-0.6B", "someone/coder-0.5b-llama"]


@pytest.mark.parametrize("text", ["qwen 0.5b coder", "Coder QWEN 0.5B", "instruct coder-0.5b"])
def test_words_are_found_in_any_order_though_the_hub_looks_for_the_text(text: str) -> None:
    with HubServer() as server:
        server.names = NAMES
        found = search(server).find(text, threading.Event())
        assert [model.repository for model in found] == NAMES[:1]
        assert server.searches[0] == text and len(server.searches) <= 4


def test_one_word_and_what_is_found_at_once_cost_one_request() -> None:
    with HubServer() as server:
        server.names = NAMES
        assert len(search(server).find("qwen", threading.Event())) == 3
        assert len(search(server).find("coder-0.5b", threading.Event(), limit=2)) == 2
        assert server.searches == ["qwen", "coder-0.5b"]
