"""The bundled kernels, compiled once and called in a process that a crash would end instead of the tests."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from tests.unit.kernels.kernel_process import Array, KernelCall, build_kernel, call_kernel

CallKernel = Callable[[KernelCall], dict[str, Array] | str]


@pytest.fixture(scope="session")
def call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CallKernel]:
    """Return a function that makes a call: its outputs, or the kernel's refusal."""
    with calling(tmp_path_factory.mktemp("kernels"), "g++") as function:
        yield function


@contextlib.contextmanager
def calling(folder: Path, compiler: str, *flags: str) -> Iterator[CallKernel]:
    """Give such a function for kernels of another compiler, or with more flags."""

    @functools.cache
    def library(name: str) -> Path:
        return build_kernel(name, folder, compiler, *flags)

    with ProcessPoolExecutor(max_workers=1, mp_context=multiprocessing.get_context("spawn")) as process:
        yield lambda wanted: process.submit(call_kernel, str(library(wanted.name)), wanted).result(timeout=60)
