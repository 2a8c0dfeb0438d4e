"""Tells of the studio's own libraries while they are built: that takes most of a minute, once for a workspace."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from opstudio.base.units import render_seconds
from opstudio.build.records import BuildResult
from opstudio.jobs.cancel import CancelToken

_LOOK_SECONDS = 0.05


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


@dataclass(slots=True)
class _Running:
    thread: threading.Thread
    done: threading.Event = field(default_factory=threading.Event)
    result: BuildResult | None = None
    error: BaseException | None = None


class SharedBuilds:
    """Builds of the studio's own libraries, each once at a time, for all who wait for it.

    They go on when the verb that began them is cancelled: whoever saves while they are built would else begin them anew
    with every save.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[str, _Running] = {}
        self._closing = CancelToken()

    def run(self, key: str, build: Callable[[CancelToken], BuildResult], cancel: CancelToken) -> BuildResult:
        """Build something, or wait for who builds it already.

        Raises:
            CancelledError: ``cancel`` was set; the build goes on, unless :meth:`close` ends it.
            StudioError: what the build raises.
        """
        with self._lock:
            running = self._running.get(key)
            if running is None:
                running = self._begin(key, build)
        while not running.done.wait(_LOOK_SECONDS):
            cancel.check()
        if running.error is not None:
            raise running.error
        assert running.result is not None
        return running.result

    def close(self) -> None:
        """End what is still built, and wait for it."""
        self._closing.cancel("the studio is closing")
        with self._lock:
            threads = [running.thread for running in self._running.values()]
        for thread in threads:
            thread.join()

    def _begin(self, key: str, build: Callable[[CancelToken], BuildResult]) -> _Running:
        def work() -> None:
            try:
                running.result = build(self._closing)
            except BaseException as error:  # noqa: BLE001 - raised for those who wait
                running.error = error
            finally:
                with self._lock:
                    del self._running[key]
                running.done.set()

        running = _Running(threading.Thread(target=work, name=f"opstudio-build-{key}", daemon=True))
        self._running[key] = running
        running.thread.start()
        return running
