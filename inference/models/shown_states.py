"""What the layers of a transformers model leave behind in a pass, caught by hooks on its modules."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn


class ShownStates:
    """depths: layers by their index; one more than the last index is what the output layer reads, after the final norm.

    Costs a reference a layer and pass. Raises ValueError for a layer that is not there.
    """

    def __init__(self, model: Any, depths: Sequence[int]) -> None:
        decoder = model.get_decoder()
        layers: Any = getattr(decoder, "layers", ())
        if any(not 0 <= depth <= len(layers) for depth in depths):
            raise ValueError(f"no layers {tuple(depths)} in {len(layers)}")
        self.depths = tuple(depths)
        self._caught: dict[int, list[Tensor]] = {depth: [] for depth in depths}
        modules: list[nn.Module] = [*layers, decoder]
        self._hooks = [modules[depth].register_forward_hook(self._catching(depth)) for depth in depths]

    def close(self) -> None:
        for hook in self._hooks:
            hook.remove()

    def begin(self) -> None:
        """Forget the passes so far."""
        for caught in self._caught.values():
            caught.clear()

    def features(self) -> Tensor:
        """Of every row since `begin`, float32 [rows, depths, hidden]."""
        return torch.stack([torch.cat(self._caught[depth], dim=1)[0] for depth in self.depths], dim=1).float()

    def _catching(self, depth: int) -> Callable[[nn.Module, Any, Any], None]:
        def catch(_module: nn.Module, _given: Any, output: Any) -> None:
            self._caught[depth].append(output if isinstance(output, Tensor) else output[0])

        return catch
