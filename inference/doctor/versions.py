"""Compares versions with what is asked for, without any package that might itself be damaged."""

import re

_CLAUSE = re.compile(r"(>=|<=|==|!=|<|>|~=)\s*([\w.+!*-]+)")


def numbers(version: str) -> tuple[int, ...]:
    """2.13.0+cpu -> (2, 13, 0); what comes after the numbers does not count."""
    match = re.match(r"\d+(\.\d+)*", version.strip())
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def satisfies(version: str, requirement: str) -> bool:
    """Whether e.g. 5.24.1 is within "transformers>=5.24,<6". A clause that is not known is taken as kept."""
    have = numbers(version)
    for operator, wanted in _CLAUSE.findall(requirement.partition(";")[0]):
        bound = numbers(wanted)
        width = max(len(have), len(bound))
        a, b = (have + (0,) * (width - len(have))), (bound + (0,) * (width - len(bound)))
        kept = {">=": a >= b, "<=": a <= b, "==": a == b, "!=": a != b, "<": a < b, ">": a > b}
        if operator in kept and not kept[operator]:
            return False
    return True


def concerns(requirement: str, platform: str) -> bool:
    """Whether a requirement's marker (as Foreword writes them: sys_platform) holds here."""
    match = re.search(r"sys_platform\s*(==|!=)\s*['\"](\w+)['\"]", requirement.partition(";")[2])
    return match is None or (match[2] == platform) == (match[1] == "==")
