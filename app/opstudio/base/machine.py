"""The machine in one line: what a time or a result was obtained on."""

from __future__ import annotations

import functools
import os
import platform
from pathlib import Path


@functools.cache
def describe_machine() -> str:
    """Return the processor, the cores that this process may use, the memory and the system."""
    processor = _first("/proc/cpuinfo", ("model name", "Model")) or platform.processor() or platform.machine()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parts = [processor, f"{cores} core{'' if cores == 1 else 's'}"]
    memory = _first("/proc/meminfo", ("MemTotal",)).split()
    if memory and memory[0].isdecimal():
        parts.append(f"{round(int(memory[0]) / 2**20)} GiB")
    return ", ".join((*parts, f"{platform.system()} {platform.release()}"))


def _first(path: str, names: tuple[str, ...]) -> str:
    """Return the value of the first line ``name: value`` of a file of the system; empty where there is none."""
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(names)), "")
