"""Errors of the engine in the person's language."""

import ast
import errno
import os
import re
import shutil
from pathlib import Path

import pytest

from app.error_forms import FORMS
from app.error_texts import in_words, told
from app.language import Interface
from inference.errors import Cancelled, UserError
from inference.load_relief import exhausted
from inference.loading import LoadCancelledError
from inference.manager import gguf_file
from inference.manager.copying import CopyCancelled
from inference.manager.download import DownloadCancelled
from inference.manager.files import size_text
from inference.manager.folder import inspect
from inference.manager.gguf_conversion import ConversionCancelled
from inference.manager.moving import MovingCancelled
from inference.manager.spec import Spec
from inference.manager.store import Store
from inference.plan.choice import choose
from inference.plan.machine import Machine
from inference.plan.memory_plan import PlanSettings
from inference.plan.model_shape import shape_of
from inference.plan.offload import Offload
from inference.settings import LoadSettings
from tests.app.chinese import chinese
from tests.inference.manager.damages import DAMAGES, Damage
from tests.inference.manager.test_damaged_gguf import DAMAGED as DAMAGED_GGUF
from tests.inference.manager.test_damaged_gguf import Change, whole
from tests.inference.plan.configs import QWEN3_06B, QWEN3_8B
from tests.tiny_models import tiny_model

ROOT = Path(__file__).parents[2]
assert chinese and whole  # the fixtures


@pytest.mark.parametrize("damage", [one for one in DAMAGES if not one.late], ids=lambda damage: damage.name)
def test_what_is_wrong_with_a_model_is_said_in_chinese(
    damage: Damage, good: Path, tmp_path: Path, chinese: Interface
) -> None:
    folder = shutil.copytree(good, tmp_path / "model")
    damage.act(folder)
    try:
        inspect(folder)
    except UserError as error:
        for english in (error.message, error.remedy):
            assert in_words(english) != english, english


@pytest.mark.parametrize(("change", "english"), [pytest.param(*rest, id=name) for name, *rest in DAMAGED_GGUF])
def test_what_is_wrong_with_a_gguf_file_is_said_in_chinese(
    change: Change, english: str, whole: bytes, tmp_path: Path, chinese: Interface
) -> None:
    """The kind of fault too, which stands in parentheses."""
    (tmp_path / "t.gguf").write_bytes(change(whole))
    with pytest.raises(UserError) as raised:
        Store(tmp_path / "models").open_folder(tmp_path / "t.gguf")
    said = told(raised.value)
    assert not re.search(r"\b(is|has|ends|holds|a|the|of|not|does|cannot)\b", said), said


def test_every_fault_of_a_gguf_header_has_its_chinese(chinese: Interface) -> None:
    tree = ast.parse(Path(gguf_file.__file__).read_text("utf-8"))
    raised = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    faults = [one.args[0] for one in raised if isinstance(one.func, ast.Name) and one.func.id == "ValueError"]
    said = [re.sub(r"{\w+}", "7", re.sub(r"{[^}]*}", "{x}", ast.unparse(fault)).strip("f'\"")) for fault in faults]
    assert len(said) >= 7 and not [fault for fault in said if in_words(fault) == fault]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model("llama", tmp_path_factory.mktemp("good") / "good")


def test_english_stays_as_it_is() -> None:
    error = UserError("Qwen3 is not on this machine.", "Download it first, or open a folder that holds it.")
    assert told(error) == str(error)
    assert in_words("Something that nobody foresaw.") == "Something that nobody foresaw."


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("No model is loaded. Choose a model first.", "没有加载模型。请先选择一个模型。"),
        ("Temperature must be between 0 and 2, not 3.", "“温度”必须在 0 到 2 之间，不能是 3。"),
        (
            "Temperature must be between 0 and 2, not 3. The default is used instead.",
            "“温度”必须在 0 到 2 之间，不能是 3。现使用默认值。",
        ),
        (
            "a.gguf is one part of a model in several files. Join the parts into one file first (llama-gguf-split "
            "--merge), or get the model in one file.",
            "a.gguf 是分卷模型中的一部分。请先把各部分合并为一个文件（llama-gguf-split --merge），或获取单文件的模型。",
        ),
        (
            "Qwen3 could not be downloaded (model hub: it cannot be reached; package index: no answer within 10 s).",
            "无法下载 Qwen3（模型站：无法连接；软件包索引：10 秒内没有应答）。",
        ),
        (
            "It cannot be loaded: no answer within 90 s. 4-bit and 8-bit weights on graphics cards need it; everything"
            " else works.",
            "无法加载：90 秒内没有应答。显卡上的 4 位和 8 位权重需要它；其余功能正常。",
        ),
        ("b.safetensors (part 2 of 3) is missing.", "缺少 b.safetensors [2/3]。"),
        ("b.safetensors (part 2 of 3) is empty.", "b.safetensors [2/3] 是空的。"),
        ("torch cannot be loaded: the process crashed (signal 11).", "无法加载 torch：进程崩溃了（信号 11）。"),
        ("x is not a folder. Something new.", "x is not a folder. Something new."),
        ("/data/mei/old chats", "/data/mei/old chats"),
    ],
)
def test_chinese_with_its_numbers(chinese: Interface, english: str, said: str) -> None:
    assert in_words(english) == said


@pytest.mark.parametrize("free", [1, 5, 9, 60])
def test_the_sentence_of_a_plan(chinese: Interface, free: int) -> None:
    machine = Machine(64 << 30, free << 30)
    choice = choose(shape_of(QWEN3_8B), machine, PlanSettings("bfloat16"), shape_of(QWEN3_06B))
    said = in_words(choice.reason)
    assert not re.search("[a-z]{3}", said), said


def test_the_price_of_a_model_larger_than_memory(chinese: Interface) -> None:
    for offload in (Offload(32, 20, ram=9), Offload(32, 20, disk=9), Offload(32, 20, 5, 5)):
        said = in_words(offload.sentence)
        assert "38%" in said and not re.search("[a-z]{3}", said), said


SIZES = r"{(size|free|needed|held|chat|total)}"  # in forms, where the engine puts a size


def test_sizes_are_said_in_chinese_wherever_they_stand(chinese: Interface) -> None:
    """Larger units read the same in both languages."""
    size = size_text(0)
    assert in_words(size) == "0 字节" and in_words(size_text(1)) == "1 字节"
    forms = [form for form in FORMS if re.search(SIZES + "(?! (MB|of {whole}))", form)]
    said = [in_words(re.sub(r"{\w+}", "X", re.sub(SIZES, size, form))) for form in forms]
    assert len(said) > 8 and not [words for words in said if "bytes" in words]


def test_no_english_stands_between_two_values_of_a_form() -> None:
    """Such as " of 3 GB" in a value, which no translation would reach."""
    assert not [form for form in FORMS if "}{" in form]


@pytest.mark.parametrize("size", [0, 3 << 30])
def test_a_model_that_finds_no_memory(chinese: Interface, size: int) -> None:
    said = told(exhausted(Spec("tiny", "Tiny", size_bytes=size), LoadSettings()))
    assert "Tiny" in said and not re.search("[a-z]{2}", said.replace("Tiny", "")), said


def test_memory_that_is_all_taken(chinese: Interface) -> None:
    choice = choose(shape_of(QWEN3_8B), Machine(64 << 30, 0), PlanSettings("bfloat16"))
    assert "0 字节" in in_words(choice.reason)


def test_why_the_system_refuses_is_said_in_chinese_wherever_it_stands(chinese: Interface) -> None:
    for number in (errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EROFS, errno.EIO, errno.EMFILE):
        said = in_words(f"The settings could not be saved ({os.strerror(number)}).")
        assert not re.search("[a-zA-Z]", said), said
    forms = [re.sub(r"(\(|: ){(reason|error)}(?!:)", r"\1No such file or directory", form) for form in FORMS]
    forms = [re.sub(r"{\w+}", "7", form) for form in forms if "No such" in form]
    assert len(forms) > 20 and not [form for form in forms if "No such" in in_words(form)]
    assert in_words(str(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "/x"))) == "/x：没有这个文件或文件夹"
    assert in_words("The settings could not be saved (Is a named type file).").endswith("（Is a named type file）。")


def test_every_sentence_with_a_reason_of_the_system_has_its_chinese(chinese: Interface) -> None:
    """Of those that are raised or kept as a text."""
    paths = [*(ROOT / "inference").rglob("*.py"), *(ROOT / "app").rglob("*.py")]
    nodes = [
        node
        for path in paths
        if not {*path.parts, path.name} & {*UNSEEN}
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.JoinedStr) and "strerror" in ast.unparse(node)
    ]

    def text(node: ast.JoinedStr) -> str:
        parts = [
            str(part.value)
            if isinstance(part, ast.Constant)
            else "Is a directory"
            if "strerror" in ast.unparse(part)
            else "X"
            for part in node.values
        ]
        return "".join(parts)

    said = [in_words(text(node)) for node in nodes]
    assert len(said) > 8 and not [words for words in said if "Is a directory" in words]


def shape(text: str) -> str:
    return re.sub(r"{[^{}]*}", "{}", text)


def test_every_form_is_still_said_somewhere() -> None:
    """A sentence that was reworded would stay English without anybody noticing."""
    said = set()
    for folder in ("inference", "app"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name.endswith("error_forms.py"):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    said.add(node.value)
                elif isinstance(node, ast.JoinedStr):
                    parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
                    said.add("".join(str(part) for part in parts))
    text = "\n".join(said)
    whole = [form for form in FORMS if "{weights}" not in form]  # which are put together, and tested below
    missing = [form for form in whole if shape(form) not in said and not _in(shape(form), text)]
    assert not missing


UNSEEN = ("bench", "cli", "training", "prediction.py")  # on the command line, or only in the log


def remedies(path: Path) -> set[str]:
    """What the errors that a module raises tell a person to do; values in them are "X"."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }

    def text(node: ast.expr) -> str:
        match node:
            case ast.Constant(value=value):
                return str(value)
            case ast.JoinedStr(values=values):
                return "".join(map(text, values))
            case ast.FormattedValue(value=ast.Name(id=name)) if name in constants:
                return str(constants[name])
            case ast.FormattedValue():
                return "X"
            case ast.Name(id=name):
                return str(constants.get(name, ""))
            case _:
                return ""

    raised = ("UserError", "HubError", "TokenError", "SourceError")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 2]
    return {text(one.args[1]) for one in calls if isinstance(one.func, ast.Name) and one.func.id in raised} - {""}


def test_every_remedy_of_the_engine_has_its_chinese(chinese: Interface) -> None:
    paths = [path for path in (ROOT / "inference").rglob("*.py") if not {*path.parts, path.name} & {*UNSEEN}]
    told = {remedy for path in paths for remedy in remedies(path)}
    assert len(told) > 50
    assert not [remedy for remedy in told if in_words(remedy) == remedy]


def test_no_remedy_in_the_window_is_a_command_of_the_command_line() -> None:
    named = [form for form in FORMS if re.search(r"foreword (models|doctor|bench|train-draft)", form)]
    assert not named


def _in(form: str, text: str) -> bool:
    """Some sentences stand within a longer text, or get their number from elsewhere."""
    parts = [part for part in form.split("{}") if len(part) > 3]
    return bool(parts) and all(part.strip() in text for part in parts)


CANCELLED = (LoadCancelledError, DownloadCancelled, ConversionCancelled, CopyCancelled, MovingCancelled)


@pytest.mark.parametrize("error", CANCELLED)
def test_what_was_cancelled_is_told_in_chinese(error: type[Cancelled], chinese: Interface) -> None:
    assert re.search("取消", told(error()))  # type: ignore[call-arg]
