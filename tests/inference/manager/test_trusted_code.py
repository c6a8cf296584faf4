"""Which models may run their own code: asked once for each, remembered, and asked again when it has changed."""

import json
import shutil
import threading
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager.folder import inspect
from inference.manager.host import Host
from inference.manager.trusted_code import ALLOW, code_files, is_trusted, trust
from inference.settings import LoadSettings
from tests.inference.conftest import TinyFactory

OWN = """
from transformers import LlamaConfig, LlamaForCausalLM

class OwnConfig(LlamaConfig):
    model_type = "own_of_a_test"

class OwnForCausalLM(LlamaForCausalLM):
    config_class = OwnConfig
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def folder(tiny: TinyFactory, tmp_path: Path) -> Path:
    """A Llama that says it is a kind of its own."""
    made = shutil.copytree(tiny("llama"), tmp_path / "own")
    config = json.loads((made / "config.json").read_text(encoding="utf-8"))
    classes = {"AutoConfig": "own.OwnConfig", "AutoModelForCausalLM": "own.OwnForCausalLM"}
    config |= {"model_type": "own_of_a_test", "architectures": ["OwnForCausalLM"], "auto_map": classes}
    (made / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (made / "own.py").write_text(OWN, encoding="utf-8")
    return made


def load(folder: Path) -> Host:
    host = Host()
    list(host.load(inspect(folder).spec, LoadSettings(device="cpu"), threading.Event()))
    return host


def test_a_model_runs_its_own_code_only_when_that_was_allowed(folder: Path) -> None:
    with pytest.raises(UserError, match="its own Python code") as caught:
        load(folder)
    assert caught.value.remedy == ALLOW
    trust(folder)
    assert load(folder).target is not None
    (folder / "own.py").write_text(OWN + "\nprint('more')\n", encoding="utf-8")
    with pytest.raises(UserError, match="its own Python code"):
        load(folder)


def name_classes(folder: Path, file: str, **classes: object) -> None:
    path = folder / file
    config = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps(config | {"auto_map": classes}), encoding="utf-8")


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
def test_other_classes_are_asked_for_again(folder: Path, file: str) -> None:
    trust(folder)
    assert is_trusted(folder)
    name_classes(folder, file, AutoConfig="own.Another")
    assert not is_trusted(folder)


@pytest.mark.parametrize(
    "classes", [{"AutoConfig": "some/other--own.OwnConfig"}, {"AutoTokenizer": [None, "a/b--c.D"]}]
)
def test_code_that_lies_elsewhere_never_runs(folder: Path, classes: dict[str, object]) -> None:
    """It would be whatever is in the hub's cache by that name, which nobody has looked at."""
    name_classes(folder, "config.json", **classes)
    for allow in (lambda: None, lambda: trust(folder)):
        allow()
        assert not is_trusted(folder)
        with pytest.raises(UserError, match=r"from another place: (some/other|a/b)"):
            load(folder)


def test_a_known_kind_needs_no_code_that_lies_elsewhere(tiny: TinyFactory, tmp_path: Path) -> None:
    made = shutil.copytree(tiny("llama"), tmp_path / "known")
    name_classes(made, "config.json", AutoConfig="some/other--own.OwnConfig")
    trust(made)
    assert load(made).target is not None


def test_it_is_that_folder_and_that_code(tmp_path: Path) -> None:
    one, other = tmp_path / "模型", tmp_path / "other"
    for place in (one, other):
        (place / "parts").mkdir(parents=True)
        (place / "parts" / "a.py").write_text("1")
    assert not is_trusted(one)
    trust(one)
    assert is_trusted(one) and not is_trusted(other) and code_files(one) == ["parts/a.py"]
    (one / "b.py").write_text("")
    assert not is_trusted(one) and code_files(one) == ["b.py", "parts/a.py"]
    trust(one)
    (one / "b.py").rename(one / "c.py")
    assert not is_trusted(one)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b'{"x": 1}'])
def test_a_damaged_note_allows_nothing(tmp_path: Path, home: Path, content: bytes) -> None:
    trust(tmp_path)
    (note,) = home.rglob("trusted-code.json")
    note.write_bytes(content)
    assert not is_trusted(tmp_path)
    trust(tmp_path)
    assert is_trusted(tmp_path)
