"""Waits for Qt's signals in a coroutine."""

import asyncio

from PySide6.QtCore import SignalInstance


async def first_of(*signals: SignalInstance) -> object:
    """What the first of these signals says next; None if it says nothing."""
    heard: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    def hear(*values: object) -> None:
        if not heard.done():
            heard.set_result(values[0] if values else None)

    for signal in signals:
        signal.connect(hear)
    try:
        return await heard
    finally:
        for signal in signals:
            signal.disconnect(hear)
