"""One reply from its messages to its last event."""

import logging
import threading
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from time import perf_counter

from inference.chat_template import plain_stop_strings, render, starts_in_thought
from inference.context import fit, room_for_prompt
from inference.decode import decode
from inference.detokenizer import Detokenizer
from inference.errors import UserError
from inference.events import Delta, Event, Finished, PromptProgress, Round, TaskChanged, ThoughtOpened, TurnsOmitted
from inference.ladder import SHORTEST_CHUNK, Phase
from inference.manager.host import Held
from inference.memory import OUT_OF_MEMORY, out_of_memory
from inference.messages import Message
from inference.recorder import Recorder
from inference.relief import Relief
from inference.reply_text import ReplyText
from inference.routing import Routing
from inference.sampling import Sampler
from inference.session import Session
from inference.settings import GenerationSettings
from inference.statistics import ReplyStatistics, RoundStatistics
from inference.stop_strings import StopStrings

log = logging.getLogger(__name__)

FIRST_CHUNK = 64  # tokens of prefill between two looks at `cancel`
CHUNK_S = 0.25
NEWS_S = 0.033  # between two Round events: the window draws as often, and telling costs the loop time


class Reply:
    """Renders and fits the prompt when made; `run` reads it and decodes."""

    def __init__(
        self,
        target: Held,
        messages: Sequence[Message],
        settings: GenerationSettings,
        cancel: threading.Event,
        asked: float,
        *,
        relief: Relief,
        line_ends: Set[int] = frozenset(),
    ) -> None:
        """asked: perf_counter() when the person pressed Enter. relief: for when memory runs out. line_ends: tokens
        whose text ends a line."""
        self._target = target
        self._settings = settings
        self._cancel = cancel
        self._asked = asked
        self._line_ends = line_ends
        if not messages:
            raise UserError("There is nothing to reply to.", "Ask something first.")
        self._messages, self._relief = messages, relief
        tokenizer = target.tokenizer
        continues = messages[-1].role == "assistant"
        self.prompt, count = self._fitted(relief.context)
        self.omitted = TurnsOmitted(count) if count else None
        self._in_thought = starts_in_thought(tokenizer, messages)
        stops = (*settings.stop, *plain_stop_strings(tokenizer))
        self._text = ReplyText(
            Detokenizer(tokenizer, continuing=continues),
            StopStrings(stops) if stops else None,
            tokenizer.end_tokens(),
            settings.max_tokens,
        )

    def run(self, session: Session, routing: Routing) -> Iterator[Event]:
        """routing: who drafts; the caller closes it."""
        settings, text = self._settings, self._text
        sampler = Sampler(settings.sampling, self._target.model.device, self.prompt)
        session.most = self._relief.context
        routing.begin(session)
        reused = session.begin(self.prompt)
        recorder = Recorder(
            ReplyStatistics(
                drafter=routing.plan.name,
                mode=settings.speculation.mode if settings.speculation.enabled else "off",
                prompt_tokens=len(self.prompt),
                reused_tokens=reused,
                seed=None if settings.sampling.greedy else sampler.seed,
            )
        )
        if self._in_thought:
            yield ThoughtOpened()
        yield from self._read(session, routing, reused)
        recorder.reply = replace(recorder.reply, prefill_s=perf_counter() - self._asked)

        names, switched_s = {routing.plan.name: True}, 0.0
        rounds = decode(session, routing.plan.drafter, sampler, routing.plan.controller, text.cut)
        line_ended = False
        while text.finish_reason is None:
            if self._cancel.is_set():
                text.finish("cancelled")
            elif session.room < 1:
                text.finish("context")
            else:
                figures = self._next(rounds)
                if figures is None:  # there was no memory for it
                    yield from self._relieve("decode", session, routing)
                    yield from self._read(session, routing, reused)
                    names[routing.plan.name] = True
                    rounds = decode(session, routing.plan.drafter, sampler, routing.plan.controller, text.cut)
                    continue
                line_ended = self._line_ended(session, figures)
                recorder.add(figures._replace(draft_s=figures.draft_s + switched_s) if switched_s else figures)
                switched_s = 0.0
            first = recorder.reply.rounds == 0
            if first or text.finish_reason is not None or recorder.waiting_s >= NEWS_S or line_ended:
                news = recorder.waiting
                if news:
                    yield self._round(recorder, routing)
                if pieces := text.take():
                    yield Delta(pieces)
                began, task = perf_counter(), routing.task
                new = "".join(piece.text for piece in pieces)
                if routing.follow(new, news, line_ended, over=text.finish_reason is not None):
                    plan = routing.plan.name
                    names[plan] = True
                    recorder.reply = replace(recorder.reply, drafter=plan)
                    rounds = decode(session, routing.plan.drafter, sampler, routing.plan.controller, text.cut)
                    switched_s = perf_counter() - began
                    if routing.task != task:
                        yield TaskChanged(routing.task, recorder.reply.rounds, plan, switched_s)
        recorder.reply = replace(recorder.reply, drafter=", ".join(names))
        log.info("reply: %s, ended by: %s", summary(recorder.reply), text.finish_reason)
        yield Finished(text.finish_reason, recorder.reply)

    def _next(self, rounds: Iterator[RoundStatistics]) -> RoundStatistics | None:
        """One round; None when there was no memory for it, and nothing has changed."""
        before = self._text.rounds
        try:
            return next(rounds)
        except OUT_OF_MEMORY as error:
            if not out_of_memory(error) or self._text.rounds != before:
                raise
            log.warning("no memory for a round: %s", error)
            return None

    def _read(self, session: Session, routing: Routing, reused: int) -> Iterator[Event]:
        """Prefill, however often memory runs out meanwhile."""
        while True:
            try:
                yield from self._prefill(session, reused)
                return
            except OUT_OF_MEMORY as error:
                if not out_of_memory(error):
                    raise
                log.warning("no memory for the prompt: %s", error)
            yield from self._relieve("prefill", session, routing)

    def _relieve(self, phase: Phase, session: Session, routing: Routing) -> Iterator[Event]:
        """Memory ran out: give something up and say what, so that what broke off can be tried again.

        Raises UserError when nothing is left to give up.
        """
        relief, ready = self._relief, False
        while not ready:
            draft = routing.draft
            routing.release()
            step = relief.next_step(phase, session, self._settings, draft, self._shorter(session))
            log.warning("memory ran out while %s: %s", "reading" if phase == "prefill" else "writing", step)
            try:
                relief.give_up(step, session)
                session.mend()
                if step.kind == "context":
                    yield from self._shorten(step.after, session)
                routing.begin_again(session, relief.within(self._settings).speculation)
                ready = True
            except OUT_OF_MEMORY as error:
                if not out_of_memory(error):
                    raise
            yield step

    def _fitted(self, context: int) -> tuple[list[int], int]:
        """The prompt as it fits into `context`, and how many messages that leaves out. Raises UserError."""
        tokenizer, continues = self._target.tokenizer, self._messages[-1].role == "assistant"
        budget = room_for_prompt(context, self._settings.max_tokens)
        _, prompt, count = fit(lambda m: render(tokenizer, m, continues), self._messages, budget)
        return prompt, count

    def _shorter(self, session: Session) -> int:
        """A context that would make the text shorter and still holds what must stay; 0 when there is none."""
        written = len(session.tokens) - len(self.prompt)
        context = 3 * len(session.tokens) // 4
        try:
            prompt, _ = self._fitted(context)
        except UserError:
            return 0
        return context if len(prompt) < len(self.prompt) and len(prompt) + written + 1 < context else 0

    def _shorten(self, context: int, session: Session) -> Iterator[Event]:
        """Leave the oldest turns out; the reply so far stays."""
        written = session.tokens[len(self.prompt) :]
        self.prompt, count = self._fitted(context)
        session.mend(renew=True)
        session.most = context
        session.begin([*self.prompt, *written])
        yield TurnsOmitted(count)

    def _prefill(self, session: Session, reused: int) -> Iterator[PromptProgress]:
        """Read the prompt in chunks that take about CHUNK_S each, so that Stop is never far."""
        total, most = len(session.tokens), self._relief.limits.chunk
        done = total - session.missing
        yield PromptProgress(done, total, min(reused, done))
        size, started = min(FIRST_CHUNK, most), perf_counter()
        while not self._cancel.is_set() and done < total - 1:
            done = session.read(size)
            now = perf_counter()
            size = min(max(int(size * CHUNK_S / (now - started)), SHORTEST_CHUNK), most)
            started = now
            yield PromptProgress(done, total, min(reused, done))

    def _line_ended(self, session: Session, figures: RoundStatistics) -> bool:
        """Whether the last round wrote the end of a line, where a block of code may begin or end."""
        return not self._line_ends.isdisjoint(session.tokens[len(session.tokens) - figures.committed :])

    def _round(self, recorder: Recorder, routing: Routing) -> Round:
        """Tells of all rounds since the last time."""
        controller = routing.plan.controller
        latest = recorder.waiting[-1]
        recorder.sum_up()
        reply = recorder.reply
        first = reply.time_to_first_token_s or perf_counter() - self._asked
        recorder.reply = reply.changed(
            time_to_first_token_s=first,
            expected_gain=controller.expected_gain(reply),
            measured_gain=controller.measured_gain(reply.tokens_per_second),
        )
        return Round(
            index=reply.rounds,
            round=latest,
            reply=recorder.reply,
            tokens_per_second=recorder.tokens_per_second,
            acceptance_rate=recorder.acceptance_rate,
            paused=controller.pause_reason if latest.proposed == 0 else None,
            task=routing.task,
        )


def summary(reply: ReplyStatistics) -> str:
    """One line for the log."""
    return (
        f"{reply.prompt_tokens} prompt tokens ({reply.reused_tokens} reused), prefill {reply.prefill_s:.3f} s, "
        f"first token {reply.time_to_first_token_s:.3f} s, {reply.reply_tokens} tokens at "
        f"{reply.tokens_per_second:.1f} tok/s, drafter {reply.drafter} ({reply.mode}), "
        f"accepted {reply.accepted}/{reply.verified}/{reply.proposed} (verified, proposed), "
        f"{reply.tokens_per_round:.2f} per round, draft {reply.draft_s:.3f} s, verify {reply.verify_s:.3f} s, "
        f"other {reply.other_s:.3f} s"
    )
