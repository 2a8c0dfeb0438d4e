"""Messages between studio and worker, and the descriptors that travel with them."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest

from opstudio.worker.protocol import Channel


@pytest.fixture
def ends() -> Iterator[tuple[Channel, Channel]]:
    ours, theirs = socket.socketpair()
    yield Channel(ours), Channel(theirs)
    ours.close()
    theirs.close()


def test_that_descriptors_stay_with_their_message_where_several_wait(ends: tuple[Channel, Channel]) -> None:
    """The system hands over waiting messages in one piece, and their descriptors with the first of them."""
    sender, receiver = ends
    reading, writing = os.pipe()
    sender.send({"warm": ["imports"]})
    sender.send({"run": "1"}, [writing])
    sender.send({"bye": True})
    os.close(writing)
    assert receiver.receive() == ({"warm": ["imports"]}, [])
    received = receiver.receive()
    assert received is not None
    message, descriptors = received
    assert message == {"run": "1"}
    assert receiver.receive() == ({"bye": True}, [])
    (descriptor,) = descriptors
    os.write(descriptor, b"hello")
    os.close(descriptor)
    assert os.read(reading, 16) == b"hello"
    os.close(reading)
