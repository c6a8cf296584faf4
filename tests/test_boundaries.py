"""What may know of what, what a start may not load, and what no file may hold."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
QT = {"PySide6", "shiboken6", "qasync", "pytestqt"}
HEAVY = ("torch", "transformers", "accelerate", "bitsandbytes")
LIGHT = (  # read by the window before anything is loaded
    "inference.events",
    "inference.settings",
    "inference.statistics",
    "inference.messages",
    "inference.errors",
    "inference.chat_engine",
    "inference.manager.spec",
    "inference.manager.catalogue",
    "inference.manager.store",
    "inference.manager.download",
    "inference.manager.addresses",
    "inference.manager.paths",
)
NAMES_HOSTS = {"inference/manager/addresses.py", "tests/test_boundaries.py"}
HOSTS = r"(pypi|pythonhosted|pytorch|debian)\.org|huggingface\.co|hf-mirror\.com|(modelscope|npmjs|anaconda)\.\w"
PLACES = r"(?<![\w.~*-])/(root|home/\w+|Users/\w+)(/|\b)|C:\\Users\\\w"
MOST_LINES, MOST_LINES_OF_A_TEST = 400, 500


def files(*patterns: str) -> list[Path]:
    """Of the project, without what is built or fetched."""
    git = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(git, capture_output=True, check=True, text=True).stdout.split("\0")
    return sorted(path for name in set(listed) if name and (path := ROOT / name).is_file())


def imported(path: Path) -> Iterator[str]:
    """Every module that the file names, wherever in it: at its head, in functions, for the type checker."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("folder", ["inference", "app", "packaging", "tests"])
def test_files_are_found(folder: str) -> None:
    assert files(f"{folder}/*.py")


def test_the_engine_knows_neither_qt_nor_the_program() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in files("inference/*.py")
        for name in imported(path)
        if within(name, "app", "tests", *QT)
    ]
    assert not wrong


def test_views_touch_neither_database_nor_engine() -> None:
    hidden = (
        "sqlite3",
        "app.chats",
        "app.history",
        "app.history_writer",
        "app.worker",
        "app.application",
        "app.loader",
    )
    engine = ("inference.engine", "inference.manager.store", "inference.manager.host", "inference.models", *HEAVY)
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in files("app/views/*.py")
        for name in imported(path)
        if within(name, *hidden, *engine)
    ]
    assert not wrong


def test_the_launcher_and_the_build_need_only_the_standard_library() -> None:
    """What they start in the environments they made, and what measures, may need more."""
    beside = {path.stem: path for path in files("packaging/*.py")}
    waiting, reached, wrong = ["launch", "setup_window", "build", "frozen_start"], set(), []
    while waiting:
        stem = waiting.pop()
        reached.add(stem)
        names = {name.split(".")[0] for name in imported(beside[stem])} - sys.stdlib_module_names
        waiting += names & (beside.keys() - reached)
        wrong += [f"{stem}: {name}" for name in names - beside.keys()]
    assert not wrong and "smoke_test" in reached


@pytest.mark.parametrize("package", ["app", "light"])
def test_importing_loads_nothing_heavy(package: str) -> None:
    """The window is on the screen before torch is loaded, in the worker."""
    names = [module_name(path) for path in files("app/*.py")] if package == "app" else list(LIGHT)
    code = "import importlib, sys\nfor name in sys.argv[1:]:\n    importlib.import_module(name)\n"
    code += f"    found = [heavy for heavy in {HEAVY} if heavy in sys.modules]\n"
    code += "    assert not found, f'{name} imports {found}'\n"
    done = _python(code, *names)
    assert done.returncode == 0, done.stderr


def test_the_light_part_of_the_engine_runs_without_qt() -> None:
    names = [*LIGHT, "app.conversation", "app.chats", "app.options", "app.settings", "app.settings_file", "app.mailbox"]
    code = "import importlib, sys\nfor name in sys.argv[1:]:\n    importlib.import_module(name)\n"
    code += "    assert 'PySide6' not in sys.modules, f'{name} imports Qt'\n"
    done = _python(code, *names)
    assert done.returncode == 0, done.stderr


def test_one_file_names_the_hosts() -> None:
    wrong = [f"{name}:{line}: {found}" for name, line, found in _occurrences(HOSTS) if name not in NAMES_HOSTS]
    assert not wrong


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    wrong = [f"{name}:{line}: {found}" for name, line, found in _occurrences(PLACES) if name not in NAMES_HOSTS]
    assert not wrong


@pytest.mark.parametrize("text", ["see /root/x", "'/home/me/x'", "=/Users/me/x", "C:\\Users\\me", "/root"])
def test_places_are_recognised(text: str) -> None:
    assert re.search(PLACES, text)


@pytest.mark.parametrize("text", ["a/root", "~/root/x", "/rooted", "/homework", "home/me"])
def test_other_paths_are_left_alone(text: str) -> None:
    assert not re.search(PLACES, text)


def test_no_file_is_long() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {lines} lines, at most {most}"
        for path in files("*.py", "*.cpp", "*.h")
        for lines in [path.read_text(encoding="utf-8").count("\n")]
        for most in [MOST_LINES_OF_A_TEST if path.is_relative_to(ROOT / "tests") else MOST_LINES]
        if lines > most
    ]
    assert not wrong


def test_no_test_waits_for_a_time_or_measures_one() -> None:
    """A busy machine is no fault: tests wait for signals, and count work (see `tests.work`)."""
    clocks = {"sleep", "qWait", "perf_counter", "monotonic", "process_time", "thread_time"}

    def of_time(call: ast.expr) -> bool:
        if isinstance(call, ast.Attribute):
            return call.attr in clocks or (call.attr == "wait" and ast.unparse(call.value).endswith("qtbot"))
        return isinstance(call, ast.Name) and call.id in clocks

    calls = [
        f"{path.name}:{node.lineno}"
        for path in files("tests/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and of_time(node.func)
    ]
    assert calls == []


def _python(code: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def _occurrences(pattern: str) -> Iterator[tuple[str, int, str]]:
    """File, line and text of every match in the project's text files."""
    search = re.compile(pattern)
    for path in files():
        content = path.read_bytes()
        if b"\0" in content[:4096]:
            continue
        for number, line in enumerate(content.decode("utf-8", errors="replace").splitlines(), 1):
            if match := search.search(line):
                yield str(path.relative_to(ROOT)), number, match[0]
