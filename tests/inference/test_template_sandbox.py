import pytest

from inference import template_sandbox
from inference.errors import UserError
from inference.template_sandbox import TemplateSandbox

MESSAGES = [{"role": "user", "content": "hi"}]


def render(source: str, **variables: object) -> str:
    return TemplateSandbox(source, seconds=0.3).render({"messages": MESSAGES, **variables})


ENDLESS = "{% set r = range(99999) %}{% for a in r %}{% for b in r %}{% endfor %}{% endfor %}"
HOSTILE = {
    "python's internals": "{{ messages.__class__.__mro__[1].__subclasses__() }}",
    "internals by filter": "{{ (messages | attr('__class__')).mro() }}",
    "internals by format": "{{ '{0.__class__.__mro__}'.format(messages) }}",
    "globals of a function": "{{ raise_exception.__globals__['os'] }}",
    "globals of a macro": "{% macro m() %}{% endmacro %}{{ m.__init__.__globals__['x'] }}",
    "self": "{{ self._TemplateReference__context.environment.loader.x }}",
    "changing messages": "{{ messages.append(1) }}",
    "namespace with dunder": "{{ namespace(__html__=1) }}",
    "namespace set dunder": "{% set ns = namespace() %}{% set ns.__call__ = 1 %}",
    "reading a file": "{% include '/etc/passwd' %}",
    "importing": "{% import 'os' as os %}",
    "its own complaint": "{{ raise_exception('no such role') }}",
    "long range": "{% for i in range(10**5 + 1) %}{% endfor %}",
    "nested loops": ENDLESS,
    "nested loops that write": ENDLESS.replace("{% endfor %}{% endfor %}", "x{% endfor %}{% endfor %}"),
    "recursion": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "doubling recursion": "{% macro m(n) %}{% if n %}{{ m(n-1) }}{{ m(n-1) }}{% endif %}{% endmacro %}{{ m(60) }}",
    "recursive loop": "{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "long text": "{{ 'x' * 10**9 }}",
    "long list": "{{ ([1] * 10**9) | length }}",
    "negative first": "{{ 10**9 * 'x' }}",
    "huge power": "{{ 9**(9**9) }}",
    "huge product": "{% set s = namespace(n=9**9999) %}{% for i in range(30) %}{% set s.n = s.n * s.n %}{% endfor %}",
    "no template": "{% if %}",
    "unknown tag": "{% nonsense %}",
    "unknown filter": "{{ 1 | nonsense }}",
    "division by zero": "{{ 1 / 0 }}",
    "wrong types": "{{ 1 + 'a' }}",
    "undefined attribute": "{{ nothing.at.all }}",
    "nested too deep for python": "{% if 1 %}" * 200 + "{% endif %}" * 200,
    "loops nested too deep": "{% for a in [1] %}" * 40 + "{% endfor %}" * 40,
    "brackets": "{{ " + "(" * 5000 + ")" * 5000 + " }}",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_templates_end_as_a_complaint(source: str) -> None:
    with pytest.raises(UserError, match="chat template cannot be used"):
        render(source)
    assert MESSAGES == [{"role": "user", "content": "hi"}]


def test_the_templates_own_words_are_told() -> None:
    with pytest.raises(UserError, match=r"cannot be used: Roles must alternate\.") as caught:
        render("{{ raise_exception('Roles must alternate.') }}")
    assert caught.value.remedy


def test_too_long_source() -> None:
    with pytest.raises(UserError, match="too long"):
        render("x" * (template_sandbox.MAX_SOURCE + 1))


def test_too_much_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_sandbox, "MAX_OUTPUT", 100)
    assert len(render("{% for i in range(100) %}x{% endfor %}")) == 100
    with pytest.raises(UserError, match="too much"):
        render("{% for i in range(101) %}x{% endfor %}")


def test_the_clock_starts_anew_with_every_rendering() -> None:
    template = TemplateSandbox("{% if again %}fine{% else %}" + ENDLESS + "{% endif %}", seconds=0.1)
    with pytest.raises(UserError, match=r"more than 0\.1 seconds"):
        template.render({"again": False})
    assert template.render({"again": True}) == "fine"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{% for m in messages %}\n  {% if true %}\n{{ m.role }}\n  {% endif %}\n{% endfor %}", "user\n"),
        ("{% for i in [1, 2, 3] %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}", "13"),
        ("{% for i in [1, 2, 3] %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "1"),
        ("{% for i in [] %}{{ i }}{% else %}none{% endfor %}", "none"),
        ("{% for i in [1, 2] if i > 1 %}{{ loop.index }}{{ loop.last }}{% endfor %}", "1True"),
        ("{% generation %}a{{ messages[0].content }}{% endgeneration %}b", "ahib"),
        (
            "{% set s = namespace(any=false) %}{% for m in messages %}{% set s.any = true %}{% endfor %}{{ s.any }}",
            "True",
        ),
        ("{{ {'é': [1, '<']} | tojson }}", '{"é": [1, "<"]}'),
        ("{{ {'b': 1, 'a': 2} | tojson(sort_keys=true, indent=1) }}", '{\n "a": 2,\n "b": 1\n}'),
        (
            "{% macro m(x) %}<{{ x }}{{ caller() if caller }}>{% endmacro %}{{ m(1) }}{% call m(2) %}!{% endcall %}",
            "<1><2!>",
        ),
        ("{{ strftime_now('%%') }}", "%"),
        ("{{ '-' * 5 }}{{ 3 * '=' }}{{ 2 ** 10 }}{{ 6 * 7 }}{{ 2 ** 0.5 > 1 }}{{ 1.5 * 2 }}", "-----===102442True3.0"),
        ("{{ tools }}{{ missing }}{% if not missing is defined %}x{% endif %}", "x"),
    ],
)
def test_what_templates_use_works(source: str, text: str) -> None:
    assert render(source) == text


def test_the_bounds_cannot_be_switched_off_by_the_template() -> None:
    with pytest.raises(UserError, match="more than"):
        render("{% set tick = 1 %}{% set environment = none %}" + ENDLESS)
