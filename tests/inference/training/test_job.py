"""A whole run over a tiny model: replies, training, measuring, a package that loads, and every way to stop."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from inference.drafters.head import HeadDrafter
from inference.errors import UserError
from inference.heads import package, shelf
from inference.heads.fingerprint import identify
from inference.tokenizer import Tokenizer
from inference.training import course
from inference.training.control import CancelledError, Control, Progress
from inference.training.job import tokens_per_round
from inference.training.shards import Shards
from inference.training.trainer import Trainer
from tests.inference.training.tiny import PROMPTS, RECIPE, job, plan
from tests.tiny_models import tiny_model


class Stopper:
    """Stops a run as soon as it has come so far in a step."""

    def __init__(self, step: str, done: int = 0, head: str = "") -> None:
        self.step, self.done, self.head = step, done, head
        self.control = Control(self.hear, every_s=0.0)
        self.heard: list[Progress] = []

    def hear(self, progress: Progress) -> None:
        self.heard.append(progress)
        if progress.step == self.step and progress.done >= self.done and progress.figures.get("head", "") == self.head:
            self.control.stop.set()


def test_from_prompts_to_two_drafts(target: Path, tmp_path: Path) -> None:
    heard: list[Progress] = []
    made = plan(target, tmp_path)
    folders = job(made, Control(heard.append, every_s=0.0)).run()
    assert [folder.name for folder in folders] == ["code", "prose"]
    identity = identify("tiny", target, Tokenizer.load(target).vocabulary)
    for folder, task in zip(folders, ("code", "prose"), strict=True):
        loaded = package.load(folder, identity)
        assert loaded.card.task == task
        assert loaded.card.data["command"] == "foreword train-draft --model tiny"
        assert loaded.card.data["earlier_commands"] == []
        assert loaded.card.data["recipe"]["seed"] == RECIPE.seed
        assert loaded.card.data["trained_tokens"] >= RECIPE.tokens - RECIPE.own_tokens(2)
        assert set(loaded.card.data["curve"]) == {"any", task}
        rates = loaded.card.measured["at_every_position"]["acceptance_by_position"]
        assert len(rates) == RECIPE.steps and all(0 <= rate <= 1 for rate in rates)
        assert loaded.card.measured["by_draft_length"]["3"]["measured_gain"] > 0
        assert loaded.card.measured["tokens"] > 0
        assert {2, 0} <= set(loaded.vocabulary.tolist())  # the end tokens can be proposed
    assert {progress.step for progress in heard} == {"replies", "train", "measure", "package"}
    assert not list((made.work / "observed").glob("*"))  # the disk is given back, the replies stay
    assert sum(reply.written for reply in Shards(made.work).all_replies()) >= 300


@pytest.mark.parametrize("kind", ["qwen3", "gemma3"])
def test_other_families_are_trained_for(tmp_path: Path, kind: str) -> None:
    other = tiny_model(kind, tmp_path / kind, layers=3)
    made = plan(other, tmp_path, tasks=("code",), reply_tokens=60, recipe=replace(RECIPE, tokens=100))
    (folder,) = job(made).run()
    package.load(folder, identify(kind, other, Tokenizer.load(other).vocabulary))


def test_training_lowers_the_loss(target: Path, tmp_path: Path) -> None:
    made = plan(target, tmp_path, tasks=("prose",), recipe=replace(RECIPE, tokens=6000))
    (folder,) = job(made).run()
    curve = package.read_card(folder).data["curve"]["any"]
    assert curve[-1]["loss"] < 0.8 * curve[0]["loss"]
    assert "held_out_1" in curve[-1]


def test_what_is_measured_is_the_new_draft_and_not_one_from_before(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tmp_path / "before"
    monkeypatch.setattr(shelf, "places", lambda: (before,))
    drafted: list[str] = []
    propose = HeadDrafter.propose
    monkeypatch.setattr(HeadDrafter, "propose", lambda self, *args: drafted.append(self.name) or propose(self, *args))
    for name in ("before", "after"):
        drafted.clear()
        made = plan(target, tmp_path, output=tmp_path / name)
        job(made).run()
        assert set(drafted) == {f"{name}/code", f"{name}/prose"}


def test_memory_that_batches_leave_free_goes_back_to_the_system(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released: list[int] = []
    monkeypatch.setattr(course, "release_memory", lambda: released.append(1))
    learned: list[int] = []
    learn = Trainer.learn
    monkeypatch.setattr(Trainer, "learn", lambda self, batch: learned.append(1) or learn(self, batch))
    job(plan(target, tmp_path, tasks=("prose",))).run()
    assert len(learned) >= 8 and len(released) == len(learned) // course.RELEASE_EVERY


def test_the_other_models_drafts_are_refused(target: Path, tmp_path: Path) -> None:
    (folder,) = job(plan(target, tmp_path, tasks=("code",))).run()
    other = tiny_model("llama", tmp_path / "other", seed=4, layers=3)
    with pytest.raises(UserError, match="weights are not those"):
        package.load(folder, identify("other", other, Tokenizer.load(other).vocabulary))


@pytest.mark.parametrize(("step", "done", "head"), [("replies", 60, ""), ("train", 300, "any"), ("train", 100, "code")])
def test_a_stopped_run_goes_on_where_it_was(target: Path, tmp_path: Path, step: str, done: int, head: str) -> None:
    made = plan(target, tmp_path)
    stopper = Stopper(step, done, head)
    with pytest.raises(CancelledError):
        job(made, stopper.control).run()
    before = {reply.index: reply.tokens for reply in Shards(made.work).all_replies()}
    assert before
    heard: list[Progress] = []
    again = replace(made, command=f"{made.command} --reply-tokens 1")
    folders = job(again, Control(heard.append, every_s=0.0)).run()
    assert len(folders) == 2
    for data in (package.read_card(folder).data for folder in folders):
        assert (data["command"], data["earlier_commands"]) == (again.command, [made.command])
    after = {reply.index: reply.tokens for reply in Shards(made.work).all_replies()}
    assert before.items() <= after.items()
    if step == "train":
        assert before == after  # nothing was written anew
        first = next(progress for progress in heard if progress.step == "train" and progress.figures["head"] == head)
        assert first.done > done  # and nothing learned twice


def test_a_checkpoint_restores_everything(target: Path, tmp_path: Path) -> None:
    """Two steps, a break, two steps: bit for bit what four steps without a break give."""
    from itertools import islice

    from inference.training.batches import endless

    made = plan(target, tmp_path)
    job(made)._write()
    trainers = []
    for name in ("whole", "broken"):
        trainer = job(made)._trainer(None, None)
        batches = endless(Shards(made.work), None, 128, "order")
        for number, batch in enumerate(islice(batches, 4)):
            if name == "broken" and number == 2:
                trainer.save(tmp_path / "state")
                trainer = job(made)._trainer(None, None)
                assert trainer.restore(tmp_path / "state")
            trainer.learn(batch)
        trainers.append(trainer)
    whole, broken = (trainer.head.state_dict() for trainer in trainers)
    assert all(torch.equal(tensor, broken[name]) for name, tensor in whole.items())
    assert trainers[0].seen == trainers[1].seen


def test_features_that_were_deleted_are_read_again(target: Path, tmp_path: Path) -> None:
    made = plan(target, tmp_path)
    job(made)._write()
    shards = Shards(made.work)
    written = shards.replies(0, observed=True)
    shards.forget_observed()
    job(made)._write()
    again = shards.replies(0, observed=True)
    for one, other in zip(written, again, strict=True):
        assert one.observed is not None and other.observed is not None
        assert torch.allclose(one.observed.features.float(), other.observed.features.float(), atol=0.02)
        assert torch.equal(one.observed.top[:, 0], other.observed.top[:, 0])
        assert torch.allclose(one.observed.share, other.observed.share, atol=2e-3)


def test_a_memory_budget_makes_batches_smaller_or_is_refused(target: Path, tmp_path: Path) -> None:
    roomy = replace(RECIPE, batch_tokens=1 << 16)
    made = job(plan(target, tmp_path, recipe=roomy, memory_bytes=2_000_000_000)).plan
    assert 256 <= made.recipe.batch_tokens < 1 << 16
    with pytest.raises(UserError, match="GB of memory"):
        job(plan(target, tmp_path, memory_bytes=1000))


def test_the_estimate_counts_what_is_asked_for(target: Path, tmp_path: Path) -> None:
    small = job(plan(target, tmp_path)).estimate()
    large = job(plan(target, tmp_path, reply_tokens=300_000)).estimate()
    assert large.disk_bytes > 500 * small.disk_bytes
    assert json.loads(json.dumps(small.to_json()))["seconds"].keys() == {"replies", "train", "measure"}
    assert "of disk" in small.in_words()


def test_tokens_per_round_add_up() -> None:
    assert tokens_per_round([0.5, 0.5]) == [1.5, 1.75]
    assert tokens_per_round([]) == []


def test_own_prompts_are_held_out_too(target: Path, tmp_path: Path) -> None:
    made = job(plan(target, tmp_path))
    held = {prompt.text for prompt in made._held_out_prompts("code")}
    asked = {prompt.text for stream in made._streams() for prompt in stream}
    assert held and len(held) <= 3
    assert held | asked <= {prompt.text for prompt in PROMPTS}
    assert not held & asked


@pytest.mark.parametrize("place", ["", "another"])
def test_finished_drafts_go_on_learning(target: Path, tmp_path: Path, place: str) -> None:
    """From what they know, each by itself, on other replies, also where the first run lies."""
    first = plan(target, tmp_path, recipe=replace(RECIPE, tokens=6000), reply_tokens=150)
    job(first).run()
    known = {task: package.read_card(first.output / task) for task in ("code", "prose")}
    heard: list[Progress] = []
    known_replies = sum(reply.written for reply in Shards(first.work).all_replies())
    recipe = replace(RECIPE, seed=2, tokens=400)
    again = plan(target, tmp_path / place, recipe=recipe, start=first.output, reply_tokens=400)
    folders = job(again, Control(heard.append, every_s=0.0)).run()
    assert {progress.figures.get("head") for progress in heard if progress.step == "train"} == {"code", "prose"}
    assert sum(reply.written for reply in Shards(again.work).all_replies()) >= 400 > known_replies
    for folder in folders:
        card = package.read_card(folder)
        before = known[card.task]
        assert set(card.data["curve"]) == {card.task}
        assert card.data["went_on_from"] == before.data
        assert card.data["trained_tokens"] > before.data["trained_tokens"]
        assert card.data["curve"][card.task][0]["loss"] < 0.8 * before.data["curve"]["any"][0]["loss"]
    told = ("went_on_from", "trained_tokens", "curve", "recipe", "replies")
    made = [[package.read_card(folder).data[name] for name in told] for folder in folders]
    job(again).run()  # nothing is left to do, also where the finished drafts lie in the place of those before
    assert [[package.read_card(folder).data[name] for name in told] for folder in folders] == made
    with pytest.raises(UserError, match="another draft code went on"):
        job(replace(again, start=elsewhere(first.output, tmp_path)))


def elsewhere(drafts: Path, folder: Path) -> Path:
    """Copies whose cards tell another story."""
    copies = shutil.copytree(drafts, folder / "elsewhere")
    for card in copies.glob("*/card.json"):
        values = json.loads(card.read_text("utf-8"))
        values["data"] |= {"recipe": {"seed": 7}, "command": "another", "went_on_from": {}}
        card.write_text(json.dumps(values), "utf-8")
    return copies


def test_only_drafts_of_this_target_go_on_learning(target: Path, tmp_path: Path) -> None:
    other = tiny_model("llama", tmp_path / "other", seed=4, layers=3)
    theirs = plan(other, tmp_path / "theirs", tasks=("code",))
    job(theirs).run()
    with pytest.raises(UserError, match="weights are not those"):
        job(plan(target, tmp_path, tasks=("code",), start=theirs.output))
    with pytest.raises(UserError, match="is not a draft"):
        job(plan(target, tmp_path, start=theirs.output / "code"))
    windowed = replace(RECIPE, window=RECIPE.window + 1)
    with pytest.raises(UserError, match="questions of seed 1"):
        job(plan(other, tmp_path, tasks=("code",), start=theirs.output))
    with pytest.raises(UserError, match="another form"):
        job(plan(other, tmp_path, tasks=("code",), start=theirs.output, recipe=windowed))
