"""bitsandbytes' 4-bit weights in transformers, with a choice of how many weights share a scale.

The library's own configuration has no field for that. Its quantizer, however, makes each weight from a `Params4bit`
that stands in the empty model, with whatever block size it has: so the size is written there before weights come.
"""

from typing import Any

import torch
import transformers
from transformers.quantizers.auto import register_quantization_config, register_quantizer
from transformers.quantizers.quantizer_bnb_4bit import Bnb4BitHfQuantizer

from inference.settings import FOUR_BIT_BLOCKS, FourBit

METHOD = "foreword_4bit"


@register_quantization_config(METHOD)
class BlockConfig(transformers.BitsAndBytesConfig):  # type: ignore[misc]  # the library is untyped
    """block: weights that share a scale."""

    def __init__(self, block: int = 64, **options: Any) -> None:
        super().__init__(**options)
        self.block = block
        self.quant_method = METHOD


@register_quantizer(METHOD)
class BlockQuantizer(Bnb4BitHfQuantizer):  # type: ignore[misc]
    def _process_model_before_weight_loading(self, model: Any, **options: Any) -> None:
        from bitsandbytes.nn import Linear4bit

        super()._process_model_before_weight_loading(model, **options)
        for module in model.modules():
            if isinstance(module, Linear4bit):
                # A block that reaches into the next row is slow on a card and not possible on a processor.
                wanted = self.quantization_config.block
                module.weight.blocksize = wanted if module.in_features % wanted == 0 else FOUR_BIT_BLOCKS[0]


def four_bit_config(settings: FourBit, compute: torch.dtype) -> BlockConfig:
    return BlockConfig(
        settings.block,
        load_in_4bit=True,
        bnb_4bit_quant_type=settings.kind,
        bnb_4bit_use_double_quant=settings.double,
        bnb_4bit_compute_dtype=compute,
    )
