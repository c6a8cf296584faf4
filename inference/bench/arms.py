"""From the names of arms to arms that run: which engines they need, and which they can share."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from inference.bench.arm import Arm, EngineArm
from inference.bench.arm_spec import ArmSpec
from inference.bench.loaded import LoadedEngine
from inference.bench.protocol import SWEPT_LENGTHS
from inference.bench.transformers_arm import TransformersArm
from inference.errors import UserError
from inference.manager.spec import Spec
from inference.models.fused.model import FusedModel
from inference.settings import Implementation, LoadSettings, Precision

Say = Callable[[str], None]


def default_specs(protocol: str, fused: bool, draft: bool) -> tuple[ArmSpec, ...]:
    """All that the model allows; for a check, speculation and what it is checked against."""
    plain = ["fused"] if fused else ["adapter"]
    drafting = ["ngram", *(["draft"] if draft else []), *(["head"] if fused else []), "automatic"]
    if protocol == "check":
        names = [*plain, *drafting]
    elif protocol == "sweep":
        names = [*plain, "automatic", *drafting[:-1]]
    else:
        names = ["transformers", "adapter", *(["fused"] if fused else []), *drafting]
    return tuple(ArmSpec(name) for name in names)


def swept(specs: Sequence[ArmSpec]) -> tuple[ArmSpec, ...]:
    """In place of every arm that always drafts, one for each draft length."""
    result: list[ArmSpec] = []
    for spec in specs:
        sweeps = spec.drafts and spec.kind != "automatic" and spec.draft_length is None
        result.extend([spec.at(k) for k in SWEPT_LENGTHS] if sweeps else [spec])
    return tuple(result)


class Arms:
    """The arms, loaded. Those with the same implementation and precision share one engine."""

    def __init__(
        self,
        specs: Sequence[ArmSpec],
        target: Spec,
        draft: Spec | None,
        settings: LoadSettings,
        say: Say,
        *,
        asked_for: bool = True,
    ) -> None:
        """asked_for: an arm that has nothing to draft with is an error; else it is left out. Raises UserError."""
        self.arms: list[Arm] = []
        self.engines: dict[str, LoadedEngine] = {}  # by arm
        loaded: dict[tuple[Implementation, Precision], LoadedEngine] = {}
        assert target.folder is not None  # on disk since it was found
        for spec in specs:
            if spec.kind == "transformers":
                say(f"loading {target.name} for transformers")
                self.arms.append(TransformersArm(target.folder, settings.device))
                continue
            precision = spec.precision or settings.precision
            key = (implementation(spec, target, precision, settings.device), precision)
            if key not in loaded:
                own = replace(settings, precision=precision, implementation=key[0])
                helps = draft if _drafted(specs, key, target, settings) else None
                loaded[key] = LoadedEngine(target, helps, own, say)
            if lack := lacking(spec, loaded[key]):
                if asked_for:
                    raise lack
                continue
            self.engines[spec.name] = loaded[key]
            self.arms.append(EngineArm(spec, loaded[key]))

    @property
    def names(self) -> list[str]:
        return [arm.name for arm in self.arms]

    @property
    def precisions(self) -> dict[str, str]:
        return {arm.name: arm.precision for arm in self.arms}

    def by_engine(self) -> dict[str, LoadedEngine]:
        """Each engine once, under the names of all its arms."""
        names: dict[int, list[str]] = {}
        for name, engine in self.engines.items():
            names.setdefault(id(engine), []).append(name)
        return {", ".join(arms): self.engines[arms[0]] for arms in names.values()}


def lacking(spec: ArmSpec, loaded: LoadedEngine) -> UserError | None:
    """What an arm would draft with, and is not at hand."""
    has_draft, has_head = loaded.engine.draft is not None, bool(loaded.engine.heads)
    if spec.kind == "head" and not has_head:
        return UserError(
            "No head was trained for this model.", "Train one with foreword train-draft, or leave out head."
        )
    if spec.kind == "combined" and not (has_draft or has_head):
        return UserError("The arm combined needs a draft model or a head.", "Name a draft model with --draft.")
    return None


def implementation(spec: ArmSpec, target: Spec, precision: Precision, device: str) -> Implementation:
    """What an arm runs on: what it says, and Foreword's own decoder, where that knows the model, for the others."""
    if spec.kind in ("adapter", "fused"):
        return "adapter" if spec.kind == "adapter" else "fused"
    return "fused" if target.folder and FusedModel.supports(target.folder, precision, device) else "adapter"


def _drafted(
    specs: Sequence[ArmSpec], key: tuple[Implementation, Precision], target: Spec, settings: LoadSettings
) -> bool:
    """Whether any arm on this engine uses the draft model."""
    return any(
        spec.kind in ("draft", "combined", "automatic")
        and key == (implementation(spec, target, p := spec.precision or settings.precision, settings.device), p)
        for spec in specs
    )
