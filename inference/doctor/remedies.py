"""What to do about an installation. A built program has no launcher that could mend it: it is installed anew."""

from inference.child_process import frozen
from inference.doctor.probe import ProbeError

AGAIN = "Install again: delete the folder .venv in Foreword's folder and start packaging/launch.py."
AGAIN_BUILT = "Install Foreword again."
CARD = "Start packaging/launch.py setup --cuda: it installs the CUDA build."
CARD_BUILT = "To use the card, start Foreword from its sources: packaging/launch.py installs the CUDA build."
DRIVER = "Bring the NVIDIA driver up to date, then start packaging/launch.py setup."
DRIVER_BUILT = "Bring the NVIDIA driver up to date."
KERNELS = "Start packaging/launch.py setup, which compiles them."
COMPILER = "Install g++ or clang++ and start packaging/launch.py setup."
LATER = "Check again when this machine has less to do."
WHY = "Run python -m inference.native.build to see why."
QT = "Start packaging/launch.py: it names the system's libraries that are missing."
QT_BUILT = "Install the libraries that are missing: the package foreword.deb names them."


def again() -> str:
    return AGAIN_BUILT if frozen() else AGAIN


def after(failed: ProbeError) -> str:
    """What is only slow need not be installed again."""
    return LATER if failed.late else again()


def use_the_card() -> str:
    return CARD_BUILT if frozen() else CARD


def newer_driver() -> str:
    return DRIVER_BUILT if frozen() else DRIVER


def make_kernels(compiler: bool) -> str:
    """They came along with a built program. compiler: whether there is one."""
    if frozen():
        return AGAIN_BUILT
    return WHY if compiler else COMPILER


def load_kernels(failed: ProbeError) -> str:
    if failed.late:
        return LATER
    return AGAIN_BUILT if frozen() else KERNELS


def install_libraries() -> str:
    return QT_BUILT if frozen() else QT
