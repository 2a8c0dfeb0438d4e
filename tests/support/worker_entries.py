"""Entry points that tests run in workers; each misbehaves in its own way."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from opstudio.base.errors import InputError
from opstudio.worker.context import WorkerContext


def warm_up() -> None:
    """Warm up nothing."""


def import_exporters() -> None:
    """Import what each export would import again, which is most of what a small one takes."""
    import onnxscript  # noqa: F401
    import torch.onnx._internal.exporter._core
    import torch.onnx._internal.torchscript_exporter.utils

    torch.onnx._internal.exporter._core._registration.ONNXRegistry.from_torchlib()


def echo(context: WorkerContext, payload: Any) -> None:
    context.emit("said", text=payload)


def report_process(context: WorkerContext, _payload: Any) -> None:
    context.emit("process", pid=os.getpid(), parent=os.getppid(), group=os.getpgid(0), modules=sorted(sys.modules))


def print_words(_context: WorkerContext, payload: Any) -> None:
    sys.stdout.write(payload + "\n")
    os.write(2, b" and through the descriptor")


def fail_with_a_finding(_context: WorkerContext, _payload: Any) -> None:
    raise InputError.of("the file is wrong", cause="it is", fix="mend it")


def raise_an_error(_context: WorkerContext, payload: Any) -> None:
    raise ZeroDivisionError(payload)


def read_address_zero(context: WorkerContext, _payload: Any) -> None:
    context.progress("value: reading")
    ctypes.string_at(0)


def end_by_signal(_context: WorkerContext, payload: Any) -> None:
    os.kill(os.getpid(), int(payload))


def exit_at_once(_context: WorkerContext, payload: Any) -> None:
    os._exit(int(payload))


def sleep_for_ever(context: WorkerContext, _payload: Any) -> None:
    context.progress("value: sleeping")
    while True:
        time.sleep(1)


def compute_for_ever(context: WorkerContext, _payload: Any) -> None:
    context.progress("value: computing")
    while True:
        pass


def work_with_signs_of_life(context: WorkerContext, payload: Any) -> None:
    for step in range(10):
        context.progress(f"step {step}")
        time.sleep(float(payload) / 10)


def allocate_for_ever(context: WorkerContext, _payload: Any) -> None:
    context.progress("value: allocating")
    kept = []
    while True:
        kept.append(b"x" * 2**24)


def leave_a_process_behind(context: WorkerContext, _payload: Any) -> None:
    left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    context.emit("left", pid=left.pid)


def leave_threads_running(_context: WorkerContext, _payload: Any) -> None:
    threading.Thread(target=time.sleep, args=(600,)).start()


def ignore_signals(context: WorkerContext, _payload: Any) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    context.emit("deaf", pid=os.getpid())
    time.sleep(600)


def leave_a_process_in_a_session_of_its_own(context: WorkerContext, _payload: Any) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    context.emit("left", pid=subprocess.Popen(command, start_new_session=True).pid)


def leave_an_orphan_behind(context: WorkerContext, _payload: Any) -> None:
    """The process between ends at once, so that nobody is the parent of the one that stays."""
    script = (
        "import os, subprocess, sys; print(subprocess.Popen(['sleep', '600'], start_new_session=True, stdout=2).pid)"
    )
    said = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True).stdout
    context.emit("left", pid=int(said))


def leave_an_orphan_and_crash(context: WorkerContext, payload: Any) -> None:
    leave_an_orphan_behind(context, payload)
    ctypes.string_at(0)


def fork_once(context: WorkerContext, payload: Any) -> None:
    """Both copies run on; the second one not for long, whatever happens."""
    if os.fork() == 0:
        signal.alarm(20)
        time.sleep(float(payload))
    context.emit("said", text="hello")


def start_many_processes(_context: WorkerContext, payload: Any) -> None:
    for _ in range(int(payload)):
        subprocess.Popen(["/bin/sleep", "20"], start_new_session=True)
    time.sleep(20)


def _descriptors_of_events() -> list[int]:
    pipes: list[int] = []
    for path in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if str(path.readlink()).startswith("pipe:"):
                pipes.append(int(path.name))
    return [number for number in pipes if number > 2]


def write_to_every_pipe(_context: WorkerContext, payload: Any) -> None:
    for number in _descriptors_of_events():
        with contextlib.suppress(OSError):  # some can be read only
            os.write(number, payload.encode())


def forge_an_ending(context: WorkerContext, payload: Any) -> None:
    write_to_every_pipe(context, payload)
    os._exit(0)


def close_every_pipe(_context: WorkerContext, payload: Any) -> None:
    for number in _descriptors_of_events():
        os.close(number)
    time.sleep(float(payload))


def stop_itself(_context: WorkerContext, _payload: Any) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def print_bytes(_context: WorkerContext, payload: Any) -> None:
    piece = b"x" * 2**20
    os.write(1, b"first ")
    for _ in range(int(payload) // len(piece)):
        os.write(1, piece)
    os.write(1, b" last")


def make_temporary_files(context: WorkerContext, _payload: Any) -> None:
    handle, name = tempfile.mkstemp()
    os.close(handle)
    context.emit("made", file=name)
