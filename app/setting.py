"""One row of the table of settings, and how a field of `Settings` becomes one."""

from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from app.setting_rules import Rule

Group = Literal["speculation", "sampling", "reply", "appearance", "loading", "program"]
T = TypeVar("T")


@dataclass(frozen=True)
class Setting:
    """One row of the table."""

    name: str
    default: Any
    rule: Rule
    label: str
    help: str
    group: Group

    def check(self, value: object) -> Any:
        """The value as it is kept (1 becomes 1.0 for a number). Raises ValueError with a plain sentence."""
        return self.rule.check(self.label, value)


def setting(default: T, rule: Rule, group: Group, label: str, help: str) -> T:
    return field(default=default, metadata={"rule": rule, "group": group, "label": label, "help": help})
