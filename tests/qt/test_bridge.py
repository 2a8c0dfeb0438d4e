from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QThread
from pytestqt.qtbot import QtBot

from opstudio.qt.bridge import MOST_AT_ONCE, EventBridge, WindowEvent
from tests.qt.events import output


class Receiver(QObject):
    """Keeps the batches, and the thread in which each came."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[WindowEvent]] = []
        self.threads: set[QThread] = set()

    def take(self, events: list[WindowEvent]) -> None:
        self.batches.append(events)
        self.threads.add(QThread.currentThread())

    @property
    def texts(self) -> list[str]:
        return [event.text for batch in self.batches for event in batch]  # type: ignore[union-attr]


@pytest.fixture
def bridge() -> Iterator[EventBridge]:
    bridge = EventBridge()
    yield bridge
    bridge.stop()


def test_that_events_of_several_threads_arrive_in_the_window_s_thread_each_in_its_order(
    bridge: EventBridge, qtbot: QtBot
) -> None:
    receiver = Receiver()
    bridge.events_received.connect(receiver.take)
    bridge.start()

    def post(name: str) -> None:
        for number in range(500):
            bridge.post(output(f"{name}{number}"))

    threads = [threading.Thread(target=post, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    qtbot.waitUntil(lambda: len(receiver.texts) == 1000)
    assert [text for text in receiver.texts if text[0] == "a"] == [f"a{number}" for number in range(500)]
    assert [text for text in receiver.texts if text[0] == "b"] == [f"b{number}" for number in range(500)]
    assert receiver.threads == {receiver.thread()}


def test_that_a_flood_is_cut_into_batches(bridge: EventBridge) -> None:
    receiver = Receiver()
    bridge.events_received.connect(receiver.take)
    for number in range(MOST_AT_ONCE + 5):
        bridge.post(output(str(number)))
    bridge.drain()
    bridge.drain()
    bridge.drain()
    assert [len(batch) for batch in receiver.batches] == [MOST_AT_ONCE, 5]


def test_that_nothing_arrives_after_the_bridge_was_stopped(bridge: EventBridge, qtbot: QtBot) -> None:
    receiver = Receiver()
    bridge.events_received.connect(receiver.take)
    bridge.start()
    bridge.post(output("late"))
    bridge.stop()
    qtbot.wait(80)
    assert receiver.batches == []
