"""Tells of the studio's own libraries while they are built: that takes most of a minute, once for a workspace."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from opstudio.base.units import render_seconds


class SupportBuilds:
    """Hears of the builds of the hosts, the kernel header and the fault recorder that one verb needs.

    ``seconds`` is what they took; nothing where all were there.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self.seconds = 0.0

    @contextmanager
    def building(self) -> Iterator[Callable[[], None]]:
        """Give what is to be called when a library is not there and its build begins."""
        began: list[float] = []
        try:
            yield lambda: began.append(self._begin())
        finally:
            self.seconds += sum(time.monotonic() - start for start in began)

    def summarize(self) -> None:
        """Tell how long it took, if there was anything to build."""
        if self.seconds:
            self._tell(f"built the hosts in {render_seconds(self.seconds)}; later checks of this workspace find them")

    def _begin(self) -> float:
        if not self.seconds:
            self._tell("building the hosts of PyTorch and ONNX Runtime, once for this workspace")
        return time.monotonic()
