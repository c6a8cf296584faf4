"""A model that is larger than the memory of its device: how many layers stay, and what fetching the others costs.

The others lie in the computer's memory (for a card), or on the disk, and are fetched anew in every pass: the transfer
decides the speed. The bandwidths are estimates, not measured on any machine with a card.
"""

from dataclasses import dataclass

CARD_BYTES_S = 10e9  # from pageable memory over PCIe 4.0
DISK_BYTES_S = 1.5e9  # from an SSD, through the file system


@dataclass(frozen=True)
class Offload:
    """Of `layers` layers `kept` stay on the device. ram, disk: bytes of the others where they lie."""

    layers: int
    kept: int
    ram: int = 0
    disk: int = 0

    @property
    def share(self) -> float:
        """Of the layers, what is away."""
        return 1.0 - self.kept / self.layers

    @property
    def pass_s(self) -> float:
        """What a pass takes longer for it, at least."""
        return self.ram / CARD_BYTES_S + self.disk / DISK_BYTES_S

    @property
    def sentence(self) -> str:
        layers, share, seconds = self.layers, f"{self.share:.0%}", f"{self.pass_s:.1f}"
        away = layers - self.kept
        if self.ram and self.disk:
            return (
                f"Kept in the computer's memory and on the disk: {away} of {layers} layers ({share}); every pass "
                f"takes about {seconds} s longer (an estimate)."
            )
        if self.ram:
            return (
                f"Kept in the computer's memory: {away} of {layers} layers ({share}); every pass takes about "
                f"{seconds} s longer (an estimate)."
            )
        return (
            f"Kept on the disk: {away} of {layers} layers ({share}); every pass takes about {seconds} s longer "
            "(an estimate)."
        )


def spread(layers: int, layer_bytes: int, fixed: int, room: int, ram: int = 0) -> Offload | None:
    """room: bytes of the device for weights, of which `fixed` always lie there, and one layer more passes through.

    ram: bytes of the computer's memory for the layers that are away; what has no room there stays on the disk.
    None where not even the fixed part has room, and where all has: it is not the weights then that do not fit.
    """
    kept = (room - fixed) // max(layer_bytes, 1) - 1
    if not 0 <= kept < layers:
        return None
    away = layers - kept
    in_ram = min(away, max(ram, 0) // max(layer_bytes, 1))
    return Offload(layers, kept, in_ram * layer_bytes, (away - in_ram) * layer_bytes)
