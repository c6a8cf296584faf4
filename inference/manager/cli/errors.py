"""What can be wrong with what was said after `foreword models`, beside what the manager itself says."""

from inference.errors import UserError


class UsageError(UserError):
    """The arguments make no sense."""


class NoSuchModelError(UserError):
    """Neither here nor in the catalogue, or more than one."""

    @classmethod
    def named(cls, name: str) -> "NoSuchModelError":
        return cls(f"There is no model {name}.", "See foreword models list --available, or search the hub.")
