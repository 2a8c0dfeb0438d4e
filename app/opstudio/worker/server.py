"""The worker process: imports the frameworks once and forks a child for every request.

With ``--spare`` it runs one request in its own process instead, for what cannot be forked: CUDA, other systems.
It works on one thread and never computes on several: a child of a process that did hangs at its first parallel loop.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import socket
import sys
import sysconfig
import threading
from pathlib import Path
from typing import Any

from opstudio.worker.child import end_with_parent, run_request
from opstudio.worker.protocol import PROTOCOL_VERSION, Channel

_IDLE_SECONDS = 0.05
"""How long a warm parent waits for a request before it does the next piece of warming up."""


def main(arguments: list[str]) -> None:
    """Serve requests on the socket whose descriptor is the first argument, until it is closed."""
    channel = Channel(socket.socket(fileno=int(arguments[0])))
    spare = "--spare" in arguments[1:]
    # Ctrl-C in a terminal reaches the whole group; the studio decides what it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    versions = _import_frameworks()
    channel.send({"ready": {"protocol": PROTOCOL_VERSION, "pid": os.getpid(), **versions}})
    if spare:
        _serve_once(channel)
    else:
        _Server(channel).serve()


def _import_frameworks() -> dict[str, str]:
    """Import what is there and return the versions; a missing framework is the studio's to explain."""
    versions = {"python": sys.version.split()[0]}
    for name in ("numpy", "torch", "onnx", "onnxruntime"):
        with contextlib.suppress(ImportError):
            module = importlib.import_module(name)
            versions[name] = str(module.__version__)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)
        versions["torch_root"] = str(Path(str(torch.__file__)).parent)
        versions["torch_cxx11_abi"] = str(int(torch._C._GLIBCXX_USE_CXX11_ABI))  # noqa: SLF001 - its public place
        versions["torch_cuda"] = torch.version.cuda or ""
        versions["python_include"] = sysconfig.get_path("include")
    if onnxruntime := sys.modules.get("onnxruntime"):
        onnxruntime.set_default_logger_severity(3)
    return versions


def _serve_once(channel: Channel) -> None:
    received = channel.receive()
    if received is None:
        return
    request, descriptors = received
    channel.send({"started": request["run"], "pid": os.getpid()})
    threading.Thread(target=_end_with_studio, args=(channel,), daemon=True).start()
    run_request(request, descriptors)


def _end_with_studio(channel: Channel) -> None:
    """End this process when the studio is gone, however busy it is."""
    channel.receive()
    os._exit(0)


class _Server:
    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._children: dict[int, str] = {}
        self._warming: list[str] = []
        # A child's end wakes the loop through this pipe.
        self._wake, wake_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        while True:
            timeout = _IDLE_SECONDS if self._warming and not self._children else None
            connection = self._channel.connection.fileno()
            ready = [connection]
            if not self._channel.has_message:
                ready = select.select([connection, self._wake], [], [], timeout)[0]
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake, 4096)
            self._reap()
            if connection in ready:
                received = self._channel.receive()
                if received is None:
                    return
                self._handle(*received)
            elif not ready and self._warming:
                self._warm_up(self._warming.pop(0))

    def _handle(self, message: dict[str, Any], descriptors: list[int]) -> None:
        if "warm" in message:
            self._warming += message["warm"]
            return
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._channel.close()
            end_with_parent()
            run_request(message, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        self._children[pid] = message["run"]
        self._channel.send({"started": message["run"], "pid": pid})

    def _reap(self) -> None:
        for pid in list(self._children):
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if ended == 0:
                continue
            self._channel.send(
                {
                    "ended": self._children.pop(pid),
                    "status": status,
                    "peak_bytes": usage.ru_maxrss * 1024,
                    "cpu_seconds": usage.ru_utime + usage.ru_stime,
                }
            )

    def _warm_up(self, entry: str) -> None:
        module, _, name = entry.partition(":")
        # Warming up makes later children quicker and nothing else: its failure must not end the parent.
        with (
            contextlib.suppress(Exception),
            Path(os.devnull).open("w", encoding="utf-8") as null,
            contextlib.redirect_stdout(null),
            contextlib.redirect_stderr(null),
        ):
            getattr(importlib.import_module(module), name)()
        with contextlib.suppress(OSError):
            self._channel.send({"warmed": entry})
