"""Advice in words: what is so, the measurement behind it, and what the button says."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.language import listed, sentences, tr
from app.views import figures
from inference.advice import LEAST_REPLIES, LEAST_TOKENS, Advice, Change, Measured


@dataclass(frozen=True)
class Words:
    """title: one sentence. measured: the figures it rests on. button: what pressing it does."""

    title: str
    measured: str
    button: str


def words_of(advice: Advice) -> Words:
    title, measured = _said(advice)
    if "busy" in advice.figures:
        busy = tr("The graphics card was busy for {share} of the time.")
        measured = sentences(measured, busy.format(share=figures.percent(advice.figures["busy"])))
    return Words(title, measured, _button(advice))


def words_of_none(measured: Measured, hidden: int) -> Words:
    """Why there is no advice. hidden: findings that the person does not want to hear."""
    if not measured.replies:
        title, text = tr("Nothing was measured yet."), tr("Advice comes from the replies of the model that is loaded.")
    elif not measured.enough:
        title = tr("Not enough was measured yet.")
        text = tr(
            "Advice needs {replies} replies with the same settings, of {tokens} tokens together; so far: {heard} with "
            "{written}."
        ).format(replies=LEAST_REPLIES, tokens=LEAST_TOKENS, heard=measured.replies, written=measured.tokens)
    else:
        title = tr("Nothing else to improve.") if hidden else tr("Nothing to improve.")
        text = tr("Measured over the last {count} replies: {figures}.").format(
            count=measured.replies, figures=listed(_figures_of(measured))
        )
    if hidden:
        away = tr("Put away with “Not now”, for two weeks: {count}.").format(count=hidden)
        text = sentences(text, away)
    return Words(title, text, tr("Close"))


def _figures_of(measured: Measured) -> Iterable[str]:
    yield tr("{speed} tokens per second").format(speed=figures.speed(measured.tokens_per_second))
    if measured.acceptance is None:
        yield tr("nothing drafted")
    else:
        yield tr("{rate} of the drafted tokens accepted").format(rate=figures.percent(measured.acceptance))
    if measured.draft_share is not None:
        yield tr("{share} of the time spent on drafting").format(share=figures.percent(measured.draft_share))
    if measured.gain is not None:
        yield tr("{gain} times as fast as without drafts").format(gain=f"{measured.gain:.2f}")


def _said(advice: Advice) -> tuple[str, str]:  # noqa: PLR0911 (one sentence a kind)
    known = advice.figures
    match advice.kind:
        case "losing":
            return (
                tr("Speculation makes this slower."),
                tr("Measured: {gain} times as fast as without it. Automatic pauses while drafting loses.").format(
                    gain=f"{known['gain']:.2f}"
                ),
            )
        case "hot":
            measured = tr("Measured at temperature {temperature}: {rate} of the drafted tokens accepted.").format(
                temperature=f"{known['temperature']:g}", rate=figures.percent(known["acceptance"])
            )
            if "cooler" in known:
                measured += " " + tr("At {temperature} it was {rate}.").format(
                    temperature=f"{known['cooler']:g}", rate=figures.percent(known["cooler_acceptance"])
                )
            return tr("The temperature is too high for the draft."), measured
        case "wrong_draft":
            here, there = (tr("code"), tr("prose")) if known["code"] else (tr("prose"), tr("code"))
            return (
                tr("This draft does not suit {task}.").format(task=here),
                tr("Measured: {rate} accepted in {task}, {other_rate} in {other}.").format(
                    rate=figures.percent(known["acceptance"]),
                    task=here,
                    other_rate=figures.percent(known["other_acceptance"]),
                    other=there,
                ),
            )
        case "guesses_badly":
            return (
                tr("The draft guesses badly."),
                tr(
                    "Measured: {rate} of {count} drafted tokens accepted; from 50 % on a draft is worth its time."
                ).format(rate=figures.percent(known["acceptance"]), count=f"{known['verified']:,.0f}"),
            )
        case "draft_slow":
            return (
                tr("The draft is too slow."),
                tr("Measured: drafting takes {share} of the time, {each} for each token; 30 % is too much.").format(
                    share=figures.percent(known["share"]), each=figures.seconds(known["each_s"])
                ),
            )
        case "too_long":
            return (
                tr("The drafts are too long."),
                tr(
                    "Measured: of the tokens at place {length}, {rate} are accepted; K = {best} would be "
                    "{gain} times as fast."
                ).format(
                    length=f"{known['length']:.0f}",
                    rate=figures.percent(known["last"]),
                    best=f"{known['best']:.0f}",
                    gain=f"{known['gain']:.2f}",
                ),
            )
        case "draft_coarse":
            return (
                tr("The draft may be rounded too coarsely."),
                tr(
                    "Measured with a 4-bit draft: {rate} accepted, for only {share} of the time; "
                    "8 bits may guess better."
                ).format(rate=figures.percent(known["acceptance"]), share=figures.percent(known["share"])),
            )
        case "long_context":
            return (
                tr("This chat has become long."),
                tr("Measured at {tokens} tokens: a pass takes {ratio} times as long as at the start of a chat.").format(
                    tokens=f"{known['tokens']:,.0f}", ratio=f"{known['ratio']:.1f}"
                ),
            )
        case "compute_bound":
            return (
                tr("This machine is bound by its arithmetic."),
                tr(
                    "Measured: each further token costs {slope} of a pass, so only drafts that are "
                    "accepted nearly always pay."
                ).format(slope=figures.percent(known["slope"])),
            )
    return (
        tr("This machine is bound by its memory."),
        tr(
            "Measured: each token reads {size} GB at {reading} GB/s, of {most} GB/s at most; "
            "a further token costs {slope} of a pass."
        ).format(
            size=f"{known['nbytes'] / 1e9:.1f}",
            reading=f"{known['reading'] / 1e9:.0f}",
            most=f"{max(known['bandwidth'], known['reading']) / 1e9:.0f}",
            slope=figures.percent(max(known["slope"], 0.0)),
        ),
    )


def _button(advice: Advice) -> str:  # noqa: PLR0911 (one label an action)
    match advice.action:
        case Change(name="temperature", value=value):
            return tr("Set the temperature to {value}").format(value=f"{value:g}")
        case Change(name="drafter"):
            return tr("Let Foreword choose the draft")
        case Change(name="speculation"):
            return tr("Set speculation to automatic")
        case Change(name="draft_length", value=value):
            return tr("Set K to {value}").format(value=value)
        case Change(name="dynamic"):
            return tr("Let the length follow")
        case Change(name="precision"):
            return tr("Hold the weights in 4 bits")
        case "train":
            return tr("Train a draft…")
        case "new_chat":
            return tr("Start a new chat")
        case "finer_draft":
            return tr("Load the draft in 8 bits")
    return tr("See what works here…")
