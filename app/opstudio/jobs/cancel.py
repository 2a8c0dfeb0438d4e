"""Cancellation: a flag that work looks at between its steps."""

from __future__ import annotations

import threading

from opstudio.base.errors import CancelledError


class CancelToken:
    """Set once, from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.RLock()  # a signal may cancel while its thread is doing so
        self._reason = "cancelled"

    def cancel(self, reason: str = "cancelled") -> None:
        """Ask the work to end; of several reasons the first one stays."""
        with self._lock:
            if not self._event.is_set():
                self._reason = reason
            self._event.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether the work was asked to end."""
        return self._event.is_set()

    @property
    def reason(self) -> str:
        """Why it was asked to end."""
        return self._reason

    def check(self) -> None:
        """Raise if the work was asked to end.

        Raises:
            CancelledError: it was.
        """
        if self._event.is_set():
            raise CancelledError(self._reason)

    def wait(self, seconds: float) -> bool:
        """Sleep until the time is over or the work is asked to end; return whether it was asked."""
        return self._event.wait(seconds)
