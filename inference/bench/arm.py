"""One way to reply, run again and again."""

from typing import Protocol

from inference.bench.arm_spec import ArmSpec
from inference.bench.loaded import LoadedEngine
from inference.bench.memory import Peak, resident
from inference.bench.protocol import Case
from inference.bench.sample import Run
from inference.settings import GenerationSettings, SamplingSettings


class Arm(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def precision(self) -> str:
        """Arms of one precision say the same when greedy, or the report says where they part."""
        ...

    def run(self, case: Case, seed: int) -> Run:
        """Reply once, with nothing kept from before. seed: of the sampling, when the case is not greedy."""
        ...


class EngineArm:
    """Foreword's own engine with one way of speculating. Several arms may share one loaded engine."""

    def __init__(self, spec: ArmSpec, loaded: LoadedEngine) -> None:
        self.name = spec.name
        self.loaded = loaded
        self._speculation = spec.speculation
        self._grown = 0  # bytes, at most, while it replied

    @property
    def precision(self) -> str:
        return self.loaded.precision

    @property
    def _held_bytes(self) -> int:
        drafting = self._speculation.drafter in ("model", "combined", "automatic")
        return self.loaded.held_bytes + (self.loaded.draft_bytes if drafting else 0)

    def settings(self, case: Case, seed: int) -> GenerationSettings:
        return GenerationSettings(
            sampling=SamplingSettings(temperature=case.temperature, seed=seed),
            speculation=self._speculation,
            max_tokens=case.tokens,
        )

    def run(self, case: Case, seed: int) -> Run:
        before, peak = resident(), Peak()
        reply = self.loaded.reply(case.prompt, self.settings(case, seed))
        figures = reply.statistics
        self._grown = max(self._grown, peak.bytes - before)
        return Run(
            tok_s=figures.tokens_per_second,
            prefill_tok_s=figures.prefill_tokens_per_second,
            first_token_s=figures.time_to_first_token_s,
            prompt=reply.prompt,
            reply=reply.reply,
            proposed=figures.proposed,
            accepted=figures.accepted,
            statistics=figures,
            forward_s=reply.forward_s,
            memory=self._held_bytes + self._grown,
        )
