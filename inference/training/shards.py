"""The target's own replies on disk, in shards: tokens that are kept, and beside them what was seen while writing.

    replies/000012.safetensors   tokens of up to `SHARD` replies one after another, 2 or 4 bytes each, and where each
                                 begins and its prompt ends
    observed/000012.safetensors  for each of those tokens the target's features [depths, hidden] in bfloat16, and the
                                 `TOP` likeliest tokens after it with their probabilities

The first are small; the second take some kilobytes a token, can be made again by reading the first, and may be deleted.
A shard is written whole or not at all, so a run goes on after the last one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inference.errors import UserError
from inference.manager.files import explained, write_atomically
from inference.tasks import TASKS, Task

if TYPE_CHECKING:
    from torch import Tensor

SHARD = 64  # replies
TOP = 8  # likeliest tokens kept of a distribution: enough of its shape, at 32 bytes a token


@dataclass(frozen=True)
class Observed:
    """features bfloat16 [tokens, depths, hidden]; top int32 and share float32 [tokens, TOP]: the likeliest tokens
    after each and their probabilities among themselves, all zero where they were not looked at (in the prompt)."""

    features: "Tensor"
    top: "Tensor"
    share: "Tensor"


@dataclass(frozen=True)
class Reply:
    """index: of its prompt. tokens: prompt and reply, `prompt_length` of them the prompt's."""

    index: int
    task: Task
    tokens: tuple[int, ...]
    prompt_length: int
    observed: Observed | None = None

    @property
    def written(self) -> int:
        return len(self.tokens) - self.prompt_length


class Shards:
    """The shards in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def numbers(self) -> list[int]:
        return sorted(int(path.stem) for path in (self.folder / "replies").glob("[0-9]*.safetensors"))

    def add(self, replies: Sequence[Reply]) -> None:
        """Write one more shard. What was observed goes to disk first, so that no shard is thought to lack it."""
        import torch
        from safetensors.torch import save

        number = max(self.numbers, default=-1) + 1
        tokens = [token for reply in replies for token in reply.tokens]
        kept = {
            "tokens": torch.tensor(tokens, dtype=torch.uint16 if max(tokens) < 1 << 16 else torch.int32),
            "lengths": torch.tensor([len(reply.tokens) for reply in replies], dtype=torch.int32),
            "prompt_lengths": torch.tensor([reply.prompt_length for reply in replies], dtype=torch.int32),
            "indices": torch.tensor([reply.index for reply in replies], dtype=torch.int32),
            "tasks": torch.tensor([TASKS.index(reply.task) for reply in replies], dtype=torch.uint8),
        }
        seen = [reply.observed for reply in replies if reply.observed is not None]
        if len(seen) == len(replies):
            self.add_observed(number, seen)
        self._write("replies", number, save(kept))

    def add_observed(self, number: int, observed: Sequence[Observed]) -> None:
        import torch
        from safetensors.torch import save

        parts = {
            "features": torch.cat([part.features for part in observed]).bfloat16(),
            "top": torch.cat([part.top for part in observed]).to(torch.int32),
            "share": torch.cat([part.share for part in observed]).half(),
        }
        self._write("observed", number, save(parts))

    def _write(self, kind: str, number: int, content: bytes) -> None:
        path = self._path(kind, number)
        with explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)

    def has_observed(self, number: int) -> bool:
        return self._path("observed", number).exists()

    def forget_observed(self) -> None:
        """Give the disk back what can be made again."""
        for path in (self.folder / "observed").glob("*.safetensors"):
            path.unlink()

    def replies(self, number: int, observed: bool = False) -> list[Reply]:
        """observed: with what was seen; FileNotFoundError where that is not on disk. UserError for a damaged file."""
        kept = self._read("replies", number)
        seen = self._read("observed", number) if observed else None
        tokens, start, result = kept["tokens"].tolist(), 0, []
        for at, length in enumerate(kept["lengths"].tolist()):
            part = slice(start, start + length)
            parts = None if seen is None else Observed(seen["features"][part], seen["top"][part], seen["share"][part])
            task, prompt = TASKS[int(kept["tasks"][at])], int(kept["prompt_lengths"][at])
            result.append(Reply(int(kept["indices"][at]), task, tuple(tokens[part]), prompt, parts))
            start += length
        return result

    def all_replies(self) -> Iterator[Reply]:
        for number in self.numbers:
            yield from self.replies(number)

    def _read(self, kind: str, number: int) -> "dict[str, Tensor]":
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        path = self._path(kind, number)
        try:
            tensors: dict[str, Any] = load_file(path)
        except SafetensorError as error:
            raise UserError(
                f"The shard {path.name} is damaged ({error}).", f"Delete {path} and start again."
            ) from error
        return tensors

    def _path(self, kind: str, number: int) -> Path:
        return self.folder / kind / f"{number:06}.safetensors"
