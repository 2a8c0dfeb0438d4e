"""Entry points that tests run in workers; each misbehaves in its own way."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

from opstudio.base.errors import InputError
from opstudio.worker.context import WorkerContext


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
