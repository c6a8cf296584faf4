"""What a plain script gets: `generate` of the transformers library in bfloat16, nothing changed."""

from pathlib import Path
from time import perf_counter
from typing import Any

from inference.bench.memory import Peak, resident
from inference.bench.protocol import Case
from inference.bench.sample import Run
from inference.chat_template import render
from inference.device import resolve_device
from inference.errors import UserError
from inference.memory import release_memory
from inference.messages import Message
from inference.statistics import ratio
from inference.tokenizer import Tokenizer


class Clock:
    """Stands where `generate` expects a streamer: the first thing it is given is the prompt, then every token."""

    def __init__(self) -> None:
        self.tokens: list[list[int]] = []
        self.times: list[float] = []

    def put(self, value: Any) -> None:
        self.times.append(perf_counter())
        self.tokens.append(value.flatten().tolist())

    def end(self) -> None:
        pass


class TransformersArm:
    name = "transformers"
    precision = "bfloat16"

    def __init__(self, folder: Path, device: str) -> None:
        """Raises UserError."""
        import torch
        from transformers import AutoModelForCausalLM
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        before = resident()
        self._device = resolve_device(device)
        self._tokenizer = Tokenizer.load(folder)
        try:
            model = AutoModelForCausalLM.from_pretrained(
                str(folder), dtype=torch.bfloat16, local_files_only=True, use_safetensors=True
            )
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            raise UserError(
                f"The transformers library cannot load {folder.name}: {str(error).strip().splitlines()[0]}",
                "Leave the arm transformers out.",
            ) from error
        self._model = model.eval().to(self._device)
        release_memory()
        self._held_bytes = max(resident() - before, 0)
        self._grown = 0  # bytes, at most, while it replied

    def run(self, case: Case, seed: int) -> Run:
        import torch

        torch.manual_seed(seed)
        before, peak, clock = resident(), Peak(), Clock()
        started = perf_counter()
        prompt = render(self._tokenizer, [Message("user", case.prompt)])
        ids = torch.tensor([prompt], device=self._device)  # [1, prompt]
        asked = perf_counter()
        self._model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=case.tokens,
            streamer=clock,
            **({"do_sample": False} if case.greedy else {"do_sample": True, "temperature": case.temperature}),
        )
        first, last = clock.times[1], clock.times[-1]
        self._grown = max(self._grown, peak.bytes - before)
        reply = tuple(token for tokens in clock.tokens[1:] for token in tokens)
        return Run(
            tok_s=ratio(len(reply) - len(clock.tokens[1]), last - first),
            prefill_tok_s=len(prompt) / (first - asked),
            first_token_s=first - started,
            prompt=tuple(prompt),
            reply=reply,
            memory=self._held_bytes + self._grown,
        )
