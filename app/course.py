"""How fast a reply came and how much of its drafts was accepted, over its length: a few hundred points at most."""

from dataclasses import dataclass

MOST = 240  # points kept


@dataclass(frozen=True)
class Moment:
    """After so many tokens of the reply. acceptance: of the drafts just before, None where none were judged."""

    tokens: int
    tokens_per_second: float
    acceptance: float | None = None


def with_moment(course: list[Moment], moment: Moment) -> list[Moment]:
    """The course with one more point, thinned out as it gets long; points lie further apart then."""
    if course and moment.tokens - course[-1].tokens < (course[-1].tokens - course[0].tokens) / MOST:
        return course
    grown = [*course, moment]
    return grown if len(grown) <= MOST else grown[::2]


def packed(course: list[Moment]) -> list[tuple[int, float, float | None]]:
    """For JSON; three digits are more than anybody sees."""
    return [
        (one.tokens, round(one.tokens_per_second, 3), None if one.acceptance is None else round(one.acceptance, 4))
        for one in course
    ]


def unpacked(values: list[list[float | None]]) -> list[Moment]:
    """Raises TypeError or ValueError for anything else than `packed` made."""
    course = []
    for tokens, speed, acceptance in values:
        if tokens is None or speed is None:
            raise ValueError("a point of a reply's course lacks its speed")
        course.append(Moment(int(tokens), float(speed), None if acceptance is None else float(acceptance)))
    return course
