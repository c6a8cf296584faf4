"""The real SmolLM2, for tests marked `model`: fetched once, through Foreword's own model manager, and kept."""

import functools
import threading
from pathlib import Path

import platformdirs
from filelock import FileLock

from inference.manager.catalogue import Catalogue
from inference.manager.store import Store


@functools.cache
def real_model_folder() -> Path:
    """A transformers folder with SmolLM2-135M-Instruct. The first call on a machine downloads it."""
    cache = platformdirs.user_cache_path("Foreword", appauthor=False)
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(cache / "test-models.lock"):  # another process of this run waits for the one that fetches
        fetching = Store(cache / "test-models").fetch(Catalogue.read().starter, threading.Event())
        while True:
            try:
                next(fetching)
            except StopIteration as end:
                folder: Path | None = end.value.folder
                assert folder is not None
                return folder
