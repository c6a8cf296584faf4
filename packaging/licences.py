"""The licences of everything in a built program: Python's packages, Python, and the system's libraries beside them.

Run where the program is built; `app.licences` shows the list.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from app import licences
from app.licences import Licence

DOCUMENTS = Path("/usr/share/doc")


def of_program(sources: Iterable[str]) -> str:
    """The list as JSON. `sources`: where the files of the program came from."""
    version = ".".join(map(str, sys.version_info[:3]))
    python = Licence("Python", version, "PSF-2.0", licences.common_text("PSF-2.0"))
    return licences.to_json([*licences.installed(), python, *of_the_system(sources)])


def of_the_system(sources: Iterable[str]) -> list[Licence]:
    """Of Debian's packages that these files belong to; on other systems everything comes from Python's packages."""
    if shutil.which("dpkg-query") is None:
        return []
    files = {str(Path(source).resolve()) for source in sources if source.startswith(("/lib/", "/usr/lib/"))}
    # A file may be known by its place before /lib and /usr/lib became one.
    asked = sorted(files | {file.removeprefix("/usr") for file in files})
    if not asked:
        return []
    said = subprocess.run(["dpkg-query", "-S", *asked], capture_output=True, text=True, check=False).stdout
    packages = sorted({line.partition(": ")[0].split(",")[0].partition(":")[0] for line in said.splitlines()})
    return [licence for package in packages if (licence := _of_package(package))]


def _of_package(package: str) -> Licence | None:
    text = DOCUMENTS / package / "copyright"
    if not text.is_file():
        return None
    query = ["dpkg-query", "-W", "-f", "${Version}", package]
    version = subprocess.run(query, capture_output=True, text=True, check=False).stdout.strip()
    terms = "see its text"
    return Licence(package, version, terms, text.read_text(encoding="utf-8", errors="replace").strip())
