"""The sentences and figures of "What works here"."""

from app import counts
from app.drafter_names import candidate_name, capital
from app.language import listed, sentences, tr
from app.views import figures
from inference.profiles import PLAIN, Cell, Past, Routes
from inference.tasks import Task

SHOWN = 4  # places of a draft whose acceptance is shown
PATIENT = 3  # places with fewer observations are left out


def heading_words(routes: Routes) -> str:
    text = tr("Measured on this machine while {target} replied.").format(target=routes.target)
    measured = any(cell.measured.tokens for cell in routes.cells if cell.candidate == PLAIN)
    if routes.plain_tokens_per_second and not measured:  # else the table says it
        speed = figures.speed(routes.plain_tokens_per_second)
        text = sentences(text, tr("Without speculation it writes about {speed} tokens a second.").format(speed=speed))
    text = sentences(text, tr("Foreword takes the fastest draft for each task and tries the others now and then."))
    return text if routes.past is None else f"{text} {past_words(routes.past)}"


def past_words(past: Past) -> str:
    """What past chats give."""
    if not past.texts:
        return tr("There are no past chats to draft from yet.")
    text = tr("N-gram drafts also come from {texts} ({tokens}).").format(
        texts=counts.past_texts(past.texts), tokens=counts.tokens(past.tokens)
    )
    if past.proposed:
        share = f"{100 * past.accepted / past.proposed:.0f}{figures.THIN}%"
        proposed = counts.tokens(past.proposed)
        text = sentences(
            text,
            tr("Of {proposed} drafted from them since the model was loaded, {share} stood.").format(
                proposed=proposed, share=share
            ),
        )
    return text


def cell_words(cell: Cell, routes: Routes) -> tuple[str, str, str, str, str]:
    """tok/s, gain, acceptance by place, cost of a drafted token, tries."""
    measured = cell.measured
    if not measured.tokens:
        if cell.candidate == PLAIN and routes.plain_tokens_per_second:
            return (figures.speed(routes.plain_tokens_per_second), "1.00x", "", "", "")
        return (figures.UNKNOWN,) * 4 + ("",)
    places = [f"{100 * a:.0f}" for a, v in zip(measured.acceptance, measured.verified, strict=True) if v >= PATIENT]
    accepted = f"{' · '.join(places[:SHOWN])}{figures.THIN}%" if places else figures.UNKNOWN
    cost = f"{1000 * measured.draft_token_s:.1f}{figures.THIN}ms" if measured.proposed else figures.UNKNOWN
    if cell.candidate == PLAIN:
        accepted = cost = ""
    tries = str(measured.trials) if measured.trials else ""
    return figures.speed(measured.tokens_per_second), f"{measured.gain:.2f}x", accepted, cost, tries


def reason_words(routes: Routes, task: Task) -> str:
    """Why that one drafts."""
    chosen = next(cell for cell in routes.cells if cell.task == task and cell.chosen)
    name = candidate_name(chosen.candidate)
    pinned = routes.profiles[task].candidate
    others = [cell for cell in routes.cells if cell.task == task and not cell.chosen and cell.candidate != PLAIN]
    if pinned == chosen.candidate.key:
        text = tr("You chose {name}.").format(name=name)
    elif pinned is not None:
        text = tr("What you chose is not loaded; {name} drafts meanwhile.").format(name=name)
    elif not others:
        text = tr("{name} is all there is to draft with. Add a draft model to compare.").format(name=capital(name))
    elif not chosen.ready:
        text = tr("Nothing is measured yet; {name} begins.").format(name=name)
    else:
        text = _compared(chosen, [cell for cell in others if cell.ready], name)
        waiting = [candidate_name(cell.candidate) for cell in others if not cell.ready]
        if waiting:
            text = sentences(text, tr("Not tried long enough yet: {names}.").format(names=listed(waiting)))
    if routes.tokens[task]:
        share = f"{100 * routes.lost[task] / routes.tokens[task]:.1f}{figures.THIN}%"
        written = f"{routes.tokens[task]:,}"
        text = sentences(
            text,
            tr("{written} tokens written; trying others has cost {share} of them.").format(
                written=written, share=share
            ),
        )
    return text


def _compared(chosen: Cell, others: list[Cell], name: str) -> str:
    text = tr("{name} is the fastest: {gain} times as fast as without speculation.").format(
        name=capital(name), gain=f"{chosen.measured.gain:.2f}"
    )
    if chosen.measured.gain < 1.0:
        text = tr("No draft gains here; {name} loses least, and pauses while it loses.").format(name=name)
    losing = [candidate_name(cell.candidate) for cell in others if cell.measured.gain < 1.0]
    if losing and chosen.measured.gain >= 1.0:
        text = sentences(text, tr("Slower than no speculation: {names}.").format(names=listed(losing)))
    return text
