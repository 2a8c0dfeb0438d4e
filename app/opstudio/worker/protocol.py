"""What studio and worker say to each other: one JSON object a line, over a socket that also carries descriptors.

studio → worker   ``{"run": ID, "entry": "MODULE:FUNCTION", "payload": …, "options": …}`` with the descriptors of the
                  child's events, its output and its fault page · ``{"warm": [ENTRY…]}`` · closing the socket ends it
worker → studio   ``{"ready": {"protocol": 1, …versions}}`` · ``{"started": ID, "pid": N}``
                  · ``{"ended": ID, "status": N, "peak_bytes": N, "cpu_seconds": X}``
child → studio    on its own pipe: ``{"event": NAME, …}``; the last one is ``finished`` or ``failed``
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping, Sequence
from typing import Any

PROTOCOL_VERSION = 1
FRAMEWORKS = ("numpy", "torch", "onnx", "onnxruntime")
"""What a worker imports before it is ready."""
FRAMEWORKS_OPTION = "--frameworks="
"""The argument that names them, with commas between."""

_COUNT = "descriptors"
_LARGEST_MESSAGE = 64 * 1024 * 1024
_DESCRIPTORS = 3
"""A request carries this many: events, output, fault page."""


class ProtocolError(RuntimeError):
    """The other side sent something that is not a message of this protocol."""


class Channel:
    """One end of the socket between studio and worker."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._received = bytearray()
        self._descriptors: list[int] = []

    def send(self, message: Mapping[str, Any], descriptors: Sequence[int] = ()) -> None:
        """Send a message; descriptors travel with its first byte, and it says how many are its own.

        Raises:
            OSError: the other side is gone.
        """
        counted = {**message, _COUNT: len(descriptors)} if descriptors else message
        data = json.dumps(counted, separators=(",", ":")).encode("utf-8") + b"\n"
        sent = socket.send_fds(self.connection, [data], list(descriptors)) if descriptors else 0
        self.connection.sendall(data[sent:])

    def receive(self) -> tuple[dict[str, Any], list[int]] | None:
        """Wait for a message and its descriptors; ``None`` when the other side is gone.

        Raises:
            ProtocolError: it is not a message.
        """
        while b"\n" not in self._received:
            try:
                data, descriptors, _flags, _address = socket.recv_fds(self.connection, 65536, _DESCRIPTORS)
            except ConnectionError:
                return None
            self._descriptors += descriptors
            if not data:
                return None
            self._received += data
            if len(self._received) > _LARGEST_MESSAGE:
                message = "a message without end"
                raise ProtocolError(message)
        line, _, rest = bytes(self._received).partition(b"\n")
        self._received = bytearray(rest)
        message_read = decode_line(line)
        # The system hands over what travelled with a message together with the messages before it.
        count = int(message_read.pop(_COUNT, 0))
        descriptors, self._descriptors = self._descriptors[:count], self._descriptors[count:]
        return message_read, descriptors

    @property
    def has_message(self) -> bool:
        """Whether a whole message was received already."""
        return b"\n" in self._received

    def close(self) -> None:
        """Close this end."""
        self.connection.close()


def decode_line(line: bytes) -> dict[str, Any]:
    """Decode one message.

    Raises:
        ProtocolError: it is not a JSON object.
    """
    try:
        message = json.loads(line)
    except ValueError as error:
        text = f"not a message: {line[:200]!r}"
        raise ProtocolError(text) from error
    if not isinstance(message, dict):
        text = f"not a message: {line[:200]!r}"
        raise ProtocolError(text)
    return message
