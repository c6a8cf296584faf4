"""foreword models: every command against a store in a folder of its own and a hub on the loopback."""

import io
import json
from collections.abc import Callable, Iterator
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest

from app.__main__ import main as program
from inference.events import LoadProgress
from inference.manager import cli
from inference.manager.cli import commands
from inference.manager.cli.output import parameters_text, progress_text, table
from inference.manager.download import DownloadCancelled, Patience
from inference.manager.hub_search import HubSearch
from inference.manager.store import Store
from inference.plan.machine import Machine
from tests.inference.manager.hub_server import HubServer
from tests.inference.manager.model_folders import make_folder

GIB = 1 << 30
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": 49152,
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_hidden_layers": 30,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": True,
}


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(Machine, "here", classmethod(lambda cls: cls(16 * GIB, 10 * GIB)))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HubServer]:
    folder = make_folder(tmp_path / "source")
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    with HubServer(files) as server:
        server.pages["/api/models/someone/tiny"] = json.dumps({"id": "someone/tiny", "tags": ["safetensors"]}).encode()
        server.pages["/someone/tiny/resolve/main/config.json"] = json.dumps(CONFIG).encode()
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        yield server


Answer = Callable[..., dict[str, Any]]


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> Answer:
    def answer(*arguments: str, status: int = 0) -> dict[str, Any]:
        assert cli.main([*arguments, "--json"]) == status
        value: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert value["format"] == 1
        return value

    return answer


def test_from_hub_to_disk_and_away_again(hub: HubServer, answer: Answer) -> None:
    assert answer("list")["models"] == []
    fetched = answer("download", "someone/tiny")["model"]
    assert fetched["identifier"] == "someone--tiny" and Path(fetched["folder"]).is_dir()
    listed = answer("list", "--available")
    assert [model["identifier"] for model in listed["models"]] == ["someone--tiny"]
    assert listed["models"][0]["disk_bytes"] > 0 and len(listed["available"]) > 10
    removed = answer("remove", "someone--tiny", "--yes")
    assert removed["removed"] == "someone--tiny" and removed["freed_bytes"] > 0
    assert answer("list")["models"] == [] and not Path(fetched["folder"]).exists()


def test_a_folder_is_taken_in_and_only_forgotten(tmp_path: Path, answer: Answer) -> None:
    folder = make_folder(tmp_path / "模型")
    identifier = answer("import", str(folder))["model"]["identifier"]
    assert answer("list")["models"][0]["name"] == "模型"
    assert answer("remove", identifier, "--yes")["freed_bytes"] == 0
    assert folder.is_dir() and answer("list")["models"] == []


def test_a_folder_can_be_copied(tmp_path: Path, answer: Answer) -> None:
    folder = make_folder(tmp_path / "Tiny")
    made = answer("import", str(folder), "--copy")["model"]
    assert made["name"] == "Tiny" and Path(made["folder"]) != folder
    assert answer("remove", made["identifier"], "--yes")["freed_bytes"] > 0 and folder.is_dir()


def test_nothing_is_removed_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = Store().open_folder(make_folder(tmp_path / "Tiny"))
    monkeypatch.setattr(commands.sys, "stdin", io.StringIO("y\n"))
    assert cli.main(["remove", spec.identifier]) == 2
    assert "Forget Tiny? Its folder stays. Say --yes." in capsys.readouterr().err
    assert Store().find(spec.identifier) is not None


def test_a_plan_of_what_is_only_on_the_hub(hub: HubServer, answer: Answer) -> None:
    made = answer("plan", "someone/tiny", "--context", "4096")
    assert made["fits"] and made["engine"] == "native" and made["context"] == 4096
    assert {part["name"] for part in made["parts"]} >= {"weights", "cache", "buffers", "program"}
    both = answer("plan", "someone/tiny", "--draft", "someone/tiny", "--precision", "bfloat16")
    assert both["precision"] == "bfloat16" and both["draft_precision"] == "bfloat16"  # as the host does
    fine, coarse = (answer("plan", "someone/tiny", "--precision", "int4", "--int4-group", n) for n in ("32", "128"))
    assert (fine["int4_group"], coarse["int4_group"], both["int4_group"]) == (32, 128, None)
    assert coarse["needed_bytes"]["ram"] < fine["needed_bytes"]["ram"]
    assert both["needed_bytes"]["ram"] == sum(part["bytes"] for part in both["parts"])


def test_a_plan_says_where_the_model_was_made_for_less(
    hub: HubServer, answer: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "The model was made for 8,192 tokens of context: 100,000 were asked for, and no more are planned."
    for more in ([], ["--precision", "int8"]):
        cut = answer("plan", "someone/tiny", "--context", "100000", *more)
        assert (cut["context"], cut["context_length"], cut["context_cut"]) == (8192, 8192, said)
        assert cli.main(["plan", "someone/tiny", "--context", "100000", *more]) == 0
        assert capsys.readouterr().out.startswith(said)
    assert answer("plan", "someone/tiny", "--context", "8192")["context_cut"] is None
    shorter = CONFIG | {"max_position_embeddings": 2048}
    hub.pages["/someone/tiny/resolve/main/config.json"] = json.dumps(shorter).encode()
    unasked = answer("plan", "someone/tiny")  # for the usual context, which is more
    assert unasked["context"] == 2048 and unasked["context_cut"] is None


def test_a_plan_that_does_not_fit_has_a_status_of_its_own(
    hub: HubServer, monkeypatch: pytest.MonkeyPatch, answer: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Machine, "here", classmethod(lambda cls: cls(GIB, GIB // 4)))
    assert not answer("plan", "someone/tiny", status=4)["fits"]
    assert cli.main(["plan", "someone/tiny"]) == 4
    assert "do not fit" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["download", "absent"], ["remove", "absent", "--yes"], ["plan", "absent"]])
def test_a_model_that_is_not_there(command: list[str], answer: Answer) -> None:
    assert "There is no model absent." in answer(*command, status=3)["error"]


def test_a_failure_says_why(hub: HubServer, answer: Answer) -> None:
    hub.faults["model.safetensors"] = [404, 404, 404, 404]
    said = answer("download", "someone/tiny", status=1)
    assert "404" in said["error"] and "another name" in said["remedy"]


def test_what_the_window_has_a_button_for_has_a_command_here(
    hub: HubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.faults["listing"] = [404]
    assert cli.main(["download", "someone/tiny"]) == 1
    assert "(foreword models hub ADDRESS)" in capsys.readouterr().err
    hub.faults["listing"] = [401]
    assert cli.main(["download", "someone/tiny"]) == 1
    assert "(foreword models token set)" in capsys.readouterr().err


def test_gated_models_are_not_begun(hub: HubServer, answer: Answer) -> None:
    hub.pages["/api/models/someone/tiny"] = json.dumps({"id": "someone/tiny", "gated": "auto"}).encode()
    assert "accounts" in answer("download", "someone/tiny", status=1)["error"]


def test_a_search_is_narrowed(hub: HubServer, answer: Answer, tmp_path: Path) -> None:
    sizes = {"a/small": ("llama", 1), "a/middle": ("qwen3", 8), "a/large": ("llama", 70)}
    found = [
        {"id": name, "config": {"model_type": kind}, "safetensors": {"total": billions * 1_000_000_000}}
        for name, (kind, billions) in sizes.items()
    ]
    hub.pages["/api/models"] = json.dumps(found).encode()
    Store().open_folder(planned(tmp_path / "draft"))  # a Llama

    def names(*arguments: str) -> list[str]:
        return [model["repository"] for model in answer("search", "a", *arguments)["models"]]

    assert names() == ["a/small", "a/middle", "a/large"]
    assert names("--size", "10") == ["a/small", "a/middle"]
    assert names("--drafted") == ["a/small", "a/large"]
    assert names("--drafted", "--fits", "--limit", "1") == ["a/small"]
    assert names("--fits") == ["a/small", "a/middle"]


def test_a_search_prints_a_table(hub: HubServer, capsys: pytest.CaptureFixture[str]) -> None:
    hub.pages["/api/models"] = json.dumps([{"id": "a/b", "safetensors": {"total": 8_000_000_000}}]).encode()
    assert cli.main(["search", "b"]) == 0
    assert "a/b" in (out := capsys.readouterr().out) and "8.0 B" in out
    hub.pages["/api/models"] = b"[]"
    assert cli.main(["search", "b"]) == 0
    assert "Nothing was found." in capsys.readouterr().out


NOT_MODELS = "nothing/here"
# command: arguments, exit status, a word of the reason
WRONG: dict[str, tuple[list[str], int, str]] = {
    "no command": ([], 2, "COMMAND"),
    "another command": (["dance"], 2, "dance"),
    "list, too much": (["list", "more"], 2, "more"),
    "search, nothing": (["search"], 2, "text"),
    "search, no number": (["search", "x", "--limit", "many"], 2, "many"),
    "search, no hub": (["search", "x"], 1, "could not be asked"),
    "download, nothing": (["download"], 2, "model"),
    "download, unknown": (["download", "absent"], 3, "absent"),
    "download, no hub": (["download", NOT_MODELS], 1, "could not be asked"),
    "import, nothing": (["import"], 2, "path"),
    "import, missing folder": (["import", "/no/such/place"], 3, "/no/such/place"),
    "import, missing file": (["import", "/no/such/place.gguf"], 3, "/no/such/place.gguf"),
    "import, no model": (["import", "{tmp}"], 1, "not a model"),
    "import, no folder": (["import", "{tmp}/file"], 1, "not a model"),
    "remove, unknown": (["remove", "absent", "--yes"], 3, "absent"),
    "remove, unasked": (["remove", "Tiny"], 2, "Forget Tiny?"),
    "remove, several": (["remove", "t", "--yes"], 3, "Tiny, Tall"),
    "plan, nothing": (["plan"], 2, "model"),
    "plan, unknown": (["plan", "absent"], 3, "absent"),
    "plan, several": (["plan", "t"], 3, "Tiny, Tall"),
    "plan, unknown draft": (["plan", "Tiny", "--draft", "absent"], 3, "absent"),
    "plan, no context": (["plan", "Tiny", "--context", "1"], 2, "ontext"),
    "plan, no precision": (["plan", "Tiny", "--precision", "int3"], 2, "int3"),
    "plan, no group": (["plan", "Tiny", "--int4-group", "16"], 2, "16"),
    "plan, no such device": (["plan", "Tiny", "--device", "abacus"], 2, "abacus"),
    "plan, no hub": (["plan", NOT_MODELS], 1, "could not be asked"),
    "token, nothing to keep": (["token", "set"], 1, "not a token"),
    "token, another action": (["token", "steal"], 2, "steal"),
    "hub, no address": (["hub", "here"], 1, "not the address"),
    "hub, both": (["hub", "https://a.example", "--usual"], 2, "Either"),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("as_json", [True, False])
def test_whatever_is_wrong_has_its_status_and_says_so(
    case: str, as_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")  # nobody answers there
    monkeypatch.setattr(HubSearch, "__init__", partialmethod(HubSearch.__init__, patience=Patience(attempts=1)))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for name in ("Tall", "Tiny"):
        Store().open_folder(make_folder(tmp_path / name))
    (tmp_path / "file").write_text("?")
    arguments, status, word = WRONG[case]
    arguments = [argument.format(tmp=tmp_path) for argument in arguments]
    assert cli.main([*arguments, "--json"] if as_json else arguments) == status
    said = capsys.readouterr()
    assert word in said.err and "Traceback" not in said.err
    if as_json:
        answer = json.loads(said.out)
        assert word in f"{answer['error']} {answer['remedy']}" and answer["format"] == 1
    else:
        assert said.out == ""
    assert len(Store().specs()) == 2


def test_an_interrupted_download_is_told_as_json(
    hub: HubServer, monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    def fetch(*_: object) -> Iterator[LoadProgress]:
        yield LoadProgress("download", 1, 2, "x")
        raise DownloadCancelled

    monkeypatch.setattr(Store, "fetch", fetch)
    assert "cancelled" in answer("download", "someone/tiny", status=130)["error"]


def test_folders_are_called_by_their_names(tmp_path: Path, answer: Answer, capsys: pytest.CaptureFixture[str]) -> None:
    """As `list` shows them, in any case, or by how they begin."""
    for folder in ("a/Qwen coder", "b/Qwen coder", "模型"):
        (tmp_path / folder).parent.mkdir(exist_ok=True)
        answer("import", str(planned(tmp_path / folder)))
    assert cli.main(["list"]) == 0
    lines = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()]
    assert lines[1:] == ["模型", "b/Qwen coder", "a/Qwen coder"]
    for name in ("模型", "模", "a/Qwen coder", "A/QWEN", str(tmp_path / "a" / "Qwen coder")):
        assert answer("plan", name, "--context", "512")["fits"]
    assert answer("remove", "a/q", "--yes")["removed"] == str(tmp_path / "a" / "Qwen coder")
    assert answer("remove", "qwen", "--yes")["removed"] == str(tmp_path / "b" / "Qwen coder")
    assert [model["name"] for model in answer("list")["models"]] == ["模型"]


def planned(folder: Path) -> Path:
    """With a configuration that can be planned."""
    made = make_folder(folder)
    config = json.loads((made / "config.json").read_text(encoding="utf-8"))
    config |= {"num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 16, "model_type": "llama"}
    (made / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return made


def test_the_program_passes_them_on_and_documents_how_they_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert program(["models", "list", "--json"]) == 0
    with pytest.raises(SystemExit):
        program(["models", "plan", "--help"])
    assert "exit status" in capsys.readouterr().out


def test_a_context_that_cannot_be_planned(hub: HubServer) -> None:
    assert cli.main(["plan", "someone/tiny", "--context", "1"]) == 2


def test_columns_stand_under_each_other_in_chinese_too() -> None:
    lines = table(["a", "b"], [["模型", "1"], ["model", "2"]]).splitlines()
    assert lines == ["a      b", "模型   1", "model  2"]


@pytest.mark.parametrize(("count", "text"), [(0, ""), (135_000_000, "135 M"), (8_190_000_000, "8.2 B")])
def test_counts_of_parameters(count: int, text: str) -> None:
    assert parameters_text(count) == text


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (LoadProgress("convert", 412_000_000, 1_120_000_000, "a.gguf"), "convert a.gguf 412.0 MB of 1.1 GB (37%)"),
        (LoadProgress("pack", 20, 40, "a"), "pack a 20 bytes of 40 bytes (50%)"),
        (LoadProgress("tokenizer", detail="a"), "tokenizer a"),
        (LoadProgress("libraries"), "libraries"),
    ],
)
def test_progress_tells_the_bytes_it_knows_and_no_others(step: LoadProgress, text: str) -> None:
    assert progress_text(step) == text
