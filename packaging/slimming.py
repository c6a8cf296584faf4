"""Which of the collected files the built program does without: tests, tools, headers, other machines' libraries."""

import re
from collections.abc import Iterable

# Packages that others would use if they were there, and that Foreword never asks for.
MODULES = (
    *("IPython", "matplotlib", "pandas", "scipy", "sklearn", "tensorboard", "triton", "torchvision", "torchaudio"),
    *("tkinter", "setuptools", "pkg_resources", "pip", "_distutils_hack", "pytest", "hypothesis", "mypy", "hf_xet"),
    *("torch.utils.tensorboard", "torch.utils.benchmark", "torch.testing._internal.generated"),
    *("numpy.f2py", "gguf.scripts", "PIL.AvifImagePlugin", "PIL.ImageTk", "inference.native.wheel"),
)
# What only another way of using transformers asks for: its tools for authors, pictures, sound.
UNUSED_OF_A_MODEL = re.compile(
    r"transformers\.models\.(?!auto\.)\w+\.(modular|convert|image_processing|video_processing|feature_extraction)_"
)
LANGUAGES = ("zh_CN", "zh_TW")  # of Qt's own words; English needs no file

_LEFT_OUT = re.compile(
    "|".join(
        (
            r"torch/(test/|include/|share/|bin/(?!torch_shm_manager))",  # 200 MB of tests and headers
            r"torch/lib/lib\w*test\w*\.|torch/lib/libbackend_with_compiler\.|.*\.(h|hpp|cuh|cpp|cu|a|lib|pyi|pdb)$",
            r"(numpy|sympy|networkx|mpmath|PIL)/(.*/)?(tests|testing|benchmarks)/",
            r"PIL/_avif",
            r"PySide6/(Qt/)?plugins/(qmltooling|sqldrivers|designer|printsupport|egldeviceintegrations|generic)/",
            r"PySide6/(Qt/)?plugins/(networkinformation|vectorimageformats|wayland-graphics-integration-server)/",
            r"PySide6/(Qt/)?plugins/platforms/(lib)?q(eglfs|linuxfb|vnc|vkkhrdisplay|minimalegl|minimal)",
            r"PySide6/(Qt/)?plugins/imageformats/(lib)?q(icns|pdf|tga|tiff|wbmp|webp)\b",
            r"PySide6/Qt/qml/",
            r"PySide6/Qt/plugins/platformthemes/libqgtk3\.",  # draws on the system's GTK, which is not ours to carry
            r"lib(gtk-3|gdk-3|gdk_pixbuf-2\.0|atk-1\.0|atk-bridge-2\.0|atspi|epoxy|cairo(-gobject)?|pixman-1)\.so",
            r"lib(pango(cairo|ft2)?-1\.0|harfbuzz|thai|datrie|fribidi|graphite2|cloudproviders|json-glib-1\.0)\.so",
            r"libX(composite|cursor|damage|i|inerama|randr)\.so",
            rf"PySide6/(Qt/)?translations/(?!qtbase_({'|'.join(LANGUAGES)}))",
            r".*libQt6(Quick|Qml|Pdf|VirtualKeyboard|EglF[sS]|Sql|Designer|OpenGLWidgets)\w*\.so|.*Qt6(Quick|Qml|Pdf)\w*\.dll",
            r".*\bopengl32sw\.dll",  # OpenGL without a card; nothing here draws with OpenGL
        )
    )
)
_ACCELERATOR = re.compile(
    r"(.*/)?(libbitsandbytes_(?!cpu)\w+\.|nvidia/|lib(cu(dart|blas|blasLt|dnn|fft|rand|solver|sparse)|nccl|nv\w+)\b)"
)


def imported(module: str) -> bool:
    """Whether a module that nothing names is taken along because it may be asked for at run time."""
    return not module.startswith(MODULES) and UNUSED_OF_A_MODEL.match(module) is None


def wanted(destination: str, accelerated: bool) -> bool:
    """Whether the file that would lie at `destination` in the program is kept; `accelerated`: for CUDA."""
    path = destination.replace("\\", "/")
    return not (_LEFT_OUT.match(path) or (not accelerated and _ACCELERATOR.match(path)))


def slim(
    entries: Iterable[tuple[str, str, str]], accelerated: bool
) -> list[tuple[str, str, str]]:  # (destination, source, kind)
    """The kept ones of PyInstaller's table of contents, without links that would lead nowhere."""
    kept = [entry for entry in entries if wanted(entry[0], accelerated)]
    return [entry for entry in kept if entry[2] != "SYMLINK" or wanted(entry[1], accelerated)]
