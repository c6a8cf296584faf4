"""What a setting's value may be: each kind checks a value and says in a plain sentence why it is refused."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One of a few names; each option is (value, label)."""

    options: tuple[tuple[str, str], ...]

    def check(self, label: str, value: object) -> object:
        if value not in [name for name, _ in self.options]:
            known = [name for name, _ in self.options]
            raise ValueError(f"{label} must be {', '.join(known[:-1])} or {known[-1]}, not {value!r}.")
        return value


@dataclass(frozen=True)
class Integer:
    low: int
    high: int
    step: int = 1
    optional: bool = False  # None is a value

    def check(self, label: str, value: object) -> object:
        if value is None and self.optional:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"{label} must be a whole number, not {value!r}.")
        if not self.low <= value <= self.high:
            raise ValueError(f"{label} must be between {self.low} and {self.high}, not {value}.")
        return value


@dataclass(frozen=True)
class Number:
    low: float
    high: float
    step: float
    percent: bool = False  # shown as 60 % instead of 0.6

    def check(self, label: str, value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"{label} must be a number, not {value!r}.")
        if not self.low <= value <= self.high:
            raise ValueError(f"{label} must be between {self.low:g} and {self.high:g}, not {value:g}.")
        return float(value)


@dataclass(frozen=True)
class Flag:
    def check(self, label: str, value: object) -> object:
        if not isinstance(value, bool):
            raise ValueError(f"{label} must be true or false, not {value!r}.")
        return value


@dataclass(frozen=True)
class Text:
    lines: bool = False  # may span several lines
    max_length: int = 100_000

    def check(self, label: str, value: object) -> object:
        if not isinstance(value, str):
            raise ValueError(f"{label} must be text, not {value!r}.")
        if len(value) > self.max_length:
            raise ValueError(f"{label} must be at most {self.max_length} characters, not {len(value)}.")
        return value


Rule = Choice | Integer | Number | Flag | Text
