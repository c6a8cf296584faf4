"""What a benchmark asks: a fixed protocol, made into trials for the model that is loaded.

The protocols and prompts are those of `foreword bench`; here they run on the engine of the window, which loads nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Literal, get_args

from app.compare_sides import drafting
from app.drafter_names import capital, key_name
from app.language import tr
from inference.bench import prompts as prompt_files
from inference.bench.prompts import Prompt
from inference.bench.protocol import PROTOCOLS, SWEPT_LENGTHS
from inference.chat_engine import ChatEngine
from inference.messages import Message
from inference.profiles import Candidate
from inference.settings import GenerationSettings, SamplingSettings, SpeculationSettings
from inference.tasks import TASKS, Task
from inference.trials import Trial

ProtocolName = Literal["short", "long"]
Sweep = Literal["none", "length", "temperature", "drafts"]
SWEEPS: tuple[Sweep, ...] = get_args(Sweep)
RUNS = (20, 10, 4, 2)
TEMPERATURES = (0.0, 0.3, 0.7, 1.0, 1.5)
WARM_TOKENS = 24  # of a reply that is not counted
PLAIN = "plain"
Count = Callable[[Sequence[str]], list[int]]  # tokens of each text


@dataclass(frozen=True)
class BenchmarkWish:
    """runs: replies of each way."""

    protocol: ProtocolName = "short"
    tasks: tuple[Task, ...] = TASKS
    runs: int = 20
    sweep: Sweep = "none"


@dataclass(frozen=True)
class Arm:
    """One way of replying. x: its place on the axis of a sweep, where that is a number."""

    name: str
    speculation: SpeculationSettings
    temperature: float = 0.0
    x: float | None = None


@dataclass(frozen=True)
class Case:
    task: Task
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Series:
    """A whole benchmark. The first trials, one for each arm, warm up; then the arms take turns: A B A B."""

    wish: BenchmarkWish
    arms: tuple[Arm, ...]
    cases: tuple[Case, ...]
    tokens: int

    @property
    def trials(self) -> tuple[Trial, ...]:
        warm = [self._trial(self.cases[0], arm, 0, WARM_TOKENS) for arm in self.arms]
        return (
            *warm,
            *(
                self._trial(case, arm, number + 1, self.tokens)
                for number, case in enumerate(self.cases)
                for arm in self.arms
            ),
        )

    def place(self, index: int) -> tuple[int, Arm] | None:
        """The case and the arm of a trial; None for one that warms up."""
        index -= len(self.arms)
        return None if index < 0 else (index // len(self.arms), self.arms[index % len(self.arms)])

    def _trial(self, case: Case, arm: Arm, seed: int, tokens: int) -> Trial:
        sampling = SamplingSettings(temperature=arm.temperature, seed=seed)
        return Trial(case.messages, GenerationSettings(sampling, arm.speculation, tokens))


def plan(wish: BenchmarkWish, settings: GenerationSettings, engine: ChatEngine) -> Series:
    """In the worker's thread: the engine says what can draft and counts the tokens of the prompts."""
    routes = engine.routes()
    candidates = routes.candidates if routes else ()
    protocol = PROTOCOLS[wish.protocol]
    chosen = prompt_files.in_languages(prompt_files.shipped(protocol.file), ["en"])
    chosen = _in_turn([prompt for prompt in chosen if prompt.task in wish.tasks], wish.tasks)
    length = protocol.lengths[0] if protocol.lengths else 0
    cases = []
    for prompt in islice(cycle(chosen), wish.runs):
        text = lengthened(prompt, length, engine.count_tokens) if length else prompt.prompt
        task: Task = "code" if prompt.task == "code" else "prose"
        cases.append(Case(task, (Message("user", text),)))
    return Series(wish, arms(wish.sweep, settings.speculation, candidates), tuple(cases), protocol.tokens)


def arms(sweep: Sweep, speculation: SpeculationSettings, candidates: Sequence[Candidate]) -> tuple[Arm, ...]:
    """candidates: what can draft. The first arm replies without speculation; the others are compared with it."""
    on = speculation if speculation.enabled else replace(speculation, mode="automatic", drafter="automatic")
    plain = Arm(PLAIN, replace(on, mode="off"))
    match sweep:
        case "none":
            return plain, Arm("speculation", on)
        case "length":
            fixed = replace(on, mode="on", dynamic=False)
            return plain, *(Arm(f"K = {k}", replace(fixed, draft_length=k), x=k) for k in SWEPT_LENGTHS)
        case "temperature":
            return plain, *(Arm(f"T = {heat:g}", on, heat, heat) for heat in TEMPERATURES)
        case "drafts":
            drafts = [Arm(one.key, drafting(on, one.key)) for one in candidates if one.kind != "none"]
            return plain, *drafts, Arm("automatic", drafting(on, "automatic"))


def arm_words(name: str) -> str:
    """An arm's name as it is shown."""
    if name == PLAIN:
        return tr("Without")
    if name == "speculation":
        return tr("With")
    return tr("Automatic") if name == "automatic" else capital(key_name(name))


def lengthened(prompt: Prompt, length: int, count: Count) -> str:
    """The prompt with so much of its text that both have about `length` tokens; a short text starts again."""
    question, whole = count([prompt.prompt, prompt.text])
    room = max(1, length - question)
    text = prompt.text * -(-room // max(1, whole))
    for _ in range(2):
        (tokens,) = count([text])
        if tokens > room:
            text = text[: max(1, round(len(text) * room / tokens))]
    return f"{prompt.prompt}\n\n{text}"


def _in_turn(prompts: Sequence[Prompt], tasks: Sequence[Task]) -> list[Prompt]:
    """A prompt of each task in turn, so that few runs have some of each."""
    by_task = [[prompt for prompt in prompts if prompt.task == task] for task in tasks]
    return [prompt for group in zip(*by_task, strict=False) for prompt in group]
