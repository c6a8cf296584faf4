"""Which device is to hold the draft, and what the plan says of who holds what."""

from app.language import sentences, tr
from app.settings import BY_NAME, DraftDevice
from app.views.fields import ChoiceField
from inference.plan.memory_plan import MemoryPlan

CARDS: tuple[DraftDevice, ...] = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")


class DraftDeviceField(ChoiceField):
    """The devices of this machine, by their names."""

    def __init__(self) -> None:
        super().__init__([])
        self.setToolTip(tr(BY_NAME["draft_device"].help))
        self._cards: tuple[str, ...] | None = None
        self._value: DraftDevice = "auto"
        self.edited.connect(self._keep)

    def show_cards(self, cards: tuple[str, ...]) -> None:
        if cards == self._cards:
            return
        self._cards = cards
        self.clear()
        self.addItem(tr("Automatic"), "auto")
        self.addItem(tr("As the model"), "target")
        self.addItem(tr("Processor"), "cpu")
        for number, (device, name) in enumerate(zip(CARDS, cards, strict=False), 1):
            self.addItem(f"{number}: {name}", device)
        self.show_value(self._value)

    def show_value(self, value: object) -> None:
        self._keep(value)
        super().show_value(value)

    def _keep(self, value: object) -> None:
        self._value = BY_NAME["draft_device"].check(value)


def who_holds_what(plan: MemoryPlan) -> str:
    """A sentence or two; "" on a machine where there is only one device."""
    if not plan.machine.cards:
        return ""
    memory = tr("the processor")
    said = [tr("The model is on {device}.").format(device=plan.place_name(plan.target.place, memory))]
    if plan.draft is not None:
        said.append(tr("The draft is on {device}.").format(device=plan.place_name(plan.draft.place, memory)))
        if plan.overlaps:
            said.append(tr("The next draft is written while the model checks the last one."))
    return sentences(*said)
