"""The commands behind `foreword models`. Each prints its answer and returns its exit status."""

import sys
import threading
from argparse import Namespace
from collections.abc import Generator
from pathlib import Path

from inference.events import LoadProgress
from inference.manager import addresses
from inference.manager.catalogue import Catalogue
from inference.manager.cli.errors import NoSuchModelError, UsageError
from inference.manager.cli.exit_codes import DOES_NOT_FIT, DONE, FAILED
from inference.manager.cli.names import beginning, exactly, names_of
from inference.manager.cli.output import Progress, as_json, asked, parameters_text, say, table
from inference.manager.families import paired
from inference.manager.files import size_text
from inference.manager.folder import inspect, resolve
from inference.manager.hub_search import MOST, HubSearch, is_repository, refused
from inference.manager.hub_token import token_for
from inference.manager.spec import Spec
from inference.manager.store import Store
from inference.plan.any_shape import shape_for
from inference.plan.choice import choose
from inference.plan.machine import Machine
from inference.plan.memory_plan import MemoryPlan, PlanSettings, plan

FOUR_BIT_BYTES = 0.7  # of memory for a parameter, caches and buffers roughly included


def list_models(options: Namespace, cancel: threading.Event) -> int:
    store = Store()
    here = store.specs()
    names = {spec.identifier for spec in here}
    offered = [spec for spec in Catalogue.read().specs if spec.identifier not in names] if options.available else []
    if options.json:
        models = [as_json(spec, disk_bytes=store.disk_use(spec)) for spec in here]
        say({"models": models, "available": [as_json(spec) for spec in offered], "folder": str(store.root)})
        return DONE
    shown = names_of(here)
    rows = [
        [shown[s.identifier], parameters_text(s.parameters), size_text(store.disk_use(s)), _context(s), _elsewhere(s)]
        for s in here
    ]
    rows += [
        [s.identifier, parameters_text(s.parameters), f"({size_text(s.size_bytes)})", _context(s), ""] for s in offered
    ]
    if not rows:
        print("There are no models yet. See foreword models list --available.")
        return DONE
    print(table(["model", "size", "disk", "context", "folder" if any(row[-1] for row in rows) else ""], rows))
    if offered:
        print("\nWhat stands in brackets would have to be downloaded.")
    return DONE


def search_models(options: Namespace, cancel: threading.Event) -> int:
    limits = [round(options.size * 1e9)] if options.size > 0 else []
    if options.fits:
        machine = Machine.here()
        limits.append(round((machine.cards[0].free if machine.cards else machine.ram_free) / FOUR_BIT_BYTES))
    wanted = MOST if options.drafted else options.limit
    found = HubSearch().find(" ".join(options.text), cancel, wanted, min(limits, default=0))
    if options.drafted:
        pairs = paired(Store().specs(), found)
        found = [model for model in found if model.spec.identifier in pairs][: options.limit]
    if options.json:
        say({"models": [as_json(m.spec, repository=m.repository, downloads=m.downloads, gated=m.gated) for m in found]})
        return DONE
    if not found:
        print("Nothing was found.")
        return DONE
    rows = [
        [
            m.repository,
            parameters_text(m.parameters),
            m.licence,
            f"{m.downloads:,}",
            "account needed" if m.gated else "",
        ]
        for m in found
    ]
    print(table(["model", "size", "licence", "downloads", ""], rows))
    return DONE


def download_model(options: Namespace, cancel: threading.Event) -> int:
    return _bring(Store().fetch(fetchable(options.model, cancel), cancel), options)


def import_model(options: Namespace, cancel: threading.Event) -> int:
    store, path = Store(), Path(options.path)
    if not path.expanduser().exists() and store.find(options.path) is None:
        raise NoSuchModelError(f"There is no file or folder {options.path}.", "Check the path.")
    return _bring(_taken_in(store, path, cancel) if options.copy else store.open(path, cancel), options)


def remove_model(options: Namespace, cancel: threading.Event) -> int:
    store = Store()
    here = store.specs()
    spec = exactly(options.model, here) or beginning(options.model, here)
    if spec is None:
        raise NoSuchModelError.named(options.model)
    freed = store.disk_use(spec) if spec.folder is not None and spec.folder.parent == store.root else 0
    what = f"Delete {spec.name} ({size_text(freed)})?" if freed else f"Forget {spec.name}? Its folder stays."
    if not options.yes:
        if options.json or not sys.stdin.isatty():
            raise UsageError(what, "Say --yes.")
        if asked(f"{what} [y/N] ").lower() not in ("y", "yes"):
            return FAILED
    store.delete(spec)
    if options.json:
        say({"removed": spec.identifier, "freed_bytes": freed})
    else:
        print(f"{spec.name} was {'deleted' if freed else 'forgotten'}.")
    return DONE


def plan_model(options: Namespace, cancel: threading.Event) -> int:
    try:
        wish = PlanSettings(
            options.precision or "auto",
            PlanSettings.context if options.context is None else options.context,
            device=options.device,
            draft_device=options.draft_device,
            cache_bits=options.cache_bits,
            int4_group=options.int4_group,
            offload=options.offload,
        )
    except ValueError as error:
        text = str(error)
        raise UsageError(f"{text[:1].upper()}{text[1:]}.") from error
    target = shape_for(named(options.model, cancel), cancel)
    drafts = [shape_for(named(name, cancel), cancel) for name in options.draft]
    draft, more = (drafts[0] if drafts else None), drafts[1:]
    machine = Machine.here()
    if options.precision:
        made, reason = plan(target, machine, wish, draft, more), ""
    else:
        best = choose(target, machine, wish, draft, more)
        made, reason = best.plan, best.reason
    made_for = target.context_length
    cut = "" if options.context is None or not 0 < made_for < wish.context else _cut(made_for, wish.context)
    if options.json:
        say(plan_json(made, reason) | {"context_length": made_for or None, "context_cut": cut or None})
    else:
        print("\n\n".join(filter(None, [cut, plan_text(made, reason)])))
    return DONE if made.fits else DOES_NOT_FIT


def named(name: str, cancel: threading.Event) -> Spec:
    """A model by its name here (or how that begins), in the catalogue or on the hub, or by its folder. UserError."""
    here = Store().specs()
    found = exactly(name, here) or Catalogue.read().find(name)
    if found is not None:
        return found
    path = Path(name).expanduser()
    if path.is_dir():
        return inspect(resolve(path)).spec
    return beginning(name, here) or fetchable(name, cancel)


def fetchable(name: str, cancel: threading.Event) -> Spec:
    """An entry of the catalogue, or a repository of the hub. Raises UserError."""
    entry = Catalogue.read().find(name)
    if entry is not None:
        return entry
    if not is_repository(name):
        raise NoSuchModelError.named(name)
    model = HubSearch().model(name, cancel)
    if model.gated and not token_for(addresses.hub()):
        raise refused(addresses.hub(), name)
    return model.spec


def _cut(made_for: int, wished: int) -> str:
    return f"The model was made for {made_for:,} tokens of context: {wished:,} were asked for, and no more are planned."


def plan_text(made: MemoryPlan, reason: str) -> str:
    rows = [[part.name, size_text(part.nbytes), made.place_name(part.place)] for part in made.parts]
    groups = f" in groups of {made.target.group}" if made.target.group else ""
    how = f"{made.target.precision}{groups} ({made.target.engine}) on {made.target.device}"
    held = f"{how}, {made.context:,} tokens of context"
    for draft in made.drafts:
        held += f"\ndraft: {draft.precision} ({draft.engine}) on {draft.device}"
    if made.overlaps:
        held += ", which drafts while the target verifies"
    return f"{held}\n\n{table(['part', 'bytes', 'where'], rows)}\n\n{reason or made.sentence}"


def plan_json(made: MemoryPlan, reason: str) -> dict[str, object]:
    return {
        "fits": made.fits,
        "sentence": reason or made.sentence,
        "precision": made.target.precision,
        "int4_group": made.target.group or None,
        "engine": made.target.engine,
        "device": made.target.device,
        "draft_precision": made.draft.precision if made.draft else None,
        "draft_devices": [draft.device for draft in made.drafts],
        "context": made.context,
        "offload": {"layers": made.offload.layers, "kept": made.offload.kept} if made.offload else None,
        "parts": [{"name": part.name, "bytes": part.nbytes, "place": part.place} for part in made.parts],
        "needed_bytes": {place: made.needed(place) for place in ("ram", "card", *made.places)},
        "free_bytes": {"card": 0} | {place: made.free(place) for place in made.places},
    }


def _taken_in(store: Store, path: Path, cancel: threading.Event) -> Generator[LoadProgress, None, Spec]:
    """With files of its own in the store."""
    spec = yield from store.open(path, cancel)
    if _elsewhere(spec):
        spec = yield from store.take_over(spec, cancel)
    return spec


def _bring(steps: Generator[LoadProgress, None, Spec], options: Namespace) -> int:
    """Follow a download or conversion to its end."""
    progress = Progress()
    try:
        while True:
            progress.show(next(steps))
    except StopIteration as end:
        spec: Spec = end.value
    finally:
        progress.end()
    if options.json:
        say({"model": as_json(spec)})
    else:
        print(f"{spec.name} is in {spec.folder}.")
    return DONE


def _elsewhere(spec: Spec) -> str:
    """The folder that is only used where it is, "" for one of our own."""
    return str(spec.folder) if spec.folder is not None and spec.identifier == str(spec.folder) else ""


def _context(spec: Spec) -> str:
    return f"{spec.context_length:,}" if spec.context_length else ""
