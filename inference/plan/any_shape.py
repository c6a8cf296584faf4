"""The shape of any model that is known by name: on this disk, in the catalogue, or on the hub."""

import threading

from inference.errors import UserError
from inference.manager.hub_search import HubSearch
from inference.manager.spec import Spec
from inference.plan.model_shape import ModelShape, shape_in, shape_of


def shape_for(spec: Spec, cancel: threading.Event, hub: HubSearch | None = None) -> ModelShape:
    """From the disk where it is there, else from the config.json on the hub (some kB). Raises UserError."""
    if spec.folder is not None:
        return shape_in(spec.folder)
    source = next((source for source in spec.sources if source.kind == "hub"), None)
    if source is None:
        raise UserError(f"{spec.name} cannot be planned for before it is downloaded.", "Download it first.")
    return shape_of((hub or HubSearch()).config(source.repository, cancel), parameters=spec.parameters)
