"""The doctor on installations that are damaged in every way that was thought of. Fake packages stand before the real
ones on the path, so that what is asked in a process of its own finds the damage there."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

import inference.doctor as doctor
from inference.doctor import libraries, surroundings
from inference.doctor.examination import CHECKS, Check, examined
from inference.doctor.finding import Finding, worst
from inference.doctor.probe import ProbeError, probe
from inference.doctor.versions import concerns, satisfies
from inference.manager.paths import places
from inference.plan.machine import Card
from tests.inference.manager.model_folders import make_folder

Damage = Callable[[str, str], None]
CARD = Card("Card 24 GB", 24 << 30, 20 << 30)


@pytest.fixture
def damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Damage:
    """Puts a package of that name and with that code before the real one."""
    place = tmp_path / "damaged"
    place.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(place))

    def damage(package: str, code: str) -> None:
        folder = place / package
        folder.mkdir()
        (folder / "__init__.py").write_text(code, encoding="utf-8")

    return damage


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise ImportError('libtorch_cpu.so: cannot open shared object file')", "cannot open shared object file"),
        ("raise OSError('[WinError 126] the module could not be found')", "WinError 126"),
        ("def broken(:\n", "invalid syntax"),
        ("import os\nos.kill(os.getpid(), 11)", "crashed (signal 11)"),
        ("import os\nos._exit(7)", "status 7"),
        ("__version__ = '2'\n", "has no attribute 'cuda'"),
    ],
)
def test_a_torch_that_cannot_be_loaded_is_a_finding(damage: Damage, code: str, said: str) -> None:
    damage("torch", code)
    finding = libraries.check_torch()
    assert finding.verdict == "bad" and said in finding.text and finding.remedy


def test_a_library_that_never_answers_is_given_up(damage: Damage) -> None:
    damage("torch", "import threading\nthreading.Event().wait()")
    with pytest.raises(ProbeError, match="no answer within") as failed:
        probe("torch", patience_s=1.0)
    assert failed.value.late


@pytest.mark.parametrize(
    "check",
    [
        libraries.check_packages,
        libraries.check_torch,
        libraries.check_bitsandbytes,
        libraries.check_transformers,
        surroundings.check_processor,
    ],
)
def test_what_may_only_be_slow_is_not_to_be_installed_again(
    check: Callable[[], Finding], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(name: str) -> None:
        raise ProbeError("no answer within 90 s", late=True)

    for module in (libraries, surroundings):
        monkeypatch.setattr(module, "probe", wait)
    finding = check()
    assert finding.verdict != "good" and "no answer within 90 s" in finding.text
    assert finding.remedy == "Check again when this machine has less to do."


FAKE_TORCH = """
__version__ = {version!r}
class version: cuda, hip = {cuda!r}, None
class cuda:
    is_available = staticmethod(lambda: False)
class backends:
    class mps: is_available = staticmethod(lambda: False)
    class cpu: get_cpu_capability = staticmethod(lambda: "AVX2")
get_num_threads = lambda: 4
"""


@pytest.mark.parametrize(
    ("cuda", "cards", "verdict", "said"),
    [
        (None, (), "good", "CPU build"),
        (None, (CARD,), "bad", "card that it cannot use: Card 24 GB"),
        ("13.0", (CARD,), "bad", "driver (570.1) is too old"),
        ("13.0", (), "good", "CUDA 13.0 build"),
    ],
)
def test_the_build_of_torch_is_held_against_the_machine(
    damage: Damage,
    monkeypatch: pytest.MonkeyPatch,
    cuda: str | None,
    cards: tuple[Card, ...],
    verdict: str,
    said: str,
) -> None:
    damage("torch", FAKE_TORCH.format(version="2.13.0", cuda=cuda))
    monkeypatch.setattr(libraries, "driver_cards", lambda: cards)
    monkeypatch.setattr(libraries, "driver_version", lambda: "570.1")
    finding = libraries.check_torch()
    assert finding.verdict == verdict and said in finding.text


def test_a_built_program_is_not_sent_to_a_launcher_that_it_does_not_have(
    damage: Damage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> dict[str, object]:
        raise ProbeError("it is damaged")

    damage("torch", FAKE_TORCH.format(version="2.13.0", cuda=None))
    monkeypatch.setattr(libraries, "driver_cards", lambda: (CARD,))
    own = libraries.check_torch()
    assert own.verdict == "bad" and "setup" in own.remedy
    facts = libraries.probe("torch")
    monkeypatch.setattr(libraries, "probe", lambda name: facts)
    monkeypatch.setattr(sys, "frozen", True, raising=False)  # as PyInstaller does
    built = libraries.check_torch()
    assert built.verdict == "warning" and "from its sources" in built.remedy
    for module in (libraries, surroundings):
        monkeypatch.setattr(module, "probe", broken)
    for check in (libraries.check_torch, libraries.check_packages, surroundings.check_processor):
        assert check().remedy == "Install Foreword again."


LOADED = """
import ctypes
class Lib:
    def __getattr__(self, name): return print
lib = Lib()
lib.__dict__.update({fields})
"""


@pytest.mark.parametrize(
    ("fields", "cards", "verdict", "said"),
    [
        ("_lib=ctypes.CDLL(None), compiled_with_cuda=False", (), "good", "library for the processor"),
        ("_lib=ctypes.CDLL(None), compiled_with_cuda=True", (CARD,), "good", "library for CUDA"),
        ("_lib=ctypes.CDLL(None), compiled_with_cuda=False", (CARD,), "bad", "CPU library although"),
        ("error_msg='libcudart.so.13 not found'", (CARD,), "warning", "libcudart.so.13 not found"),
    ],
)
def test_bitsandbytes_must_really_have_its_library(
    damage: Damage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fields: str,
    cards: tuple[Card, ...],
    verdict: str,
    said: str,
) -> None:
    damage("bitsandbytes", "__version__ = '0.50.2'")
    code = LOADED.format(fields=fields)
    (tmp_path / "damaged" / "bitsandbytes" / "cextension.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(libraries, "driver_cards", lambda: cards)
    monkeypatch.setattr(libraries.sys, "platform", "linux")
    finding = libraries.check_bitsandbytes()
    assert finding.verdict == verdict and said in finding.text


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {"torch>=2.9": "2.13.0", "qasync>=0.28": "", "bitsandbytes>=0.49; sys_platform != 'darwin'": "0.50"}
    monkeypatch.setattr(libraries, "probe", lambda name: {"packages": listed})
    finding = libraries.check_packages()
    assert finding.verdict == "bad" and finding.text == "Missing: qasync."
    assert dict(finding.facts)["qasync"] == "missing"


def test_a_package_in_a_wrong_version_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older = tmp_path / "transformers-4.40.0.dist-info"
    older.mkdir()
    (older / "METADATA").write_text("Metadata-Version: 2.1\nName: transformers\nVersion: 4.40.0\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    finding = libraries.check_packages()
    assert finding.verdict == "bad" and "transformers 4.40.0 (wanted: >=5" in finding.text


@pytest.mark.parametrize(
    ("version", "requirement", "kept"),
    [
        ("5.24.0", "transformers>=5.24,<6", True),
        ("5.23.9", "transformers>=5.24,<6", False),
        ("6.0", "transformers>=5.24,<6", False),
        ("2.13.0+cpu", "torch>=2.9", True),
        ("6.11.1", "PySide6-Essentials>=6.10,<6.12", True),
        ("3", "markdown-it-py>=3", True),
        ("1.0", "x==1.0.0", True),
        ("1.1", "x!=1.1", False),
        ("0.1", "anything", True),
    ],
)
def test_versions_are_compared_by_number(version: str, requirement: str, kept: bool) -> None:
    assert satisfies(version, requirement) is kept


def test_markers_say_where_a_package_is_wanted() -> None:
    assert not concerns("bitsandbytes>=0.49; sys_platform != 'darwin'", "darwin")
    assert concerns("bitsandbytes>=0.49; sys_platform != 'darwin'", "linux")
    assert concerns("torch>=2.9", "darwin")


@pytest.mark.parametrize(
    ("version", "verdict"), [((3, 10, 1), "bad"), ((3, 11, 0), "good"), ((3, 14, 2), "good"), ((3, 15, 0), "warning")]
)
def test_the_version_of_python(version: tuple[int, int, int], verdict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries.sys, "version_info", version)
    assert libraries.check_python().verdict == verdict


@pytest.mark.parametrize(("free", "verdict"), [(500, "bad"), (2_000, "warning"), (9_000, "good")])
def test_memory_and_disk_by_what_is_free(free: int, verdict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Figures:
        total, available = 16 * 10**9, free * 10**6

    monkeypatch.setattr(psutil, "virtual_memory", Figures)
    assert surroundings.check_memory().verdict == verdict
    monkeypatch.setattr(surroundings.shutil, "disk_usage", lambda _: Disk(free * 10**6))
    assert surroundings.check_disk().verdict == verdict


class Disk:
    def __init__(self, free: int) -> None:
        self.free = free


def test_folders_that_cannot_be_written_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path / "家"))
    assert surroundings.check_places().verdict == "good"

    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(surroundings.tempfile, "TemporaryFile", refuse)
    finding = surroundings.check_places()
    assert finding.verdict == "bad" and "家" in finding.text


def test_every_place_is_said_on_a_terminal_and_to_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path))
    kept = {label: str(place) for label, place in places().items()}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "chats.sqlite").touch()  # a file that is there is no folder to write into
    check = [Check("places", "Folders", surroundings.check_places)]
    assert doctor.main([], check) == 0
    said = capsys.readouterr().out
    assert all(f"{label}: {place}\n" in said for label, place in kept.items())
    assert doctor.main(["--json"], check) == 0
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["facts"] == {**kept, "program": sys.prefix}


def test_a_damaged_model_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inference.manager.store import Store

    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path))
    assert surroundings.check_models().verdict == "good"
    folder = make_folder(tmp_path / "elsewhere" / "Tiny")
    Store().open_folder(folder)
    assert surroundings.check_models().text == "1 model is on this machine, whole."
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-8])
    finding = surroundings.check_models()
    assert finding.verdict == "bad" and "Tiny: model.safetensors is cut off." in finding.text


@pytest.mark.parametrize(
    "error", [ImportError("x"), SyntaxError("x"), OSError("x"), KeyError("x"), AttributeError("x")]
)
def test_a_check_that_fails_itself_is_a_finding(error: Exception) -> None:
    def fail() -> Finding:
        raise error

    finding = examined(Check("thing", "Thing", fail))
    assert finding.verdict == "bad" and type(error).__name__ in finding.text


def _check(verdict: str) -> Check:
    remedy = "" if verdict == "good" else "Do this."
    return Check(verdict, verdict, lambda: Finding(verdict, verdict, verdict, "So it is.", remedy))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verdicts", "status"), [(["good"], 0), (["good", "warning"], 0), (["warning", "bad", "good"], 1)]
)
def test_the_status_and_json_of_the_command(
    verdicts: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = [_check(verdict) for verdict in verdicts]
    assert doctor.main([], checks) == status
    text = capsys.readouterr().out
    assert text.count("So it is.") == len(checks) and ("Do this." in text) == (verdicts != ["good"])
    assert doctor.main(["--json"], checks) == status
    answer = json.loads(capsys.readouterr().out)
    assert answer["verdict"] == worst([check.run() for check in checks])
    assert [finding["name"] for finding in answer["findings"]] == verdicts


def test_a_fault_without_a_remedy_is_no_finding() -> None:
    with pytest.raises(ValueError, match="needs a remedy"):
        Finding("x", "X", "bad", "It is broken.")


def test_with_every_library_broken_there_is_still_a_page(damage: Damage, tmp_path: Path) -> None:
    """Python alone: no packages for the doctor itself, and those that it asks about end at once."""
    for package in ("torch", "transformers", "bitsandbytes", "PySide6", "psutil", "platformdirs"):
        damage(package, f"raise ImportError('{package} is damaged')")
    root = Path(doctor.__file__).parents[2]
    environment = {
        **os.environ,
        "FOREWORD_HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], str(root)]),
    }
    command = [sys.executable, "-S", "-m", "app", "doctor"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=120)
    assert done.returncode == 1 and "Traceback" not in done.stdout, done.stderr
    for words in ("torch cannot be loaded", "Qt cannot be loaded", "psutil is damaged", "platformdirs is damaged"):
        assert words in done.stdout
    assert done.stdout.count("WRONG") >= 5 and "->" in done.stdout


def test_every_check_gives_a_finding_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real libraries, in the environment that the tests run in."""
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path))
    cheap = [check for check in CHECKS if check.name in ("python", "cards", "memory", "disk", "places", "torch")]
    findings = [examined(check) for check in cheap]
    assert [finding.name for finding in findings] == [check.name for check in cheap]
    assert {finding.verdict for finding in findings if finding.name in ("python", "places")} == {"good"}
