"""The launcher's words in Chinese: every text has them, with what is to be filled in."""

import re
from pathlib import Path

import pytest
import words
from setup_window import Progress
from translations import literals

PACKAGING = Path(words.__file__).parent


def test_every_text_has_its_chinese() -> None:
    used = {text for path in PACKAGING.glob("*.py") for text in literals(path.read_text(encoding="utf-8"))}
    assert used == set(words.chinese())
    for english, chinese in words.chinese().items():
        assert re.search("[一-龥]", chinese), english
        assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", chinese)), english


@pytest.mark.parametrize(
    ("variables", "told", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "", True),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "", False),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "zh_CN:en"}, "", True),
        ({"LANG": "C.UTF-8", "LANGUAGE": "zh_CN"}, "", False),
        ({}, "zh", True),
        ({}, "", False),
    ],
)
def test_chinese_where_the_system_speaks_it(variables: dict[str, str], told: str, expected: bool) -> None:
    assert words.is_chinese(variables, told) is expected


def test_the_window_speaks_chinese_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_table", words.chinese)
    show = words.tr("downloading {name}: {done} of {size} MB").format(name="torch.whl", done="50", size="200")
    progress = Progress().after({"say": "2/4  " + words.tr("Installing torch")}).after({"show": show})
    assert (progress.headline, progress.fraction) == ("正在准备 Foreword", 0.25)
    assert progress.step == "第 2 步，共 4 步：安装 torch"
