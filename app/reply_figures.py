"""A reply's figures and settings in words: what its details show and copy."""

from dataclasses import dataclass

from app.chat_message import ChatMessage
from app.counts import tokens
from app.language import tr
from inference.settings import GenerationSettings
from inference.statistics import ReplyStatistics


@dataclass(frozen=True)
class Figures:
    """One group: its title, and rows of (what, how much)."""

    title: str
    rows: tuple[tuple[str, str], ...]


def figures_of(message: ChatMessage) -> list[Figures]:
    """Only what means something for this reply."""
    groups = []
    if message.statistics is not None:
        groups += [_speed(message.statistics), *_speculation(message.statistics)]
    groups.append(_settings(message))
    return [group for group in groups if group.rows]


def as_text(groups: list[Figures]) -> str:
    """One line a figure, for the clipboard."""
    lines = []
    for group in groups:
        lines += [group.title, *(f"  {what}: {much}" for what, much in group.rows), ""]
    return "\n".join(lines).rstrip() + "\n"


def _speed(s: ReplyStatistics) -> Figures:
    rows = [
        (tr("Speed"), tr("{value:.1f} tok/s").format(value=s.tokens_per_second)),
        (tr("Length of the reply"), tokens(s.reply_tokens)),
        (tr("Length of the prompt"), tokens(s.prompt_tokens)),
        (tr("Of that, read before"), tokens(s.reused_tokens)),
        (tr("Reading the prompt"), _reading(s)),
        (tr("Time to first token"), _seconds(s.time_to_first_token_s)),
        (tr("Time decoding"), _seconds(s.decode_s)),
    ]
    for what, seconds in (
        (tr("Of that, drafting"), s.draft_s),
        (tr("Of that, verifying"), s.verify_s),
        (tr("Of that, everything else"), s.other_s),
    ):
        if seconds > 0:
            share = tr("{share:.0f} %").format(share=100 * seconds / s.decode_s if s.decode_s else 0)
            rows.append((what, f"{_seconds(seconds)} ({share})"))
    return Figures(tr("Speed"), tuple(rows))


def _speculation(s: ReplyStatistics) -> list[Figures]:
    if not s.proposed:
        return []
    rows = [
        (tr("Draft"), s.drafter),
        (tr("Drafted tokens"), f"{s.proposed:,}"),
        (tr("Of those, drafted while verifying"), f"{s.ready:,}" if s.ready else ""),
        (tr("Of those, judged by the target"), f"{s.verified:,}"),
        (tr("Of those, accepted"), f"{s.accepted:,} ({_percent(s.acceptance_rate)})"),
        (tr("Copied from earlier chats"), _past(s)),
        (tr("Accepted of all drafted (yield)"), _percent(s.draft_yield)),
        (tr("Recovered tokens"), f"{s.recovered:,}"),
        (tr("Bonus tokens"), f"{s.bonus:,}"),
        (tr("Rounds"), f"{s.rounds:,}"),
        (tr("Rounds without a draft"), f"{s.paused_rounds:,}"),
        (tr("Tokens per round"), f"{s.tokens_per_round:.2f}"),
        (tr("Draft share"), _percent(s.draft_share)),
        (tr("Rounds by draft length (K)"), _by_length(s)),
        (tr("Acceptance by position"), "  ".join(_percent(rate) for rate in s.acceptance_by_position)),
    ]
    if s.expected_gain is not None:
        rows.append((tr("Expected gain"), f"{s.expected_gain:.2f}x"))
    if s.measured_gain is not None:
        rows.append((tr("Measured gain"), f"{s.measured_gain:.2f}x"))
    return [Figures(tr("Speculation"), tuple(row for row in rows if row[1]))]


def _settings(message: ChatMessage) -> Figures:
    rows = [(tr("Words"), tr("edited by you"))] if message.edited else []
    rows += [(tr("Model"), message.model)] if message.model else []
    settings = message.settings
    if settings is not None:
        rows += _sampling(settings, message.statistics)
        speculation = settings.speculation
        modes = {"off": tr("off"), "on": tr("on"), "automatic": tr("automatic")}
        rows.append((tr("Speculation"), modes[speculation.mode]))
        if speculation.enabled:
            form = tr("{k} at most, as it proves best") if speculation.dynamic else tr("always {k}")
            longest = speculation.max_draft_length if speculation.dynamic else speculation.draft_length
            rows.append((tr("Draft length (K)"), form.format(k=longest)))
            tasks = {"automatic": tr("automatic"), "code": tr("code"), "prose": tr("prose")}
            rows.append((tr("Task"), tasks[speculation.task]))
        rows.append((tr("Longest reply"), tokens(settings.max_tokens)))
    return Figures(tr("Made with"), tuple(rows))


def _sampling(settings: GenerationSettings, s: ReplyStatistics | None) -> list[tuple[str, str]]:
    sampling = settings.sampling
    greedy = tr("{value:g} (always the likeliest token)").format(value=sampling.temperature)
    rows = [(tr("Temperature"), greedy if sampling.greedy else f"{sampling.temperature:g}")]
    if not sampling.greedy:
        rows += [
            (tr("Top-k"), f"{sampling.top_k}" if sampling.top_k else tr("off")),
            (tr("Top-p"), f"{sampling.top_p:g}" if sampling.top_p < 1 else tr("off")),
            (tr("Min-p"), f"{sampling.min_p:g}" if sampling.min_p else tr("off")),
        ]
    penalty = sampling.repetition_penalty
    rows.append((tr("Repetition penalty"), f"{penalty:g}" if penalty != 1 else tr("off")))
    seed = s.seed if s is not None and s.seed is not None else sampling.seed
    if seed is not None and not sampling.greedy:
        rows.append((tr("Seed"), str(seed)))
    return rows


def _reading(s: ReplyStatistics) -> str:
    time = _seconds(s.prefill_s)
    if not s.prefill_s or s.prompt_tokens <= s.reused_tokens:
        return time
    return tr("{time} ({speed:,.0f} tok/s)").format(time=time, speed=s.prefill_tokens_per_second)


def _past(s: ReplyStatistics) -> str:
    if not s.past_proposed:
        return ""
    numbers = {"drafted": f"{s.past_proposed:,}", "accepted": f"{s.past_accepted:,}"}
    return tr("{drafted} drafted, {accepted} accepted").format(**numbers)


def _by_length(s: ReplyStatistics) -> str:
    return "  ".join(f"{k}: {rounds:,}" for k, rounds in enumerate(s.rounds_by_draft_length) if rounds)


def _seconds(value: float) -> str:
    return tr("{value:.2f} s").format(value=value)


def _percent(value: float) -> str:
    return tr("{value:.0f} %").format(value=100 * value)
