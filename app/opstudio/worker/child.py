"""One request, run in this process, which ends with it."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from opstudio.base.errors import StudioError
from opstudio.worker.context import WorkerContext
from opstudio.worker.descendants import adopt_orphans
from opstudio.worker.fault_page import FAULT_OFFSET, MUTE_CODE, PAGE_BYTES, FaultPage

_ADDRESS_SPACE_RESERVE = 32 * 2**30
"""Address space beyond the memory limit: frameworks map far more than they use."""


_PR_SET_PDEATHSIG = 1
"""Source: prctl(2)."""


def run_request(request: dict[str, Any], descriptors: Sequence[int]) -> None:
    """Run the entry point of a request and end the process.

    Events, output and faults go to the three descriptors; whatever the entry point does, the studio learns of it.
    """
    events, output, page_descriptor = descriptors
    with contextlib.suppress(OSError):
        os.setsid()
    _redirect(output)
    page = FaultPage(page_descriptor)
    context = WorkerContext(events, page, request.get("token", ""))
    adopt_orphans()
    _end_at_exit()
    status = 0
    try:
        _use_temporary_folder(request.get("temporary"))
        _limit(request.get("options", {}))
        _record_faults(request.get("options", {}), page)
        context.progress("start")
        entry = _resolve(request["entry"])
        entry(context, request.get("payload"))
        context.emit("finished")
    except BaseException as error:  # noqa: BLE001 - also SystemExit of user code must be told
        status = _tell_failure(context, error)
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _tell_failure(context: WorkerContext, error: BaseException) -> int:
    """Tell of an error and return the exit status, which is all that is left where nobody can be told."""
    try:
        if isinstance(error, StudioError):
            context.emit("failed", findings=error.findings)
        else:
            said = f"{type(error).__name__}: {error}"
            context.emit("failed", findings=(), error=said, traceback=traceback.format_exc())
    except OSError:
        return MUTE_CODE
    return 0


def _use_temporary_folder(folder: str | None) -> None:
    """Let temporary files of user code and frameworks lie in a folder that is removed behind the request."""
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        os.environ["TMPDIR"] = folder
        tempfile.tempdir = None


def end_with_parent(*, really: bool = True) -> None:
    """Let the system kill this process when its parent ends, so that a killed studio leaves nobody behind.

    The system means the thread that started the process, not the parent as a whole.
    """
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL) if really else 0)


def _end_at_exit() -> None:
    """Let ``exit()``, where foreign code calls it, end this process with what was printed and nothing else.

    The exit handlers of libraries that the parent loaded would wait for threads that a fork leaves behind.
    """
    with contextlib.suppress(AttributeError):
        system = ctypes.CDLL(None)
        # The last one goes first.
        system.on_exit(system["_exit"], None)
        system["__cxa_atexit"](system.fflush, None, None)


def _redirect(output: int) -> None:
    """Send everything printed, by Python or by C, to the descriptor."""
    os.dup2(output, 1)
    os.dup2(output, 2)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)


def _limit(options: dict[str, Any]) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory := options.get("memory_bytes"):
        # A backstop only: the studio watches resident memory and ends the process with a clear word long before.
        space = int(memory) + _ADDRESS_SPACE_RESERVE
        resource.setrlimit(resource.RLIMIT_AS, (space, space))


def _record_faults(options: dict[str, Any], page: FaultPage) -> None:
    if not (library := options.get("fault_recorder")):
        return
    recorder = ctypes.CDLL(library)
    recorder.opstudio_fault_page_size.restype = ctypes.c_uint64
    assert recorder.opstudio_fault_page_size() <= PAGE_BYTES - FAULT_OFFSET
    recorder.opstudio_record_faults.argtypes = [ctypes.c_void_p]
    recorder.opstudio_record_faults(ctypes.addressof(ctypes.c_char.from_buffer(page.memory, FAULT_OFFSET)))


def _resolve(entry: str) -> Callable[[WorkerContext, Any], None]:
    module, _, name = entry.partition(":")
    function: Callable[[WorkerContext, Any], None] = getattr(importlib.import_module(module), name)
    return function
