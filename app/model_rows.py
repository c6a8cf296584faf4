"""The rows of the page of models, from what the store, the catalogue and the hub say."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from app import counts
from app.language import listed, tr
from app.load_report import megabytes
from app.views.model_row import ModelRow, Where
from inference.chat_engine import LoadedModel
from inference.manager.hub_search import HubModel
from inference.manager.spec import Spec
from inference.plan.machine import Machine
from inference.plan.memory_plan import rough_bytes


def rows_of(
    here: Sequence[Spec],
    disk: Mapping[str, int],
    offered: Sequence[Spec],
    found: Sequence[HubModel] = (),
    *,
    loaded: str = "",
    machine: Machine | None = None,
    held: Sequence[LoadedModel] = (),
    paired: Collection[str] = (),
) -> list[ModelRow]:
    """here: on this machine, with their bytes in `disk`; offered: the catalogue; loaded: the target's identifier;
    machine: against which what is not here yet is judged; held: target and draft as they are loaded; paired: of what
    is here, and of what was found, that for which a draft is here."""
    known = {spec.identifier for spec in here}
    rows = [_row(spec, "here", disk.get(spec.identifier, 0), loaded == spec.identifier, machine) for spec in here]
    rows += [_row(spec, "catalogue", machine=machine) for spec in offered if spec.identifier not in known]
    rows = [replace(row, drafted=row.drafted or row.identifier in paired) for row in rows]
    loads = {model.spec.identifier: (tr("loaded"), place_of(model)) for model in held}
    rows = [replace(r, facts=(*r.facts, loads[r.identifier])) if r.identifier in loads else r for r in rows]
    known |= {row.identifier for row in rows}
    for model in found:
        if model.spec.identifier not in known:
            row = replace(_row(model.spec, "hub", machine=machine), obstacle=_obstacle(model), note=_remark(model))
            rows.append(replace(row, drafted=row.identifier in paired))
    return rows


def _row(spec: Spec, where: Where, disk: int = 0, loaded: bool = False, machine: Machine | None = None) -> ModelRow:
    size = megabytes(disk or spec.size_bytes) if disk or spec.size_bytes else ""
    own = spec.folder is None or spec.identifier == spec.folder.name
    facts = [
        (tr("parameters"), parameters(spec.parameters)),
        (tr("disk") if where == "here" else tr("download"), size),
        (tr("memory"), _memory(spec, machine) if where != "here" else ""),
        (tr("context"), counts.tokens(spec.context_length) if spec.context_length else ""),
        (tr("languages"), listed(_language(code) for code in spec.languages)),
        (tr("abilities"), listed(_ability(name) for name in spec.abilities)),
        (tr("licence"), spec.licence),
        (tr("folder"), str(spec.folder) if spec.folder is not None and not own else ""),
        (tr("checked"), spec.checked if where == "catalogue" else ""),
    ]
    return ModelRow(
        identifier=spec.identifier,
        name=spec.name,
        where=where,
        detail=" · ".join(filter(None, [parameters(spec.parameters), size])),
        facts=tuple((label, value) for label, value in facts if value),
        note=tr(spec.note) if spec.note else "",
        own=own,
        loaded=loaded,
        context_length=spec.context_length,
        parameters=spec.parameters,
        fits=machine is not None and spec.parameters > 0 and rough_bytes(spec.parameters, 4) <= _free(machine),
        drafted=bool(spec.drafts),
    )


def place_of(model: LoadedModel) -> str:
    """How large it is in memory, and which device holds it."""
    device = model.device
    if device == "cpu":
        place = tr("the processor")
    elif device.startswith("cuda"):
        place = tr("graphics card {number}").format(number=int(device.partition(":")[2] or 0) + 1)
    else:
        place = device
    return tr("{size} on {device}").format(size=megabytes(model.nbytes), device=place)


def parameters(count: int) -> str:
    """8.2 B, 135 M, "" where it is not known."""
    if not count:
        return ""
    return f"{count / 1e9:.1f} B" if count >= 1e9 else f"{count / 1e6:.0f} M"


def _memory(spec: Spec, machine: Machine | None) -> str:
    """A rough answer to whether it will fit; the plan has a better one as soon as it is here."""
    if machine is None or not spec.parameters:
        return ""
    free = _free(machine)
    four, sixteen = rough_bytes(spec.parameters, 4), rough_bytes(spec.parameters, 16)
    if sixteen <= free:
        text = tr("fits at 16 bits, about {sixteen} of the {free} that are free")
    elif four <= free:
        text = tr("fits at 4 bits, about {four} of the {free} that are free")
    else:
        text = tr("too large: about {four} at 4 bits, and {free} are free")
    return text.format(four=megabytes(four), sixteen=megabytes(sixteen), free=megabytes(free))


def _free(machine: Machine) -> int:
    return machine.cards[0].free if machine.cards else machine.ram_free


def _obstacle(model: HubModel) -> str:
    if model.pickle:
        return tr("Its weights are pickles, which can run any code: look for a version with safetensors files.")
    return ""


def _remark(model: HubModel) -> str:
    if model.gated:
        return tr("The hub gives it only to accounts that accepted its conditions: enter a token under Model hub.")
    return counts.downloads(model.downloads) if model.downloads else ""


def _language(code: str) -> str:
    names = {
        "en": tr("English"),
        "zh": tr("Chinese"),
        "de": tr("German"),
        "fr": tr("French"),
        "it": tr("Italian"),
        "es": tr("Spanish"),
        "pt": tr("Portuguese"),
        "ru": tr("Russian"),
        "ja": tr("Japanese"),
        "ko": tr("Korean"),
        "hi": tr("Hindi"),
        "th": tr("Thai"),
    }
    return names.get(code, code)


def _ability(name: str) -> str:
    return {"thinking": tr("thinking"), "tools": tr("tools")}.get(name, name)
