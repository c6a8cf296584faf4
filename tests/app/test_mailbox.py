import threading

from app.mailbox import Mailbox
from tests.patience import WAIT_S


def test_letters_come_in_order_with_one_wake_for_each_batch() -> None:
    wakes: list[None] = []
    box: Mailbox[int] = Mailbox(lambda: wakes.append(None))
    box.post("a", 1)
    box.post("b", 2)
    assert len(wakes) == 1
    assert box.take_all() == [("a", 1), ("b", 2)]
    assert box.take_all() == []
    box.post("a", 3)
    assert len(wakes) == 2


def test_nothing_is_lost_and_no_wake_is_missed_between_threads() -> None:
    woken = threading.Event()
    box: Mailbox[int] = Mailbox(woken.set)
    count = 20_000

    def post() -> None:
        for number in range(count):
            box.post("run", number)

    thread = threading.Thread(target=post)
    thread.start()
    taken: list[int] = []
    while len(taken) < count:  # a missed wake would wait here for ever
        assert woken.wait(WAIT_S)
        woken.clear()
        taken += [number for _, number in box.take_all()]
    thread.join()
    assert taken == list(range(count))
