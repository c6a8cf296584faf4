"""The token: kept by the keyring alone, sent to its own host alone, and what is said where it is missing or refused."""

import io
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from inference.errors import UserError
from inference.manager import addresses, cli, hub_token
from inference.manager.download import Patience
from inference.manager.hub_choice import choose_hub, chosen_hub
from inference.manager.hub_search import HubSearch
from inference.manager.hub_source import HubSource
from inference.manager.spec import Source, Spec
from inference.manager.store import Store
from tests.inference.manager.hub_server import HubServer
from tests.inference.manager.model_folders import make_folder

SECRET = "hf_oneTwoThree"
HURRY = Patience(contact_s=5, stall_s=5, attempts=2, retry_s=0.001)


class MemoryKeyring(KeyringBackend):
    """Keeps what it is given; a locked one refuses."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        self._open()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._open()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._open()
        del self.kept[service, username]

    def _open(self) -> None:
        if self.locked:
            raise KeyringLocked(f"locked, and it quotes {SECRET}")


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path / "home"))
    for name in ("HF_ENDPOINT", "HF_TOKEN", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    before = keyring.get_keyring()
    made = MemoryKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubServer]:
    folder = make_folder(tmp_path / "source")
    with HubServer({path.name: path.read_bytes() for path in folder.iterdir()}) as server:
        yield server


def fetch(server: HubServer, workspace: Path) -> None:
    for _ in HubSource(server.repository, server.address, HURRY).fetch(workspace, threading.Event()):
        pass


def test_it_goes_to_the_hub_and_to_no_other_host(
    ring: MemoryKeyring, hub: HubServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hub_token.keep_token(hub.address, f" {SECRET}\n")
    hub.wanted_token = SECRET
    with HubServer(hub.files) as elsewhere:
        hub.elsewhere = elsewhere.address
        hub.faults["model.safetensors"] = ["away"]
        hub.faults["config.json"] = ["redirect"]
        fetch(hub, tmp_path / "w")
        assert elsewhere.tokens == [("model.safetensors", None)]
        fetch(elsewhere, tmp_path / "v")  # a token belongs to the host it was given for
        assert {sent for _, sent in elsewhere.tokens} == {None}
    assert {sent for _, sent in hub.tokens} == {f"Bearer {SECRET}"}
    assert (tmp_path / "w" / "model.safetensors").read_bytes() == hub.files["model.safetensors"]
    assert SECRET not in caplog.text
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_the_environment_counts_where_nothing_is_kept(
    ring: MemoryKeyring, hub: HubServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    monkeypatch.setenv("HF_ENDPOINT", hub.address)
    hub.wanted_token = SECRET
    fetch(hub, tmp_path / "w")
    ring.locked = True
    assert hub_token.token_for(hub.address) == SECRET
    assert hub_token.token_for(addresses.HUB) == SECRET


def test_a_mirror_chosen_in_the_window_does_not_get_the_token_of_the_environment(
    ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    choose_hub(addresses.MIRROR)
    assert hub_token.authorization(addresses.hub()) == {}


@pytest.mark.parametrize("hub_address", ["http://hub.example", "http://192.168.1.2:80"])
def test_it_is_not_sent_over_an_open_line(ring: MemoryKeyring, hub_address: str) -> None:
    hub_token.keep_token(hub_address, SECRET)
    assert hub_token.authorization(hub_address) == {}
    assert hub_token.authorization("https://another.example") == {}


def test_a_gated_model_says_what_to_do(ring: MemoryKeyring, hub: HubServer, tmp_path: Path) -> None:
    hub.wanted_token = SECRET
    choose_hub(hub.address)
    spec = Spec("tiny", "Tiny", (Source("hub", hub.repository),))
    store = Store(tmp_path / "models", HURRY)
    with pytest.raises(UserError, match="gives Tiny only to accounts") as unknown:
        list(store.fetch(spec, threading.Event()))
    assert "token" in unknown.value.remedy
    hub_token.keep_token(hub.address, "hf_another")
    with pytest.raises(UserError, match="refuses Tiny to the account") as refused:
        list(store.fetch(spec, threading.Event()))
    assert "accept its conditions" in refused.value.remedy
    hub.pages["/api/models/a/b"] = b"{}"
    with pytest.raises(UserError, match="refuses a/b to the account"):
        HubSearch(hub.address, HURRY).model("a/b", threading.Event())
    hub_token.keep_token(hub.address, SECRET)
    list(store.fetch(spec, threading.Event()))
    assert store.find("tiny") is not None


@pytest.mark.parametrize("text", ["", "  ", "two words", "ключ", "a" * 501, "a\nb"])
def test_what_is_no_token(ring: MemoryKeyring, text: str) -> None:
    with pytest.raises(UserError, match="not a token"):
        hub_token.keep_token(addresses.HUB, text)
    assert not ring.kept


def test_a_locked_keyring_is_told_without_its_words(ring: MemoryKeyring) -> None:
    hub_token.keep_token(addresses.HUB, SECRET)
    ring.locked = True
    with pytest.raises(UserError, match="did not take the token") as caught:
        hub_token.keep_token(addresses.HUB, SECRET)
    assert SECRET not in str(caught.value) and "HF_TOKEN" in caught.value.remedy
    assert hub_token.kept_token(addresses.HUB) == ""


def test_without_a_keyring_there_is_the_environment() -> None:
    assert not hub_token.can_keep()
    with pytest.raises(UserError, match="no keyring") as caught:
        hub_token.keep_token(addresses.HUB, SECRET)
    assert "HF_TOKEN" in caught.value.remedy


def test_the_command_line(
    ring: MemoryKeyring, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{SECRET}\n"))
    assert cli.main(["token", "set"]) == 0
    assert list(ring.kept.values()) == [SECRET]
    assert cli.main(["token", "--json"]) == 0
    assert cli.main(["token", "clear"]) == 0
    out = capsys.readouterr().out
    assert SECRET not in out and "was deleted" in out and '"kept": true' in out and not ring.kept
    assert cli.main(["hub", addresses.MIRROR]) == 0 and addresses.hub() == addresses.MIRROR
    assert cli.main(["hub", "ftp://x"]) == 1 and chosen_hub() == addresses.MIRROR
    assert cli.main(["hub", "--usual", "--json"]) == 0 and chosen_hub() == ""
    assert f'"hub": "{addresses.HUB}"' in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["hub", "https://", "https://me:secret@hub", "https://hub/?a=b", "file:///etc", "https://a b"]
)
def test_what_is_no_hub(text: str) -> None:
    with pytest.raises(UserError, match="not the address"):
        choose_hub(text)
    assert addresses.hub() == addresses.HUB


def test_the_environment_goes_before_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    choose_hub("https://mirror.example/")
    assert addresses.hub() == "https://mirror.example"
    monkeypatch.setenv("HF_ENDPOINT", "https://other.example/")
    assert addresses.hub() == "https://other.example"
