"""A whole benchmark: finds the models, makes cases and arms, measures, and says what came out."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic

from inference.bench import prompts as prompt_files
from inference.bench.agreement import agreement, logit_gap
from inference.bench.arms import Arms, default_specs, swept
from inference.bench.figures import rows
from inference.bench.loaded import LoadedEngine, find_model
from inference.bench.machine import Machine, OtherPrograms, load_average
from inference.bench.measure import Plan
from inference.bench.memory import resident
from inference.bench.options import Options
from inference.bench.peer import Peer
from inference.bench.protocol import PROTOCOLS, Case, cases, chosen_prompts
from inference.bench.report import Report
from inference.bench.sample import Sample
from inference.errors import UserError
from inference.manager.folder import inspect
from inference.manager.spec import Spec
from inference.manager.store import Store
from inference.models.fused.model import FusedModel
from inference.perplexity import perplexity
from inference.settings import LoadSettings
from inference.tokenizer import Tokenizer

Say = Callable[[str], None]
TEXTS = {"code": "reading-code.txt", "prose": "reading-prose-en.txt"}
CONTEXT = 8192  # as the window loads a model, unless a case is longer
SPARE = 64  # tokens of context beyond the longest case


def run(options: Options, say: Say) -> Report:
    """Measure. `say` hears of progress. Raises UserError; an interruption leaves a report of the runs until then."""
    checking, load = options.protocol == "check", load_average()
    store = Store()
    target = find_model(store, options.model, say)
    draft = find_model(store, options.draft, say) if options.draft else None
    assert target.folder is not None  # find_model ends with a model on disk
    specs = options.arms or default_specs(
        options.protocol, FusedModel.supports(target.folder, options.precision, options.device), draft is not None
    )
    asked = _cases(options, target)
    arms = Arms(
        swept(specs) if options.protocol == "sweep" else specs,
        target,
        draft,
        LoadSettings(
            options.precision,
            device=options.device,
            context_length=_context(asked, target),
            int4_group=options.int4_group,
        ),
        say,
        asked_for=bool(options.arms),
    )
    if checking and len(arms.arms) < 2:
        raise UserError("A check needs two arms at least.", "Name one with speculation and one without.")
    peers = [Peer(command) for command in options.peers]
    machine = Machine.here(_kernel_threads(arms), load)
    plan = Plan(arms.arms, peers, asked, 1 if checking else options.runs)
    others = OtherPrograms()
    samples, interrupted = _samples(plan, say, warm=not checking)
    share, held = others.share, resident()

    def gap(names: Sequence[str], text: Sequence[int], expected: int, found: int) -> float | None:
        engine = next((arms.engines[name] for name in names if name in arms.engines), None)
        return None if engine is None else logit_gap(engine.held.model, text, expected, found)

    say("comparing the replies")
    by_engine = arms.by_engine()
    return Report(
        protocol=options.protocol,
        models=_models(arms, target),
        machine=machine,
        runs=plan.runs,
        rows=[] if checking else rows(samples, _order(arms.names, [peer.name for peer in peers], options.peer_place)),
        agreement=agreement(samples, arms.precisions, [case.greedy for case in asked], gap),
        others=share,
        memory=held,
        load_peak_memory={names: engine.peak_bytes for names, engine in by_engine.items()},
        perplexity=_perplexities(by_engine, say) if options.perplexity and not interrupted else {},
        interrupted=interrupted,
    )


def use_threads(count: int | None) -> None:
    """Of torch and of the native kernels, before anything is loaded; None leaves both as they are."""
    if count is not None:
        import torch

        from inference.native.library import load

        torch.set_num_threads(count)
        if library := load():
            library.threads = count


def _cases(options: Options, target: Spec) -> list[Case]:
    """Raises UserError when there is nothing to ask."""
    assert target.folder is not None
    protocol = PROTOCOLS[options.protocol]
    protocol = replace(
        protocol,
        tokens=options.tokens or protocol.tokens,
        temperatures=options.temperatures or protocol.temperatures,
    )
    tokenizer = Tokenizer.load(target.folder)
    own = prompt_files.read(options.prompts) if options.prompts else None
    languages = {"auto": (), "all": ("en", "zh")}.get(options.language, (options.language,))
    if not languages:
        speaks_chinese = "zh" in target.languages if target.languages else prompt_files.reads_chinese(tokenizer)
        languages = ("en", "zh") if speaks_chinese else ("en",)
    chosen = chosen_prompts(protocol, own, languages, options.limit)
    context = inspect(target.folder).context_length
    return cases(protocol, chosen, tokenizer, context)


def _context(asked: Sequence[Case], target: Spec) -> int:
    """The context to load: a prompt has fewer tokens than bytes, and buffers grow only as they are used."""
    assert target.folder is not None
    longest = max(len(case.prompt.encode()) + case.tokens for case in asked) + SPARE
    return min(max(CONTEXT, longest), inspect(target.folder).context_length or CONTEXT)


def _samples(plan: Plan, say: Say, warm: bool) -> tuple[list[Sample], bool]:
    """The samples, and whether somebody pressed Ctrl+C before the last."""
    samples: list[Sample] = []
    try:
        if warm:
            for done, _ in enumerate(plan.warm_up(), 1):
                say(f"warming up, reply {done}")
        total, started = plan.samples, monotonic()
        for sample in plan.measure():
            samples.append(sample)
            left = (monotonic() - started) / len(samples) * (total - len(samples))
            say(f"pass {sample.number + 1} of {plan.runs}, reply {len(samples)} of {total}, {duration(left)} left")
    except KeyboardInterrupt:
        return samples, True
    return samples, False


def _order(arms: Sequence[str], peers: Sequence[str], place: int | None) -> list[str]:
    place = len(arms) if place is None else place
    return [*arms[:place], *peers, *arms[place:]]


def _models(arms: Arms, target: Spec) -> dict[str, str]:
    """What stands behind the arms, by their names."""
    plain = [arm for arm in arms.names if arm not in arms.engines]
    ours = {names: engine.description for names, engine in arms.by_engine().items()}
    return dict.fromkeys(plain, f"{target.name}: transformers generate, bfloat16") | ours


def _perplexities(engines: dict[str, LoadedEngine], say: Say) -> dict[str, dict[str, float]]:
    """How well each engine predicts the shipped texts. (`inference.perplexity`)"""
    result: dict[str, dict[str, float]] = {}
    for names, engine in engines.items():
        say(f"perplexity of {names}")
        held = engine.held
        for text, file in TEXTS.items():
            tokens = held.tokenizer.encode(prompt_files.shipped_text(file), special=False)
            value = perplexity(held.model, tokens[: held.model.context_length])
            result.setdefault(names, {})[text] = value
    return result


def _kernel_threads(arms: Arms) -> int | None:
    """None unless an engine computes with the native kernels."""
    from inference.native.library import load

    fused = [engine.held.model.description for engine in arms.engines.values() if _is_fused(engine)]
    library = load() if fused else None
    native = library is not None and any(library.instruction_set in description for description in fused)
    return library.threads if library and native else None


def _is_fused(engine: LoadedEngine) -> bool:
    return isinstance(engine.held.model, FusedModel)


def duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
