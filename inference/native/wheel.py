"""Puts the compiled kernels into a wheel. Used by setuptools only, through [tool.setuptools.cmdclass].

With a compiler a wheel is for this platform and any Python 3, since the library's plain C interface knows neither
Python's nor torch's build. Without one it is for every platform, and torch does the work.
"""

import functools
import logging
import runpy
import shutil
from pathlib import Path

from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

log = logging.getLogger(__name__)

NATIVE = Path("inference", "native")
WORKSHOP = Path("build", "kernels")  # from the root of the project, where builds of wheels run


@functools.cache
def compiled() -> Path | None:
    """The library for the present sources, or None where it cannot be compiled."""
    builder = runpy.run_path(str(NATIVE / "build.py"))  # the package around it need not be importable
    try:
        library: Path = builder["build"](WORKSHOP)
    except (RuntimeError, OSError) as error:
        log.warning("the kernels are left out of the wheel, which will be slower: %s", error)
        return None
    return library


class BuildWithKernels(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:  # the launcher compiles beside the sources
            return
        target = Path(self.build_lib, NATIVE)
        for stale in target.glob("foreword-*"):
            stale.unlink()
        if library := compiled():
            shutil.copy2(library, target / library.name)


class WheelWithKernels(bdist_wheel):
    def run(self) -> None:
        """Not earlier: an editable installation asks for the tag and no more."""
        if compiled() is not None:
            self.root_is_pure = False
            vars(self.distribution)["has_ext_modules"] = lambda: (
                True
            )  # else the files are laid out as those of a pure wheel
        super().run()

    def get_tag(self) -> tuple[str, str, str]:
        tag: tuple[str, str, str] = super().get_tag()
        return tag if self.root_is_pure else ("py3", "none", tag[2])
