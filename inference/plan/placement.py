"""Which device a draft is held by. Pure: what there is and what the draft needs go in, a device comes out."""

from collections.abc import Sequence

PROCESSOR = "cpu"


def card_name(index: int) -> str:
    """As settings name it."""
    return f"cuda:{index}"


def card_index(device: str, cards: int) -> int | None:
    """Which of so many cards a device's name means; None for the processor, and where there is no such card."""
    if device == "auto":
        return 0 if cards else None
    kind, _, number = device.partition(":")
    index = int(number) if number.isdigit() else 0
    return index if kind == "cuda" and index < cards else None


def place_draft(wish: str, target: int | None, room: Sequence[int], needed: int) -> int | None:
    """The card that holds a draft; None: the processor does.

    wish: auto, target (where the target is), cpu, cuda:1. target: the target's card. room: bytes that each card has for
    drafts. needed: by this draft, on a card.

    Automatic is the roomiest card beside the target's, where drafting takes nothing from the target and goes on while
    it verifies; else the target's own card; else, where no card has room, the processor.
    """
    if wish == "target":
        return target
    if wish != "auto":
        return card_index(wish, len(room))
    fitting = [card for card, free in enumerate(room) if free >= needed]
    beside = [card for card in fitting if card != target]
    if beside:
        return max(beside, key=room.__getitem__)
    return target if target in fitting else None
