"""Commands, their progress and their failures."""

import os
import sys
from pathlib import Path

import pytest
from console import Console, SetupError, clock
from errand import Errand

from tests.packaging.listening import Listener

UNREACHABLE = "WARNING: Retrying: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution"


def test_a_command_that_is_interrupted_is_ended(tmp_path: Path) -> None:
    started = tmp_path / "started"

    class Interrupted(Console):
        def show(self, text: str) -> None:
            if text and started.exists():
                raise KeyboardInterrupt

    log = tmp_path / "log"
    code = f"import os, pathlib, signal; pathlib.Path({str(started)!r}).write_text(str(os.getpid())); signal.pause()"
    with pytest.raises(KeyboardInterrupt):
        Errand(Interrupted(Listener()), log, tmp_path / "scratch").run([sys.executable, "-c", code])
    pid = int(started.read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_terminal_sees_how_much_is_there(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    stream = Listener(terminal=True, heard=lambda text: seen.touch() if "50 of 200 MB" in text else None)
    code = (
        "import os, pathlib\n"
        "print('Collecting torch', flush=True)\n"
        "print('  Downloading https://host/a/torch-2-py3.whl (200.0 MB)', flush=True)\n"
        "folder = pathlib.Path(os.environ['TMPDIR'], 'pip-unpack-x'); folder.mkdir()\n"
        "os.truncate(os.open(folder / 'torch-2-py3.whl', os.O_CREAT | os.O_WRONLY), 50_000_000)\n"
        f"while not os.path.exists({str(seen)!r}): pass\n"
    )
    outcome = Errand(Console(stream), tmp_path / "log", tmp_path / "scratch").run([sys.executable, "-c", code])
    assert outcome.status == 0
    assert "downloading torch-2-py3.whl: 50 of 200 MB" in stream.getvalue()
    assert "Collecting torch" in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    ("names", "said"), [("torch", "installing torch"), ("sympy, numpy, torch", "installing 3 packages")]
)
def test_what_is_installed_is_said(names: str, said: str, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    stream = Listener(terminal=True, heard=lambda text: seen.touch() if said in text else None)
    code = f"import os\nprint('Installing collected packages: {names}', flush=True)\n"
    code += f"while not os.path.exists({str(seen)!r}): pass\n"
    errand = Errand(Console(stream), tmp_path / "log", tmp_path / "scratch")
    assert errand.run([sys.executable, "-c", code]).status == 0


def test_no_terminal_sees_only_lines_that_stay() -> None:
    stream = Listener()
    console = Console(stream)
    console.show("passing")
    console.say("staying")
    assert stream.getvalue() == "staying\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("OSError: [Errno 28] No space left on device", "The disk is full."),
        ("ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED]", "certificate"),
        (UNREACHABLE, "could not be reached"),
        ("ERROR: No matching distribution found for torch==2.13.0", "no build of a package for this system"),
        (f"{UNREACHABLE}\nERROR: No matching distribution found for torch", "could not be reached"),
        ("ERROR: something nobody thought of", "something nobody thought of"),
    ],
)
def test_failures_are_said_in_a_sentence(words: str, sentence: str, tmp_path: Path) -> None:
    code = f"print({words!r}); raise SystemExit(1)"
    outcome = Errand(Console(Listener()), tmp_path / "log", tmp_path / "scratch").run([sys.executable, "-c", code])
    with pytest.raises(SetupError, match=sentence):
        outcome.require("Installing", tmp_path / "log")


def test_a_persons_pip_settings_do_not_lead_astray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_USER", "1")
    monkeypatch.setenv("PIP_TARGET", "/elsewhere")
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple")
    code = "import os; print(os.environ['PIP_USER'], 'PIP_TARGET' in os.environ, os.environ['PIP_INDEX_URL'])"
    outcome = Errand(Console(Listener()), tmp_path / "log", tmp_path / "scratch").run([sys.executable, "-c", code])
    assert outcome.lines == ("0 False https://mirror.example/simple",)


@pytest.mark.parametrize(("seconds", "text"), [(0.0, "0:00"), (59.9, "0:59"), (95.4, "1:35"), (3600.0, "60:00")])
def test_clock(seconds: float, text: str) -> None:
    assert clock(seconds) == text
