"""Tells of the studio's own libraries while they are built: that takes most of a minute, once for a workspace."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from opstudio.base.units import render_seconds
from opstudio.build.records import BuildResult
from opstudio.jobs.cancel import CancelToken

BUILDING_HOSTS = "building the hosts of PyTorch and ONNX Runtime, once for all workspaces"
WAITING_FOR_HOSTS = "waiting for the hosts of PyTorch and ONNX Runtime, which are being built"
"""What is told of a build that an earlier check began, and that goes on although that check was cancelled."""
_LOOK_SECONDS = 0.05


class SupportBuilds:
    """Hears of the builds of the hosts, the kernel header and the fault recorder that one verb needs.

    ``seconds`` is what they took; nothing where all were there.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told = ""
        self.seconds = 0.0

    @contextmanager
    def building(self) -> Iterator[SupportBuild]:
        """Give what hears of the build of one library, if it is not there."""
        build = SupportBuild(self._say)
        try:
            yield build
        finally:
            self.seconds += build.seconds

    def summarize(self) -> None:
        """Tell how long it took, if there was anything to build."""
        if self.seconds:
            self._tell(f"built the hosts in {render_seconds(self.seconds)}; later checks find them")

    def _say(self, text: str) -> None:
        """Say it once for all libraries in a row."""
        if text != self._told:
            self._told = text
            self._tell(text)


class SupportBuild:
    """One library: that its build begins, or that somebody else's is waited for."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._start: float | None = None

    @property
    def seconds(self) -> float:
        """How long it takes up to now; nothing where the library is there."""
        return 0.0 if self._start is None else time.monotonic() - self._start

    def begin(self) -> None:
        """The library is not there; its build begins."""
        if self._start is None:
            self._start = time.monotonic()
            self._say(BUILDING_HOSTS)

    def wait(self) -> None:
        """The library is being built for somebody else."""
        self._start = time.monotonic()
        self._say(WAITING_FOR_HOSTS)


@dataclass(slots=True)
class _Running:
    thread: threading.Thread
    done: threading.Event = field(default_factory=threading.Event)
    output: deque[str] = field(default_factory=deque)
    """What its tools printed and nobody has been told yet."""
    result: BuildResult | None = None
    error: BaseException | None = None

    def hand_on(self, write: Callable[[str], None]) -> None:
        """Tell what was printed: each piece once, to whoever of those that wait looks first."""
        with contextlib.suppress(IndexError):
            while True:
                write(self.output.popleft())


_Build: TypeAlias = Callable[[CancelToken, Callable[[str], None]], BuildResult]
"""What builds something: it can be cancelled, and is given what takes the output of its tools."""


class SharedBuilds:
    """Builds of the studio's own libraries, each once at a time, for all who wait for it.

    They go on when the verb that began them is cancelled: whoever saves while they are built would else begin them anew
    with every save.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[str, _Running] = {}
        self._closing = CancelToken()

    def run(
        self,
        key: str,
        build: _Build,
        cancel: CancelToken,
        *,
        on_output: Callable[[str], None],
        on_wait: Callable[[], None],
    ) -> BuildResult:
        """Build something, or wait for who builds it already, of which ``on_wait`` hears.

        Raises:
            CancelledError: ``cancel`` was set; the build goes on, unless :meth:`close` ends it.
            StudioError: what the build raises.
        """
        with self._lock:
            known = self._running.get(key)
            running = known or self._begin(key, build)
        if known is not None:
            on_wait()
        while not running.done.wait(_LOOK_SECONDS):
            running.hand_on(on_output)
            cancel.check()
        running.hand_on(on_output)
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

    def _begin(self, key: str, build: _Build) -> _Running:
        def work() -> None:
            try:
                running.result = build(self._closing, running.output.append)
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
