"""Recording a fixed sequence of kernels once and replaying it with one launch, where the device can do that."""

import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

Step = Callable[[], "torch.Tensor"]

WARM_UPS = 2  # libraries make their workspaces at the first call, and some choose a kernel at the second


class Graphs(Protocol):
    """Turns a function of fixed shapes and addresses into one that is cheaper to call.

    `capture(step)` returns a function that does what `step` does. `step` reads its inputs from tensors that stay where
    they are, always launches the same kernels, never looks at a value on the host, and may run more than once. What it
    returns is overwritten by the next call of *any* step captured here: they share their memory.
    """

    @property
    def name(self) -> str: ...

    def capture(self, step: Step) -> Step: ...

    def forget(self) -> None:
        """All steps captured so far have been dropped; the memory they shared may go."""
        ...


class PlainCalls:
    """Every kernel is launched by itself: on processors, on mps, and where capturing failed."""

    name = "plain calls"

    def capture(self, step: Step) -> Step:
        return step

    def forget(self) -> None:
        pass


class CudaGraphs:
    """CUDA graphs (HIP graphs in torch's builds for AMD cards) in a memory pool of their own."""

    name = "CUDA graphs"

    def __init__(self, device: "torch.device") -> None:
        import torch

        self._device = device
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._pool = torch.cuda.graph_pool_handle()

    def capture(self, step: Step) -> Step:
        """Raises RuntimeError (out of memory included) where `step` cannot be captured."""
        import torch

        with torch.cuda.device(self._device):
            here = torch.cuda.current_stream()
            try:
                self._stream.wait_stream(here)
                with torch.cuda.stream(self._stream):
                    for _ in range(WARM_UPS):
                        step()
                here.wait_stream(self._stream)
                graph = torch.cuda.CUDAGraph()
                # thread_local: what other threads of the program do on the card meanwhile is no part of the graph.
                with torch.cuda.graph(graph, pool=self._pool, stream=self._stream, capture_error_mode="thread_local"):
                    result = step()
            finally:
                torch.cuda.set_stream(here)  # a capture that fails leaves its own stream the current one

        def replay() -> "torch.Tensor":
            graph.replay()
            return result

        return replay

    def forget(self) -> None:
        import torch

        # A pool dies with its last graph and must not be named again.
        self._pool = torch.cuda.graph_pool_handle()


class OrPlain:
    """Captures with `graphs` until that fails once, and says why; from then on calls stay plain."""

    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs

    @property
    def name(self) -> str:
        return self._graphs.name

    def capture(self, step: Step) -> Step:
        try:
            return self._graphs.capture(step)
        except RuntimeError as error:
            reason = str(error).strip().splitlines() or [type(error).__name__]
            log.warning("%s: off, kernels are launched one by one (%s)", self.name, reason[0])
            self._graphs = PlainCalls()
            return step

    def forget(self) -> None:
        self._graphs.forget()


def graphs_for(device: "torch.device") -> Graphs:
    """The variable FOREWORD_GRAPHS=off asks for plain calls: to find faults, and to measure what graphs gain."""
    if device.type != "cuda":
        return PlainCalls()
    if os.environ.get("FOREWORD_GRAPHS", "").lower() == "off":
        log.info("CUDA graphs: off (FOREWORD_GRAPHS)")
        return PlainCalls()
    return OrPlain(CudaGraphs(device))
