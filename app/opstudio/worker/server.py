"""The worker process: imports the frameworks once and forks a child for every request.

With ``--spare`` it runs one request in its own process instead, for what cannot be forked: CUDA, other systems.
It works on one thread and never computes on several: a child of a process that did hangs at its first parallel loop.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import select
import shutil
import signal
import socket
import sys
import sysconfig
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from opstudio.worker.child import end_with_parent, run_request
from opstudio.worker.descendants import adopt_orphans, children_of, command_of, end_orphans, thread_count
from opstudio.worker.protocol import FRAMEWORKS_OPTION, PROTOCOL_VERSION, Channel

_MOST_TASKS = 4096
"""Processes and threads that workers may add to those of the user."""
_MOST_LEFT = 8
"""Commands that are told of processes that a request left behind."""
_IDLE_SECONDS = 0.05
"""How long a warm parent waits for a request before it does the next piece of warming up."""


def main(arguments: list[str]) -> None:
    """Serve requests on the socket whose descriptor is the first argument, until it is closed.

    The second argument is a folder for temporary files, which is removed in the end. The third names the frameworks.
    """
    channel = Channel(socket.socket(fileno=int(arguments[0])))
    temporary, spare = Path(arguments[1]), "--spare" in arguments[3:]
    # The studio may be gone before this process listens for it. Later it could be the end of one of its threads only.
    end_with_parent()
    # Ctrl-C in a terminal reaches the whole group; the studio decides what it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_processes()
    versions = _import_frameworks(arguments[2].removeprefix(FRAMEWORKS_OPTION).split(","))
    end_with_parent(really=False)
    channel.send({"ready": {"protocol": PROTOCOL_VERSION, "pid": os.getpid(), **versions}})
    if spare:
        _serve_once(channel)
    else:
        _Server(channel, temporary).serve()


def limit_processes() -> None:
    """Bound how many processes the user may have, so that a kernel which forks without end leaves room for others."""
    if os.geteuid() == 0:
        return  # the limit does not hold for root
    own = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            own += thread_count(int(folder.name)) if folder.stat().st_uid == os.geteuid() else 0
    limit, highest = resource.getrlimit(resource.RLIMIT_NPROC)
    wanted = own + _MOST_TASKS
    if limit == resource.RLIM_INFINITY or wanted < limit:
        resource.setrlimit(resource.RLIMIT_NPROC, (wanted, highest))


def _import_frameworks(names: Iterable[str]) -> dict[str, str]:
    """Import what is there and return the versions; a missing framework is the studio's to explain."""
    versions = {"python": sys.version.split()[0]}
    for name in names:
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
    versions["files"] = "\n".join(_files_behind(versions))
    return versions


def _files_behind(names: Iterable[str]) -> list[str]:
    """Return what decides the versions: a release that is installed or removed changes one of these."""
    files = [sys.executable, *sys.path]
    for folder in map(Path, sys.path):
        files += [str(path) for path in (*folder.glob("*.pth"), *folder.glob("*.egg-link"))]
    for name in names:
        if (file := getattr(sys.modules.get(name), "__file__", None)) is not None:
            files += [file, str(Path(file).with_name("version.py"))]
    return [file for file in dict.fromkeys(files) if file and "\n" not in file]


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
    def __init__(self, channel: Channel, temporary: Path) -> None:
        self._channel = channel
        self._temporary = temporary
        self._children: dict[int, str] = {}
        self._warming: list[str] = []
        self._command = command_of(os.getpid())
        self._helpers = set(children_of(os.getpid()))
        adopt_orphans()
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
                    self._end()
                    return
                self._handle(*received)
            elif not ready and self._warming:
                self._warm_up(self._warming.pop(0))

    def _handle(self, message: dict[str, Any], descriptors: list[int]) -> None:
        if "warm" in message:
            self._warming += message["warm"]
            return
        message["temporary"] = self._folder_of(message["run"])
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
            name = self._children.pop(pid)
            left = end_orphans(self._helpers | set(self._children))
            shutil.rmtree(self._folder_of(name), ignore_errors=True)
            self._channel.send(
                {
                    "ended": name,
                    "status": status,
                    "left": left[:_MOST_LEFT],
                    "copies": sum(command == self._command for command in left),
                    "peak_bytes": usage.ru_maxrss * 1024,
                    "cpu_seconds": usage.ru_utime + usage.ru_stime,
                }
            )

    def _folder_of(self, name: str) -> str:
        """Return the folder for the temporary files of a request."""
        return str(self._temporary / name)

    def _end(self) -> None:
        """End everybody, since the studio is gone, and leave no files."""
        end_orphans(set())
        shutil.rmtree(self._temporary, ignore_errors=True)

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
        self._helpers = set(children_of(os.getpid()))
        with contextlib.suppress(OSError):
            self._channel.send({"warmed": entry})
