"""The pieces that builds are made of. The build itself, and the trial of what it made, are a command of their own."""

import os
import plistlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import build
import deb
import desktop_entry
import licences
import measure_start
import program as launched
import pytest
import shared_libraries
import slimming
import smoke_test
from environment import Environment

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
HARD = '程序 "it\'s" $HOME `x` 100% back\\slash'


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """As much of a built program as packing needs, in a folder with a hard name."""
    folder = tmp_path / HARD / "foreword"
    (folder / "_internal" / "assets").mkdir(parents=True)
    shutil.copy2(shutil.which("true") or "", folder / "foreword")
    for name in ("icons", "licences"):
        shutil.copytree(ROOT / "assets" / name, folder / "_internal" / "assets" / name)
    (folder / "_internal" / "link.so").symlink_to("../foreword")
    deb.complete(folder)
    return folder


def menu(program: Path, home: Path, *arguments: str) -> Path:
    """Run add-to-menu as a person with this home would."""
    variables = {"HOME": str(home), "PATH": os.environ["PATH"]}
    subprocess.run([str(program / "add-to-menu"), *arguments], env=variables, check=True, capture_output=True)
    return home / ".local/share/applications/foreword.desktop"


def test_the_menu_starts_the_program_wherever_it_lies(program: Path, tmp_path: Path) -> None:
    entry = menu(program, tmp_path / "家")
    assert desktop_entry.command(entry) == [str(program / "foreword")]
    assert subprocess.run(desktop_entry.command(entry), check=False).returncode == 0
    assert "Icon=foreword" in entry.read_text(encoding="utf-8")
    assert (tmp_path / "家/.local/share/icons/hicolor/48x48/apps/foreword.png").is_file()


def test_what_was_put_into_the_menu_can_be_taken_out(program: Path, tmp_path: Path) -> None:
    home = tmp_path / "家"
    menu(program, home)
    menu(program, home, "--remove")
    assert not [path.name for path in home.rglob("foreword*")]


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("/opt/foreword/foreword", ["/opt/foreword/foreword"]),
        ("/opt/foreword/foreword %F", ["/opt/foreword/foreword"]),
        ('"/a b/c" --x 100%%', ["/a b/c", "--x", "100%"]),
        (r'"/a \\$b \\"c\\" \\\\d"', [r'/a $b "c" \d']),
    ],
)
def test_exec_lines(line: str, arguments: list[str], tmp_path: Path) -> None:
    entry = tmp_path / "x.desktop"
    entry.write_text(f"[Desktop Entry]\nTryExec=no\nExec={line}\n", encoding="utf-8")
    assert desktop_entry.command(entry) == arguments


@pytest.mark.parametrize("line", ["Name=x", 'Exec="/a'])
def test_a_broken_entry_is_refused(line: str, tmp_path: Path) -> None:
    entry = tmp_path / "x.desktop"
    entry.write_text(f"[Desktop Entry]\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"Exec|quotation"):
        desktop_entry.command(entry)


def test_the_package_holds_program_menu_entry_icons_and_file_type(program: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    deb.lay_out(program, root, "1.2", "amd64")
    (command,) = desktop_entry.command(root / "usr/share/applications/foreword.desktop")
    assert (root / command.lstrip("/")).samefile(program / "foreword"), "a second name, not a second copy"
    assert (root / "usr/bin/foreword").readlink() == Path(command)
    assert (root / "opt/foreword/_internal/link.so").is_symlink()
    sizes = {path.parts[-3] for path in (root / "usr/share/icons").rglob("*.png")}
    assert sizes == {f"{size}x{size}" for size in deb.SIZES}
    fields = dict(re.findall(r"^([\w-]+): (.*)$", (root / "DEBIAN/control").read_text(encoding="utf-8"), re.MULTILINE))
    assert (fields["Version"], fields["Architecture"]) == ("1.2", "amd64")
    assert re.fullmatch(r"libc6 \(>= 2\.\d+\).*", fields["Depends"])


def test_a_library_that_nobody_brings_is_noticed(program: Path) -> None:
    outside = shared_libraries.outside(program)
    assert outside and all(outside.values())
    assert shared_libraries.packages(outside) == ["libc6"]
    with pytest.raises(shared_libraries.LibraryError, match=r"libodd\.so\.1"):
        shared_libraries.packages([*outside, "libodd.so.1"])


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("torch/lib/libtorch_cpu.so", True),
        ("torch/test/test_api", False),
        ("torch/bin/protoc", False),
        ("torch/bin/torch_shm_manager", True),
        ("torch/testing/_comparison.py", True),
        ("torch/lib/libjitbackend_test.so", False),
        ("torch/include/ATen/ATen.h", False),
        ("numpy/_core/tests/data/x.npy", False),
        ("transformers/models/llama/modeling_llama.py", True),
        ("bitsandbytes/libbitsandbytes_cpu.so", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platforms/libqminimal.so", False),
        ("PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/imageformats/libqsvg.so", True),
        ("PySide6/Qt/plugins/imageformats/libqtiff.so", False),
        ("PySide6/Qt/lib/libQt6Svg.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("libQt6EglFsKmsSupport.so.6", False),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6\\plugins\\platforms\\qoffscreen.dll", True),
        ("PySide6\\plugins\\platforms\\qminimal.dll", False),
        ("PySide6\\plugins\\imageformats\\qsvg.dll", True),
        ("PySide6\\plugins\\imageformats\\qtiff.dll", False),
        ("PySide6\\plugins\\sqldrivers\\qsqlite.dll", False),
        ("inference/native/foreword-x86_64-0123456789ab.so", True),
        ("assets/models/SmolLM2-135M-Instruct.Q4_1.gguf", True),
    ],
)
def test_what_is_left_out(path: str, kept: bool) -> None:
    assert slimming.wanted(path, accelerated=False) is kept


def test_only_a_build_for_a_card_has_its_libraries() -> None:
    for path in ("bitsandbytes/libbitsandbytes_cuda128.so", "nvidia/cublas/lib/libcublas.so.12", "libcudart.so.13"):
        assert slimming.wanted(path, accelerated=True) and not slimming.wanted(path, accelerated=False)
    links = [("libX.so", "torch/test/libX.so", "SYMLINK"), ("libc10.so", "torch/lib/libc10.so", "SYMLINK")]
    assert slimming.slim(links, accelerated=False) == links[1:], "no link leads nowhere"


def test_modules_that_nothing_asks_for() -> None:
    assert slimming.imported("transformers.models.llama.modeling_llama")
    assert slimming.imported("transformers.models.auto.image_processing_auto")
    assert not slimming.imported("transformers.models.llava.image_processing_llava")
    assert not slimming.imported("inference.native.wheel")


def test_what_the_program_opens_gets_the_systems_libraries() -> None:
    code = "import os, sys; exec(open(sys.argv[1]).read()); print(os.environ.get('LD_LIBRARY_PATH'))"
    command = [sys.executable, "-c", code, str(PACKAGING / "frozen_start.py")]
    for original, expected in ((None, "None"), ("/mine", "/mine")):
        variables = os.environ | {"LD_LIBRARY_PATH": "/opt/x/_internal"}
        variables |= {"LD_LIBRARY_PATH_ORIG": original} if original else {}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [({"QT_IM_MODULE": "fcitx"}, "fcitx;ibus"), ({"QT_IM_MODULE": "x", "QT_IM_MODULES": "y"}, "y"), ({}, "None")],
)
def test_chinese_can_be_typed_where_fcitx_is_asked_for(
    asked: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("QT_IM_MODULE", "QT_IM_MODULES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    code = "import os, sys; exec(open(sys.argv[1]).read()); print(os.environ.get('QT_IM_MODULES'))"
    command = [sys.executable, "-c", code, str(PACKAGING / "frozen_start.py")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == expected
    from_source = launched.variables(Environment(Path("x"))).get("QT_IM_MODULES")
    assert from_source == (expected if expected == "fcitx;ibus" else None)


def test_the_licences_of_the_systems_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "dpkg-query"
    tool.write_text('#!/bin/sh\n[ "$1" = -S ] && echo "libxcb1:amd64: $3" || echo 1.15\n', encoding="utf-8")
    tool.chmod(0o755)
    (tmp_path / "libxcb1").mkdir()
    (tmp_path / "libxcb1" / "copyright").write_text("MIT 条款", encoding="utf-8")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(licences, "DOCUMENTS", tmp_path)
    (found,) = licences.of_the_system(["/usr/lib/x86_64-linux-gnu/libxcb.so.1", "/elsewhere/torch.so"])
    assert (found.name, found.version, found.text) == ("libxcb1", "1.15", "MIT 条款")
    assert licences.of_the_system(["/elsewhere/torch.so"]) == []
    assert '"Python"' in licences.of_program([])


def test_pictures_are_compared_by_the_byte() -> None:
    assert smoke_test._differing(b"\0\1\2\3", b"\0\1\2\3") == 0
    assert smoke_test._differing(b"\0\1\2\3", b"\7\1\2\4") == 2


def test_windows_that_show_nothing_yet_are_told_from_those_that_do() -> None:
    assert smoke_test._painted(bytes(900) + b"\xff" * 100) < smoke_test.PAINTED
    assert smoke_test._painted(bytes(100) + b"\xff" * 900) > smoke_test.PAINTED


def test_the_recipes_for_other_systems_fit_this_version() -> None:
    assert f"'{VERSION}'" in (PACKAGING / "windows/version.txt").read_text(encoding="utf-8")
    information = plistlib.loads((PACKAGING / "macos/Info.plist").read_bytes())
    assert information["NSHighResolutionCapable"] is True
    rights = plistlib.loads((PACKAGING / "macos/entitlements.plist").read_bytes())
    assert all(name.startswith("com.apple.security.cs.") and value is True for name, value in rights.items())
    for named in re.findall(r'"\.\.\\\.\.\\(.*?)"', (PACKAGING / "windows/foreword.nsi").read_text(encoding="utf-8")):
        assert (ROOT / named.replace("\\", "/")).is_file()
    kinds = [(PACKAGING / name).read_text(encoding="utf-8") for name in ("linux/foreword.xml", "macos/Info.plist")]
    assert all("application/vnd.foreword.chats+json" in text for text in kinds)


def test_the_workflow_calls_what_is_there() -> None:
    workflow = (ROOT / ".github/workflows/build.yml").read_text(encoding="utf-8")
    called = re.findall(r"python (\S+\.py)((?: --[\w-]+)*)", workflow)
    assert len(called) == 3
    for script, options in called:
        assert (ROOT / script).is_file()
        assert build.Options.read(options.split()).with_starter


def test_the_wheel_is_made_of_every_source_and_of_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = build.Build(build.Options(tmp_path / "工作 work", tmp_path / "out"), build.Console(sys.stderr))
    monkeypatch.setattr(made, "_do", lambda command, what: "")
    made._make_wheel()
    copied = tmp_path / "工作 work" / "source"
    listed = ["git", "-C", str(ROOT), "-c", "core.quotePath=off", "ls-files", *build.SHIPPED]
    tracked = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines()
    assert "inference/models/causal_model.py" in tracked
    assert not [name for name in tracked if (ROOT / name).exists() and not (copied / name).is_file()]
    assert not [path for path in copied.rglob("*") if path.name in ("__pycache__", "build", ".git", "tests")]


def test_a_start_is_timed_until_the_window_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, shown = tmp_path / "looked", tmp_path / "shown"
    tool = tmp_path / "xdotool"
    tool.write_text(f'#!/bin/sh\ntouch "{looked}"\n[ -e "{shown}" ] && echo 42\n', encoding="utf-8")
    tool.chmod(0o755)
    monkeypatch.setattr(measure_start, "VISIBLE", (str(tool),))
    variables = dict(os.environ)
    program = f"while [ ! -e '{looked}' ]; do :; done; touch '{shown}'; exec tail -f /dev/null"
    assert 0 < measure_start.start(["sh", "-c", program], variables) < measure_start.LIMIT_S
    shown.unlink()
    with pytest.raises(smoke_test.TrialError, match="No window"):
        measure_start.start(["true"], variables)


def test_the_tools_of_the_trial_are_asked_for_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(smoke_test.shutil, "which", lambda tool: None if tool == "xdotool" else tool)
    monkeypatch.setattr(build.sys, "platform", "linux")
    assert build.main(["--work", str(tmp_path / "work"), "--output", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "Trying it out needs xdotool." in said and "1/6" not in said


def test_only_what_the_trial_uses_must_be_on_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = {"libc.so.6": "/lib/libc.so.6", "libwayland-egl.so.1": ""}
    monkeypatch.setattr(shared_libraries, "outside", lambda program: found)
    smoke_test._require_libraries(tmp_path)
    found["libEGL.so.1"] = ""
    with pytest.raises(smoke_test.TrialError, match=r"libEGL\.so\.1\. They are in libegl1\."):
        smoke_test._require_libraries(tmp_path)
