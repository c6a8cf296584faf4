"""The order of things: a warm-up that is dropped, then pass after pass with the arms in turn, A B C A B C."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inference.bench.arm import Arm
from inference.bench.peer import Peer
from inference.bench.protocol import Case
from inference.bench.sample import Sample
from inference.memory import release_memory


@dataclass(frozen=True)
class Plan:
    """What is measured. runs: passes over all cases."""

    arms: Sequence[Arm]
    peers: Sequence[Peer]
    cases: Sequence[Case]
    runs: int

    @property
    def samples(self) -> int:
        """How many `measure` will yield."""
        groups = {case.group for case in self.cases}
        return self.runs * (len(self.cases) * len(self.arms) + len(groups) * len(self.peers))

    def warm_up(self) -> Iterator[None]:
        """Every arm replies to the first case of every group: buffers are made, files read, costs learned.

        Memory that earlier replies left with the allocator is given back before each, so that an arm's growth shows.
        """
        for case in {case.group: case for case in reversed(self.cases)}.values():
            for arm in self.arms:
                release_memory()
                arm.run(case, seed=0)
                yield

    def measure(self) -> Iterator[Sample]:
        """All samples. Whatever slows the machine down for a while slows all arms of that moment down alike.

        A peer starts afresh in every pass, after the arms, with all its prompts at once; it warms itself up.
        """
        for number in range(self.runs):
            for index, case in enumerate(self.cases):
                for arm in self.arms:
                    yield Sample(arm.name, case.group, index, number, arm.run(case, seed=number + 1))
            for peer in self.peers:
                for group, run in peer.run(self.cases).items():
                    yield Sample(peer.name, group, None, number, run)
