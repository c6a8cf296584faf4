"""Chat templates are programs that come with a model, so they run in jinja2's immutable sandbox, with bounds on top.

Covered: attributes and calls that reach Python's internals or change objects (the sandbox), long ranges (the sandbox),
loops and recursion without end (a deadline, looked at on every turn of a loop and entry of a macro), huge products and
powers, long source, long output. Not covered: what one built-in may allocate before it returns (`"x" | center(10**9)`,
a string doubled 30 times); that ends in a MemoryError at worst, which is reported like every other fault of a template.
"""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import TemplateError, nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from inference.errors import UserError

SECONDS = 5.0
MAX_SOURCE = 1_000_000  # characters; the longest published templates have about 30,000
MAX_OUTPUT = 20_000_000  # characters, some five million tokens
MAX_PRODUCT = 1_000_000  # items of a repeated string or list, or bits of a number

# Whatever a template can raise while it is compiled or run; anything else is a fault of ours.
_FAULTS = (
    TemplateError, ArithmeticError, AttributeError, LookupError, MemoryError, NameError, RuntimeError, SyntaxError,
    TypeError, ValueError, AssertionError,
)  # fmt: skip


class _Generation(Extension):
    """`{% generation %}`: marks the assistant's words for training. Here only its body counts."""

    tags = {"generation"}  # noqa: RUF012  (jinja2 declares it so)

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Namespace(Namespace):
    """jinja2's namespace, without names that Python itself looks up on objects."""

    def __setitem__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            raise SecurityError(f"a namespace may not hold {name!r}")
        super().__setitem__(name, value)


def _namespace(*args: Any, **values: Any) -> _Namespace:
    made = _Namespace()
    for name, value in dict(*args, **values).items():
        made[name] = value
    return made


def _raise_exception(message: str) -> NoReturn:
    raise TemplateError(message)


def _to_json(value: Any, ensure_ascii: bool = False, indent: int | None = None, **options: Any) -> str:
    # jinja2's own filter escapes for HTML, which templates do not expect.
    options = {name: options[name] for name in ("separators", "sort_keys") if name in options}
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, **options)


def _size(value: Any) -> int:
    if isinstance(value, int):
        return value.bit_length()
    return len(value) if isinstance(value, str | list | tuple) else 1


class _Environment(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset({"*", "**"})

    def __init__(self, seconds: float) -> None:
        super().__init__(trim_blocks=True, lstrip_blocks=True, optimized=False, extensions=[_Generation, loopcontrols])
        self.seconds = seconds
        self.deadline = 0.0
        self.filters["tojson"] = _to_json
        del self.globals["lipsum"]
        self.globals["namespace"] = _namespace
        self.globals["raise_exception"] = _raise_exception
        self.globals["strftime_now"] = lambda form: datetime.now().strftime(form)

    def tick(self) -> str:
        """Called by the template itself, see `bounded`."""
        if time.monotonic() > self.deadline:
            raise SecurityError(f"it ran for more than {self.seconds:g} seconds")
        return ""

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "**":
            size = _size(left) * abs(right) if isinstance(right, int) else 0
        else:
            whole = isinstance(left, int) and isinstance(right, int)
            count = next((value for value in (left, right) if isinstance(value, int)), 1)
            other = right if count is left else left
            size = _size(left) + _size(right) if whole else _size(other) * max(count, 0)
        if size > MAX_PRODUCT:
            raise SecurityError("a product is too large")
        return super().call_binop(context, operator, left, right)

    def bounded(self, source: str) -> nodes.Template:
        """The parsed template with a call of `tick` in every loop, macro and call block."""
        tree = self.parse(source)
        for part in list(tree.find_all((nodes.For, nodes.Macro, nodes.CallBlock))):
            tick = nodes.Call(nodes.EnvironmentAttribute("tick"), [], [], None, None)
            body: list[nodes.Node] = part.body  # type: ignore[attr-defined]  # all three have one
            body.insert(0, nodes.ExprStmt(tick, lineno=part.lineno))
        return tree


class TemplateSandbox:
    """One compiled template. Raises UserError, with the template's own words, for whatever goes wrong in it."""

    def __init__(self, source: str, seconds: float = SECONDS) -> None:
        with _reported():
            if len(source) > MAX_SOURCE:
                raise SecurityError("it is too long")
            self._environment = _Environment(seconds)
            self._template = self._environment.from_string(self._environment.bounded(source))

    def render(self, variables: Mapping[str, Any]) -> str:
        with _reported():
            return "".join(self._chunks(variables))

    def _chunks(self, variables: Mapping[str, Any]) -> Iterator[str]:
        self._environment.deadline = time.monotonic() + self._environment.seconds
        size = 0
        for chunk in self._template.generate(**variables):
            size += len(chunk)
            if size > MAX_OUTPUT:
                raise SecurityError("it writes too much")
            yield chunk


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except _FAULTS as fault:
        reason = str(fault).strip().rstrip(".")[:300] or type(fault).__name__
        raise UserError(
            f"The model's chat template cannot be used: {reason}.", "Choose another model, or mend its chat template."
        ) from fault
