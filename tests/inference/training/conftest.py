from pathlib import Path

import pytest

from tests.tiny_models import tiny_model


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model("llama", tmp_path_factory.mktemp("training") / "tiny", seed=3, layers=3)
