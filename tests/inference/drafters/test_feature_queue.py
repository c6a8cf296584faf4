import random

import pytest
import torch

from inference.drafters.feature_queue import FeatureQueue


def block(position: int, rows: int, mark: float) -> torch.Tensor:
    return torch.tensor([[[at, mark]] for at in range(position, position + rows)])


@pytest.mark.parametrize("seed", range(10))
def test_what_waits_is_what_came_last_for_each_position(seed: int) -> None:
    chance = random.Random(seed)
    queue, waiting, first = FeatureQueue(7), list[list[float]](), 7
    for step in range(200):
        match chance.randrange(5):
            case 0 | 1:
                position, rows = chance.randint(first, first + len(waiting)), chance.randint(1, 6)
                queue.append(position, block(position, rows, step))
                waiting[position - first :] = [[at, step] for at in range(position, position + rows)]
            case 2:
                end = chance.randint(first - 2, first + len(waiting) + 2)
                queue.cut(end)
                del waiting[max(0, end - first) :]
            case 3 if waiting:
                count = chance.randint(1, len(waiting))
                assert queue.take(count)[:, 0].tolist() == waiting[:count]
                del waiting[:count]
                first += count
            case 4 if waiting:
                count = chance.randint(1, len(waiting))
                queue.skip(count)
                del waiting[:count]
                first += count
        assert (queue.first, queue.end, len(queue)) == (first, first + len(waiting), len(waiting))
    twin = queue.copy(first + 3)
    assert len(twin) == min(3, len(waiting)) and len(queue) == len(waiting), "each for itself"


def test_the_last_row_of_a_long_block_does_not_keep_it_in_memory() -> None:
    queue = FeatureQueue()
    queue.append(0, block(0, 500, 0.0))
    queue.take(499)
    assert queue._blocks[0][1].untyped_storage().nbytes() < 100
    assert queue.take(1).tolist() == [[[499, 0]]]
