"""The head in native code drafts what the head in torch drafts, and both what the module itself says."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from inference.heads.fingerprint import TargetIdentity, identify
from inference.heads.native_runner import NativeRunner
from inference.heads.package import Package, load
from inference.heads.runner import HeadRunner, output_rows, runner_for
from inference.heads.shape import HeadShape
from inference.heads.torch_runner import TorchRunner
from inference.models.fused.model import FusedModel
from inference.models.fused.source import EMBEDDING, HEAD, open_source
from inference.native.weights import pack_int4, unpack
from tests.inference.conftest import TinyFactory
from tests.inference.heads.tiny import save_random

VOCABULARY = 50


@pytest.fixture(scope="module")
def folder(tiny: TinyFactory) -> Path:
    return tiny("llama", layers=3)


@pytest.fixture(scope="module")
def identity(folder: Path) -> TargetIdentity:
    return identify("tiny", folder, {"a": 0})


def shape_for(identity: TargetIdentity, window: int = 0) -> HeadShape:
    assert identity.architecture is not None
    return HeadShape.for_target(identity.architecture, VOCABULARY, window)


def representable(package: Package) -> Package:
    """With matrices that four bits hold exactly, so that the two differ in activations alone."""
    return replace(
        package, tensors={n: unpack(pack_int4(t)) if t.dim() == 2 else t for n, t in package.tensors.items()}
    )


def drafts(runner: HeadRunner, features: torch.Tensor, tokens: list[int], cuts: list[int], k: int) -> list[list[int]]:
    """Drafts after each part of a text that is read in parts."""
    cache, found, start = runner.new_cache(), [], 0
    for end in cuts:
        found.append(runner.draft(tokens[start:end], features[start:end].contiguous(), cache, k))
        assert cache.length == end
        start = end
    return found


@pytest.mark.parametrize("window", [0, 5])
def test_native_and_torch_draft_the_same(folder: Path, identity: TargetIdentity, tmp_path: Path, window: int) -> None:
    shape = shape_for(identity, window)
    model = FusedModel.load(folder, "int8", "cpu", 512)
    assert model.native is not None
    output = unpack(pack_int4(torch.randn(VOCABULARY, shape.hidden)))
    generator = torch.Generator().manual_seed(3)
    same = together = 0
    for seed in range(8):
        save_random(tmp_path / "head", shape, identity, tokens=model.vocabulary_size, seed=seed)
        package = representable(load(tmp_path / "head", identity))
        tokens = torch.randint(0, model.vocabulary_size, (300,), generator=generator).tolist()
        features = torch.randn(300, 3, shape.hidden, generator=generator)
        cuts = [1, 2, 5, 11, 20, 280, 300]
        native = drafts(NativeRunner(package, model.native, output, 512), features, tokens, cuts, k=4)
        reference = drafts(TorchRunner(package, model, output), features, tokens, cuts, k=4)
        for one, other in zip(native, reference, strict=True):
            assert set(one) <= set(package.vocabulary.tolist())
            together += 1
            same += one[0] == other[0]  # not always: activations are rounded to int8
    assert same >= 0.9 * together, f"{same} of {together}"


def test_how_a_text_is_cut_does_not_matter(folder: Path, identity: TargetIdentity, tmp_path: Path) -> None:
    for precision in ("int8", "float32"):
        model = FusedModel.load(folder, precision, "cpu", 512)
        save_random(tmp_path / "head", shape_for(identity), identity, tokens=model.vocabulary_size)
        runner = runner_for(load(tmp_path / "head", identity), model, folder)
        assert isinstance(runner, NativeRunner if precision == "int8" else TorchRunner)
        tokens = list(range(3, 40))
        features = torch.randn(37, 3, shape_for(identity).hidden)
        whole = drafts(runner, features, tokens, [37], k=6)[-1]
        assert drafts(runner, features, tokens, [1, 2, 3, 9, 36, 37], k=6)[-1] == whole
        cache = runner.new_cache()
        runner.draft(tokens[:30], features[:30], cache, 0)
        twin = cache.copy(20)
        runner.draft(tokens[:5], features[:5], cache, 3)
        assert runner.draft(tokens[20:], features[20:].contiguous(), twin, 6) == whole, "a copy is independent"
        cache.truncate(12)
        assert runner.draft(tokens[12:], features[12:].contiguous(), cache, 6) == whole, "rolled back exactly"


def test_the_first_token_is_the_likeliest_of_the_module(folder: Path, identity: TargetIdentity, tmp_path: Path) -> None:
    model = FusedModel.load(folder, "float32", "cpu", 512)
    save_random(tmp_path / "head", shape_for(identity), identity, tokens=model.vocabulary_size)
    package = load(tmp_path / "head", identity)
    runner = runner_for(package, model, folder)
    tokens, features = list(range(30)), torch.randn(30, 3, shape_for(identity).hidden)
    head = package.head()
    h, _ = head.step(model.embed(tokens)[None], head.fused(features[None]))
    best = head.logits(h, output_rows(folder, package.vocabulary))[0].argmax(-1)
    for end in (1, 7, 30):
        draft = runner.draft(tokens[:end], features[:end], runner.new_cache(), 1)
        assert draft == [int(package.vocabulary[best[end - 1]])]


def test_a_draft_ends_where_it_would_likely_be_wrong(folder: Path, identity: TargetIdentity, tmp_path: Path) -> None:
    save_random(tmp_path / "head", shape_for(identity), identity, tokens=VOCABULARY)
    tokens, features = list(range(20)), torch.randn(20, 3, shape_for(identity).hidden)
    package = load(tmp_path / "head", identity)
    head = package.head()
    for precision in ("int8", "float32"):
        model = FusedModel.load(folder, precision, "cpu", 512)
        runner = runner_for(package, model, folder)
        whole = runner.draft(tokens, features, runner.new_cache(), 5)
        assert len(whole) == 5
        made = [runner.draft(tokens, features, runner.new_cache(), 5, 0.02 * 1.3**i) for i in range(18)]
        lengths = [len(draft) for draft in made]
        assert lengths == sorted(lengths, reverse=True) and lengths[-1] == 0 and max(lengths) > 0
        assert all(draft == whole[: len(draft)] for draft in made)
        cache = runner.new_cache()
        assert runner.draft(tokens, features, cache, 5, 1.1) == [] and cache.length == 20
    h, _ = head.step(model.embed(tokens)[None], head.fused(features[None]))
    share = float(head.logits(h, output_rows(folder, package.vocabulary))[0, -1].softmax(-1).max())
    for least, length in ((share * 0.99, 1), (share * 1.01, 0)):
        assert len(runner.draft(tokens, features, runner.new_cache(), 1, least)) == length


def test_what_does_not_fit_is_refused(folder: Path, identity: TargetIdentity, tmp_path: Path) -> None:
    model = FusedModel.load(folder, "int8", "cpu", 64)
    save_random(tmp_path / "head", shape_for(identity), identity, tokens=model.vocabulary_size)
    runner = runner_for(load(tmp_path / "head", identity), model, folder)
    hidden = shape_for(identity).hidden
    for tokens, features, k in (
        ([1], torch.zeros(1, 3, hidden + 1), 1),
        ([1, 2], torch.zeros(1, 3, hidden), 1),
        ([], torch.zeros(0, 3, hidden), 1),
        ([model.vocabulary_size], torch.zeros(1, 3, hidden), 1),
        ([1] * 80, torch.zeros(80, 3, hidden), 2),
    ):
        with pytest.raises(ValueError):
            runner.draft(tokens, features, runner.new_cache(), k)
    with pytest.raises(TypeError):
        runner.draft([1], torch.zeros(1, 3, hidden), _Other(), 1)  # type: ignore[arg-type]


class _Other:
    """Some other cache."""


@pytest.mark.parametrize("kind", ["llama", "qwen2"])
def test_only_the_rows_of_the_heads_tokens_are_read(tiny: TinyFactory, kind: str) -> None:
    folder = tiny(kind)
    wanted = torch.tensor([0, 3, 4, 11], dtype=torch.int32)
    with open_source(folder) as source:
        whole = source.matrix(HEAD if HEAD in source else EMBEDDING).float()
    assert torch.equal(output_rows(folder, wanted), whole[wanted.long()])
