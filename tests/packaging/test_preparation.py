"""Making the environment, with a stand-in for Python and pip: nothing is fetched, nothing installed."""

import sys
import threading
from dataclasses import replace

import environment
import launch
import preparation
import pytest
import torch_build
from console import Console, SetupError, TorchStaysError
from environment import Environment, State
from torch_build import Card
from window_console import WindowConsole

from tests.packaging.fake_python import FakePython
from tests.packaging.listening import Listener, installs, prepare
from tests.patience import WAIT_S

CARD = Card("NVIDIA GeForce RTX 4090", (8, 9), (13, 0))
REAL_PYTHON = sys.executable
VENV, TORCH, PACKAGES = "-m venv", "torch==", "--editable"


def test_first_start_does_everything_and_the_second_nothing(python: FakePython, place: Environment) -> None:
    said = prepare(place)
    calls = python.take_calls()
    assert calls[0] == f"-m venv {place.folder}"
    assert installs(calls) == [f"torch=={torch_build.VERSION}+cpu", f"--editable {place.checkout}"]
    assert "about 380 MB" in said.splitlines()[0], "how much there is to fetch is told before anything is"
    assert [line[:3] for line in said.splitlines()[1:4]] == ["1/3", "2/3", "3/3"]
    assert "CPU build" in said
    assert place.ready()
    assert prepare(place) == ""
    assert python.take_calls() == []


@pytest.mark.parametrize(("broken", "kept"), [(VENV, 0), (TORCH, 1), (PACKAGES, 2)])
def test_an_interrupted_setup_goes_on_where_it_was(
    broken: str, kept: int, python: FakePython, place: Environment
) -> None:
    python.answer(broken, "out of luck", status=3)
    with pytest.raises(SetupError, match="out of luck"):
        prepare(place)
    assert not place.ready()
    assert [call for call in python.take_calls() if broken in call]
    python.be_well()
    prepare(place)
    again = python.take_calls()
    assert place.ready()
    assert [any(step in call for call in again) for step in (VENV, TORCH, PACKAGES)] == [
        done >= kept for done in range(3)
    ]


def test_a_half_made_environment_is_cleared(python: FakePython, place: Environment) -> None:
    place.claim()
    rest = place.folder / "lib" / "half"
    rest.mkdir(parents=True)
    (place.folder / "pyvenv.cfg").write_text("home = nowhere")
    prepare(place)
    assert not rest.exists()
    assert not (place.folder / "pyvenv.cfg").exists()
    assert place.ready()


def test_an_environment_whose_python_went_away_is_made_again(python: FakePython, place: Environment) -> None:
    prepare(place)
    python.take_calls()
    place.python.unlink()
    place.python.symlink_to(place.folder / "gone")
    assert not place.ready()
    prepare(place)
    assert python.take_calls()[0].startswith(VENV)
    assert place.ready()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"other": 1}'])
def test_a_broken_state_means_a_new_environment(text: str, python: FakePython, place: Environment) -> None:
    prepare(place)
    python.take_calls()
    (place.folder / environment.STATE).write_text(text)
    prepare(place)
    assert python.take_calls()[0].startswith(VENV)
    assert place.ready()


def test_somebody_elses_folder_is_left_alone(python: FakePython, place: Environment) -> None:
    place.folder.mkdir()
    (place.folder / "thesis.txt").write_text("years")
    with pytest.raises(SetupError, match="FOREWORD_ENV"):
        prepare(place)
    assert [path.name for path in place.folder.iterdir()] == ["thesis.txt"]
    assert python.take_calls() == []


def test_a_folder_left_at_the_very_first_moment_is_taken(python: FakePython, place: Environment) -> None:
    place.folder.mkdir()
    (place.folder / f"{environment.STATE}.new").write_text("{")
    prepare(place)
    assert place.ready()


def test_changed_dependencies_install_the_packages_alone(python: FakePython, place: Environment) -> None:
    prepare(place)
    python.take_calls()
    project = place.checkout / "pyproject.toml"
    project.write_text(project.read_text() + "\n# more\n")
    assert not place.ready()
    prepare(place)
    assert installs(python.take_calls()) == [f"--editable {place.checkout}"]


def test_tests_bring_their_tools_and_a_later_start_keeps_them(python: FakePython, place: Environment) -> None:
    prepare(place)
    python.take_calls()
    assert place.ready() and not place.ready(development=True)
    prepare(place, development=True)
    assert installs(python.take_calls()) == [f"--editable {place.checkout}[dev]"]
    assert place.ready() and place.ready(development=True)
    project = place.checkout / "pyproject.toml"
    project.write_text(project.read_text() + "\n# more\n")
    prepare(place)
    assert installs(python.take_calls()) == [f"--editable {place.checkout}[dev]"]


def test_a_checkout_that_cannot_be_written_is_not_installed(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Environment, "editable", False)
    prepare(place, development=True)
    assert installs(python.take_calls())[1] == "torch>=2.9 qasync pytest"


def test_missing_kernels_are_no_obstacle(python: FakePython, place: Environment) -> None:
    script = place.checkout / preparation.KERNELS
    script.parent.mkdir(parents=True)
    script.touch()
    python.answer("inference.native.build", "no such instruction", status=1)
    said = prepare(place)
    assert "4/4" in said and str(place.log) in said
    assert place.ready()
    assert "no such instruction" in place.log.read_text(encoding="utf-8")


def test_a_new_card_brings_another_torch(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(place)
    python.take_calls()
    later = replace(place, accelerated=True)
    assert not later.ready()
    monkeypatch.setattr(torch_build, "find_cards", lambda: (CARD,))
    prepare(later)
    calls = python.take_calls()
    assert not any("uninstall" in call for call in calls), "pip does that itself, when it has fetched the other"
    assert (
        installs(calls)[0] == f"torch=={torch_build.VERSION},!={torch_build.VERSION}+cpu,!={torch_build.VERSION}+cu126"
    )
    assert later.ready() and later.state.torch.endswith("cu130")


def test_a_person_may_want_torch_without_the_card(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch_build, "find_cards", lambda: (CARD,))
    place = replace(place, accelerated=True)
    prepare(place)
    python.take_calls()
    launch.choose_torch(place, ["--cpu"])
    assert not place.ready() and "CPU build" in prepare(place)
    assert installs(python.take_calls())[0] == f"torch=={torch_build.VERSION}+cpu"
    assert place.ready() and prepare(place) == "", "the next start stays with it"
    place.clear()
    assert place.state.processor_only, "and so does an environment that is made again"
    launch.choose_torch(place, ["--cuda"])
    assert "CUDA build" in prepare(place)


THERE, IS = "torch.__version__", preparation.TORCH


@pytest.mark.parametrize(
    ("had", "wish", "device"), [("cpu", "--cuda", "processor"), ("cu130", "--cpu", "graphics card")]
)
def test_torch_stays_as_it_is_where_another_cannot_be_had(
    had: str, wish: str, device: str, python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was taken away first, and no start without a network went on."""
    monkeypatch.setattr(torch_build, "find_cards", lambda: (CARD,))
    place = replace(place, accelerated=True)
    launch.choose_torch(place, ["--cpu"] if had == "cpu" else ["--cuda"])
    prepare(place)
    before = place.state
    launch.choose_torch(place, [wish])
    python.answer(THERE, f"{IS} {torch_build.VERSION}+{had}")
    python.answer(TORCH, "Failed to establish a new connection: Name or service not known", status=1)
    with pytest.raises(SetupError, match=f"as it is here, for the {device}[^!]*could not be reached"):
        prepare(place)
    assert place.ready() and place.state == before
    python.be_well()
    launch.choose_torch(place, [wish])
    python.answer(THERE, f"{IS} {torch_build.VERSION}+{had}")
    prepare(place)
    assert place.ready() and not place.state.torch.endswith(had), "and can be asked for again"


def test_nothing_is_chosen_where_the_device_stays(python: FakePython, place: Environment) -> None:
    """Else a card that comes later would never be used."""
    prepare(place)
    place.keep(replace(place.state, torch=""))  # as a kill leaves it
    python.answer(THERE, f"{IS} {torch_build.VERSION}+cpu")
    python.answer(TORCH, "Network is unreachable", status=1)
    with pytest.raises(TorchStaysError, match="as it is here"):
        prepare(place)
    assert place.ready() and not place.state.processor_only


def test_foreword_does_not_go_on_with_an_older_torch(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said so, and did not start."""
    prepare(place)
    before = place.state
    python.answer(THERE, f"{IS} {torch_build.VERSION}+cpu")
    python.answer(TORCH, "Network is unreachable", status=1)
    monkeypatch.setattr(torch_build, "VERSION", "2.99.0")
    with pytest.raises(SetupError, match="could not be reached") as caught:
        prepare(place)
    assert not isinstance(caught.value, TorchStaysError)
    assert not place.ready() and place.state == before
    python.be_well()
    prepare(place)
    assert place.ready() and place.state.torch == "2.99.0 cpu"


def test_the_processors_torch_is_never_replaced_by_one_for_a_card_again(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which is what is taken where there is none at all: several GB for what is there."""
    monkeypatch.setattr(torch_build, "find_cards", lambda: (CARD,))
    place = replace(place, accelerated=True)
    prepare(place)
    launch.choose_torch(place, ["--cpu"])
    python.take_calls()
    python.answer(THERE, f"{IS} {torch_build.VERSION}+cu130")
    python.answer(TORCH, "No matching distribution found", status=1)
    with pytest.raises(SetupError):
        prepare(place)
    assert [call.split()[-1] for call in installs(python.take_calls())] == [f"torch=={torch_build.VERSION}+cpu"] * 2


def test_a_killed_switch_goes_on_at_the_next_start(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or gives up where there is no network any more; a half-installed torch is mended in any case."""
    prepare(place)
    monkeypatch.setattr(torch_build, "find_cards", lambda: (CARD,))
    place = replace(place, accelerated=True)
    killed = replace(place.state, torch="", processor_only=False)  # as it stands in the middle
    place.keep(killed)
    assert not place.ready()
    prepare(place)
    assert place.ready() and place.state.torch.endswith("cu130")
    place.keep(replace(killed, processor_only=True))  # and then the person wants the old one again
    assert not place.ready(), "torch may be half there"
    place.keep(killed)
    python.answer(TORCH, "Network is unreachable", status=1)
    python.answer(THERE, f"{IS} {torch_build.VERSION}+cpu")
    with pytest.raises(SetupError, match="as it is here"):
        prepare(place)
    assert place.ready() and place.state.torch.endswith("cpu")


def test_what_a_killed_pip_was_taking_out_goes(python: FakePython, place: Environment) -> None:
    """pip looks for no torch where it finds the rest of one, and fetched a second, of several GB."""
    prepare(place)
    packages = place.folder / "lib" / "python3.11" / "site-packages"
    for name in ("~orch", "~orch-2.13.0.dist-info", "torch"):
        (packages / name / "lib").mkdir(parents=True)
    (packages / "~orch.pth").touch()
    place.keep(replace(place.state, torch=""))
    prepare(place)
    assert [path.name for path in packages.iterdir()] == ["torch"] and place.ready()


def test_stopping_a_switch_keeps_what_was_there(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(place)
    monkeypatch.setattr(torch_build, "find_cards", lambda: (CARD,))
    place = replace(place, accelerated=True)
    python.answer(THERE, f"{IS} {torch_build.VERSION}+cpu")

    def stop(self: object, attempts: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(preparation._Preparation, "_fetch_torch", stop)
    with pytest.raises(KeyboardInterrupt, match="as it is here"):
        prepare(place)
    assert place.ready() and place.state.torch.endswith("cpu")


def test_room_for_the_build_for_a_card_is_looked_for_before_it_is_fetched(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(place)
    python.take_calls()
    monkeypatch.setattr(torch_build, "find_cards", lambda: (CARD,))
    usage = preparation.shutil.disk_usage(place.checkout)
    monkeypatch.setattr(preparation.shutil, "disk_usage", lambda folder: usage._replace(free=5 * 10**9))
    python.answer(THERE, f"{IS} {torch_build.VERSION}+cpu")
    with pytest.raises(SetupError, match="about 10 GB"):
        prepare(replace(place, accelerated=True))
    assert installs(python.take_calls()) == []


@pytest.mark.parametrize("words", [["--gpu"], ["--cpu", "now"]])
def test_other_words_are_not_understood(words: list[str], place: Environment) -> None:
    with pytest.raises(SetupError, match="--cpu or --cuda"):
        launch.choose_torch(place, words)
    assert not place.folder.exists()


def test_a_second_start_waits_for_the_first(python: FakePython, place: Environment) -> None:
    waiting = threading.Event()
    stream = Listener(heard=lambda text: waiting.set() if "Waiting" in text else None)
    place.claim()
    with place.locked(Console(Listener())):
        second = threading.Thread(target=preparation._prepare, args=(place, Console(stream), False))
        second.start()
        assert waiting.wait(WAIT_S)
        (place.folder / "bin").mkdir()
        place.python.touch()
        place.keep(State(made=True, torch="there", installed=place.digest))
    second.join(WAIT_S)
    assert not second.is_alive()
    assert python.take_calls() == []


def test_closing_the_window_of_a_start_that_waits_ends_it(python: FakePython, place: Environment) -> None:
    closed_after_a_line = "print('ready', flush=True); input()"
    console = WindowConsole.open(place.log, [REAL_PYTHON, "-c", closed_after_a_line])
    assert console is not None
    ended = threading.Event()

    def wait() -> None:
        with pytest.raises(KeyboardInterrupt):
            preparation._prepare(place, console, False)
        ended.set()

    place.claim()
    with place.locked(Console(Listener())):
        second = threading.Thread(target=wait)
        second.start()
        assert ended.wait(WAIT_S)
    second.join()
    console.close()
    assert python.take_calls() == []


def test_too_little_disk_is_said_before_anything_is_fetched(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = preparation.shutil.disk_usage(place.checkout)
    monkeypatch.setattr(preparation.shutil, "disk_usage", lambda folder: usage._replace(free=10**9))
    with pytest.raises(SetupError, match=r"about 3 GB .* 1\.0 GB are free"):
        prepare(place)
    assert python.take_calls() == []


def test_a_python_without_venv_names_the_package(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation.shutil, "which", lambda name: f"/usr/bin/{name}")
    python.answer(VENV, "The virtual environment was not created because ensurepip is not available.", status=1)
    with pytest.raises(SetupError, match=r"apt-get install python3\.\d+-venv"):
        prepare(place)
